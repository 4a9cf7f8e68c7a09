"""Sweep files: their model, checked before anything runs; a refusal names file, key and choices."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model, model_validator

from handoff.catalog import load_catalog, resolve_cores
from handoff.errors import BadInput, validate
from handoff.files import read_yaml
from handoff.paths import SWEEPS, display_path
from handoff.run.plan.settings import STRICT, Arm, Count, Forks, Jvm, Quiet
from handoff.text import require_form, suggest

ARM = r"^[A-Za-z][A-Za-z0-9_.-]{0,30}$"
ARM_FORM = "a name of letters, digits, _ . and - that starts with a letter"
ArmName = Annotated[str, Field(pattern=ARM), require_form(ARM, ARM_FORM)]


class Values(BaseModel):
    """Values by parameter, each written out: an empty one would silently be the default."""

    model_config = STRICT

    @model_validator(mode="before")
    @classmethod
    def every_key_has_a_value(cls, content: Any) -> Any:
        items = content.items() if isinstance(content, dict) else ()
        empty = [key for key, value in items if value is None]
        if empty:
            raise ValueError(f"{empty[0]} is null: write a value, or remove the key")
        return content


class Entry(Values):
    """Every combination of the listed values; `build_entry_model` adds the study's parameters."""

    shots: Count
    warmup: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        None,
        description=(
            "first shots that are recorded but left out; without this key a fork warms up before"
            " its shots until it has settled, within the sweep's warmup_limit"
        ),
    )
    warmup_events: Annotated[int, Field(strict=True, ge=1)] | None = Field(
        None,
        description=(
            "events of each shot before the fork has settled, at most as many as `events`; without"
            " this key these shots are as long as those that count"
        ),
    )
    oversubscribed: Annotated[int, Field(strict=True, ge=0, le=1000)] | None = Field(
        None,
        description="forks per point whose threads share cores; default: as in the sweep's forks",
    )
    include: list[Any] = []
    exclude: list[Any] = []

    @model_validator(mode="after")
    def the_warm_up_is_possible(self) -> "Entry":
        if self.warmup is not None and self.warmup >= self.shots:
            raise ValueError(
                f"warmup takes {self.warmup} of {self.shots} shots, but at least one shot must be"
                " left to measure"
            )
        if self.warmup is not None and self.warmup_events is not None:
            raise ValueError(
                "warmup_events shortens the shots before a fork has settled, but warmup takes a"
                " fixed number of whole shots: remove one of the two keys"
            )
        return self

    def products(self) -> list[dict[str, list]]:
        """Return the entry's values by parameter, then the same with those of each include."""
        values = {
            name: value
            for name, value in self.model_dump(exclude_none=True).items()
            if name not in Entry.model_fields
        }
        return [values, *(values | extra.model_dump(exclude_none=True) for extra in self.include)]

    def rules(self) -> list[dict[str, list]]:
        """Return the items of `exclude` as values by parameter."""
        return [rule.model_dump(exclude_none=True) for rule in self.exclude]

    def excludes(self, params: dict[str, Any], cores: int, amounts: Mapping[str, int]) -> bool:
        """Check whether the parameters have listed values for all keys of an item of `exclude`."""

        def resolve(value: Any) -> str:
            return str(resolve_cores(amounts.get(value, value), cores))

        return any(
            all(params[name] in map(resolve, values) for name, values in rule.items())
            for rule in self.rules()
        )


class Sweep(BaseModel):
    """A sweep: what to measure, and how.

    `verdicts: false` allows shots that are too small to support a verdict; `spin_oversubscribed:
    true` allows BUSY_SPIN where threads share cores.
    """

    model_config = STRICT
    about: str
    extends: str | None = Field(
        None,
        description=(
            "a shipped sweep whose run this one adds to: its studies come first, and its other keys"
            " hold unless this file has them"
        ),
    )
    verdicts: bool = True
    spin_oversubscribed: bool = False
    seed: Annotated[int, Field(strict=True, ge=0)] = 2015
    jvm: Jvm = Jvm()
    arms: dict[ArmName, Arm] = Field(
        {},
        description=(
            "set-ups by name, each of which measures every point, in the same blocks; claims are"
            " judged on the first"
        ),
    )
    warmup_limit: Annotated[float, Field(gt=0, le=3600)] = Field(
        10,
        description="seconds after which a warm-up of at least six shots ends, settled or not",
    )
    forks: Forks
    quiet: Quiet = Quiet()
    studies: Any

    @property
    def first_arm(self) -> str:
        """The name of the arm that claims are judged on, '' without arms."""
        return next(iter(self.arms), "")

    def make_jvm(self, arm: str) -> Jvm:
        """Return the JVM of an arm, or of the whole sweep for ''."""
        flags = self.arms[arm].flags if arm else []
        return self.jvm.model_copy(update={"flags": [*self.jvm.flags, *flags]})

    def entries(self) -> list[tuple[str, Entry]]:
        """Return (study, entry) pairs, with the studies in the jar's order."""
        # Not in the order of the file, so that a seed always gives the same order of forks.
        listings = {
            study: getattr(self.studies, study)
            for study in load_catalog()
            if study in self.studies.model_fields_set
        }
        return [(study, entry) for study, listing in listings.items() for entry in listing or []]


