"""A course as its teacher describes it: one YAML file."""

from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handoff.errors import BadInput, describe_validation_error
from handoff.files import read_yaml
from handoff.labs.listing import MODULES
from handoff.paths import display_path


class Course(BaseModel):
    """`course` is the key that students give; `secret` seeds the hidden cases, and no student has
    it. `tickets`: those that students registered before class, where the order matters.
    """

    model_config = ConfigDict(extra="forbid")
    course: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$")]
    secret: Annotated[str, Field(min_length=8)]
    labs: Annotated[list[int], Field(min_length=1)] = list(MODULES)
    tickets: list[Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]] | None = None


def load_course(file: Path) -> Course:
    """BadInput names the file, the key and what is allowed."""
    source = display_path(file)
    if not file.is_file():
        raise BadInput(f"{source} is not there: a course's file has the keys course and secret.")
    try:
        course = Course.model_validate(read_yaml(file))
    except ValidationError as error:
        keys = list(Course.model_fields)
        raise BadInput(describe_validation_error(source, error, lambda _: keys)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise BadInput(f"{source}: not readable as YAML: {' '.join(str(error).split())}.") from None
    strange = [lab for lab in course.labs if lab not in MODULES]
    if strange:
        raise BadInput(
            f"{source}: labs: there is no lab {strange[0]}; allowed is"
            f" {', '.join(map(str, MODULES))}."
        )
    return course
