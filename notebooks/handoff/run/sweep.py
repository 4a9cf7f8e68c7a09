"""A sweep: what to run, one YAML file, checked before anything starts."""

from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from handoff.errors import BadInput
from handoff.paths import SWEEPS, shown
from handoff.run.studies import studies

CLOSED = ConfigDict(extra="forbid")
Count = Annotated[int, Field(strict=True, ge=1, le=1000)]


class Jvm(BaseModel):
    """The JVM of every fork: fixed heap; the collector is a parameter of the points."""

    model_config = CLOSED
    """Such as 512m or 4g; a measuring JVM does not start with less than 64m."""
    heap: Annotated[str, Field(pattern=r"^([1-9][0-9]*g|6[4-9]m|[7-9][0-9]m|[1-9][0-9]{2,}m)$")] = "1g"
    """From JDK 22 sorts may use SIMD instructions; the reproduction turns that off."""
    simd_sort: bool = False


class Forks(BaseModel):
    """Fresh JVMs for each point: where all threads have a core of their own, and where not."""

    model_config = CLOSED
    fitting: Count
    oversubscribed: Annotated[int, Field(strict=True, ge=0, le=1000)] = 1


class Entry(BaseModel):
    """Every combination of the values listed; the study's own parameters are added by `entry_model`."""

    model_config = CLOSED
    shots: Count
    warmup: Annotated[int, Field(strict=True, ge=0)]

    @model_validator(mode="after")
    def some_shot_is_measured(self) -> "Entry":
        if self.warmup >= self.shots:
            raise ValueError(f"warmup is {self.warmup} of {self.shots} shots: at least one shot must be left to measure")
        return self

    def values(self) -> dict[str, list]:
        """Parameter to the values asked for, without those left to their default."""
        asked = self.model_dump(exclude_none=True)
        return {name: value for name, value in asked.items() if name not in Entry.model_fields}


class Sweep(BaseModel):
    """`verdicts` false allows shots too small to say anything; `spin_oversubscribed` true lets BUSY_SPIN share cores."""

    model_config = CLOSED
    about: str
    verdicts: bool = True
    spin_oversubscribed: bool = False
    seed: Annotated[int, Field(strict=True, ge=0)] = 2015
    jvm: Jvm = Jvm()
    forks: Forks
    studies: Annotated[dict[str, Annotated[list[dict[str, Any]], Field(min_length=1)]], Field(min_length=1)]

    def entries(self) -> list[tuple[str, Entry]]:
        """(study, entry) in the order of the file. ValidationError where an entry is wrong."""
        return [(study, entry_model(study).model_validate(entry)) for study, listing in self.studies.items() for entry in listing]


def entry_model(study: str) -> type[Entry]:
    """The entry of one study: shots, warmup and its parameters."""
    fields = {p.name: (p.annotation() | None, None) for p in studies()[study].parameters}
    return create_model(f"{study} entry", __base__=Entry, **fields)


def find(profile: str) -> Path:
    """The file of a profile: a word names one of data/sweeps, anything else is a path. BadInput when it is not there."""
    path = Path(profile) if "/" in profile or profile.endswith((".yml", ".yaml")) else SWEEPS / f"{profile}.yml"
    if not path.is_file():
        words = ", ".join(["reference", *sorted(f.stem for f in SWEEPS.glob("*.yml"))])
        raise BadInput(f"{profile}: there is no such profile or sweep file; allowed is {words}, or the path of a YAML file.")
    return path


def load(path: Path) -> Sweep:
    """Reads and checks a sweep. BadInput names the file, the key and what is allowed."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{shown(path)}: not readable as YAML: {' '.join(str(error).split())}.") from None
    try:
        sweep = Sweep.model_validate(content)
    except ValidationError as error:
        raise BadInput(sentence(path, [], error, Sweep)) from None
    for study, listing in sweep.studies.items():
        if study not in studies():
            raise BadInput(f"{shown(path)}: studies.{study}: there is no such study; allowed is {', '.join(studies())}.")
        for place, entry in enumerate(listing):
            try:
                entry_model(study).model_validate(entry)
            except ValidationError as error:
                raise BadInput(sentence(path, ["studies", study, place], error, entry_model(study))) from None
    return sweep


def sentence(path: Path, prefix: list, error: ValidationError, model: type[BaseModel]) -> str:
    """The first thing wrong, as one sentence: file, key, what is wrong, what is allowed."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in [*prefix, *first["loc"]]) or "the whole file"
    if first["type"] == "extra_forbidden":
        inner = {"jvm": Jvm, "forks": Forks}.get(first["loc"][0], model) if len(first["loc"]) > 1 else model
        allowed = inner.model_fields
        return f"{shown(path)}: {where}: unknown key; allowed is {', '.join(allowed)}."
    given = "" if first["type"] in ("missing", "value_error") else f" (got {first['input']!r})"
    return f"{shown(path)}: {where}: {first['msg'].removeprefix('Value error, ')}{given}."