@cache
def build_sweep_model() -> type[Sweep]:
    """Build the model of a sweep with every study in the jar."""
    listings: dict[str, Any] = {}
    for study in load_catalog():
        entry: Any = build_entry_model(study)
        listings[study] = (Annotated[list[entry], Field(min_length=1)] | None, None)
    return create_model(
        "Sweep",
        __base__=Sweep,
        studies=(create_model("Studies", __config__=STRICT, **listings), ...),
    )


@cache
def build_entry_model(study: str) -> type[Entry]:
    """Build the model of a study's entry: shots, warmup, parameters, include and exclude."""
    parameters = load_catalog()[study].parameters
    fields: dict[str, Any] = {p.name: (p.annotation() | None, None) for p in parameters}
    combination: Any = create_model(f"{study} combination", __base__=Values, **fields)
    more: dict[str, Any] = {name: (list[combination], []) for name in ("include", "exclude")}
    return create_model(f"{study} entry", __base__=Entry, **fields, **more)


def find_sweep(profile: str) -> Path:
    """Return the file of a profile, which a path or a word of data/sweeps names."""
    is_path = "/" in profile or profile.endswith((".yml", ".yaml"))
    path = Path(profile) if is_path else SWEEPS / f"{profile}.yml"
    if not path.is_file():
        words = ["reference", *sorted(f.stem for f in SWEEPS.glob("*.yml"))]
        raise BadInput(
            f"unknown profile or sweep file {profile or '(empty)'}; choose from"
            f" {', '.join(words)}, or give the path of a YAML file.{suggest(profile, words)}"
        )
    return path


def load_sweep(path: Path) -> Sweep:
    """Load and check a sweep, or raise BadInput naming the file, the key and the choices."""
    content = read_yaml(path)
    if isinstance(content, dict) and isinstance(content.get("extends"), str):
        # Each is checked by itself, so that a message names a place in its file.
        validate_sweep(content, display_path(path))
        file = find_sweep(content["extends"])
        base = read_yaml(file)
        if validate_sweep(base, display_path(file)).extends:
            raise BadInput(f"{display_path(path)}: extends: {base['extends']} is what to extend.")
        # Its entries come after those of the sweep that it extends.
        studies = dict(base["studies"])
        for study, entries in content["studies"].items():
            studies[study] = [*(studies.get(study) or []), *(entries or [])] or None
        content = base | content | {"studies": studies}
    return validate_sweep(content, display_path(path))


def validate_sweep(content: Any, source: str) -> Sweep:
    """Return the sweep in a file's content, or raise BadInput naming `source` and the key."""
    sweep = validate(build_sweep_model(), content, source)
    if not sweep.entries():
        raise BadInput(
            f"{source}: studies: name at least one study of {', '.join(load_catalog())}."
        )
    return sweep


def require_relevant(sweep: Sweep, source: str) -> None:
    """Raise BadInput for a parameter that no mechanism of its entry has: it would be ignored."""
    places: dict[str, int] = {}
    for study, entry in sweep.entries():
        place = places[study] = places.get(study, -1) + 1
        spec = load_catalog()[study]
        named: dict[str, None] = {}
        mechanisms: dict[str, None] = {}
        for product in entry.products():
            named |= dict.fromkeys(product)
            mechanisms |= dict.fromkeys(product.get("mechanism", [spec.defaults()["mechanism"]]))
        known = {"mechanism", "events"}.union(*(spec.mechanisms[word] for word in mechanisms))
        for name in named:
            if name not in known:
                raise BadInput(
                    f"{source}: studies.{study}.{place}.{name}: no mechanism of this entry"
                    f" ({', '.join(mechanisms)}) has it; remove the key."
                )
