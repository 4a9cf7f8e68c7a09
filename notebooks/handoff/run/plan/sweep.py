"""A sweep: what to run, one YAML file, checked before anything starts."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from handoff.catalog import load_catalog, resolve_cores

STRICT = ConfigDict(extra="forbid")
Count = Annotated[int, Field(strict=True, ge=1, le=1000)]
NonNegative = Annotated[float, Field(ge=0)]
Flag = Annotated[str, Field(pattern=r'^-(X|D|-|e|d)[^\s/"]+$')]
RESERVED_FLAGS = (
    "-Xms",
    "-Xmx",
    "-Xmn",
    "-XX:+UseParallelGC",
    "-XX:+UseG1GC",
    "-XX:+UseSerialGC",
    "-XX:+UseNUMA",
    "-XX:+AlwaysPreTouch",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-Dhandoff.",
)


class Jvm(BaseModel):
    """The JVM of every fork: a heap of fixed size, touched beforehand; the collector is a parameter
    of the points.
    """

    model_config = STRICT
    heap: Annotated[str, Field(pattern=r"^([1-9][0-9]*g|6[4-9]m|[7-9][0-9]m|[1-9][0-9]{2,}m)$")] = (
        Field("1g", description="such as 512m or 4g, at least 64m")
    )
    simd_sort: bool = Field(
        False,
        description="from JDK 22 sorts may use SIMD instructions; the reproduction turns that off",
    )
    flags: list[Flag] = Field([], description="further flags, without spaces or folders")
    yours: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*@[0-9a-f]{64}$")] | None = Field(
        None, description="of a lab: the class that the mechanism YOURS is, and its hash"
    )

    @model_validator(mode="after")
    def flags_are_not_ours(self) -> "Jvm":
        for flag in self.flags:
            if flag.startswith(RESERVED_FLAGS):
                raise ValueError(
                    f"flags may not hold {flag}: the heap is jvm.heap, the collector is the"
                    " parameter collector, and a flag that the JVM does not know is a mistake"
                )
        return self


class Forks(BaseModel):
    """Fresh JVMs for each point: where all threads have a core of their own, and where not."""

    model_config = STRICT
    fitting: Count
    oversubscribed: Annotated[int, Field(strict=True, ge=0, le=1000)] = 1
    most: Count | None = Field(
        None,
        description=(
            "forks that a second look gives the points of claims that the first left undecided;"
            " without it there is one look"
        ),
    )

    @model_validator(mode="after")
    def a_second_look_is_more(self) -> "Forks":
        if self.most is not None and self.most <= self.fitting:
            raise ValueError(f"most is {self.most}: allowed is more than fitting, {self.fitting}")
        return self


class Quiet(BaseModel):
    """A fork that exceeds any of these ran disturbed: it is flagged, and measured again at the end,
    at most `again` times.
    """

    model_config = STRICT
    others: NonNegative = Field(0.15, description="cores that other processes used")
    steal: NonNegative = Field(0.05, description="cores that the hypervisor gave to others")
    pressure: NonNegative = Field(
        0.5,
        description=(
            "share of time in which some thread waited for a CPU; not where threads share cores"
        ),
    )
    slower: NonNegative | None = Field(
        None,
        description=(
            "share by which a sort, timed after the shots, took longer than is usual in the run;"
            " off by default, for it hardly tells a fork's time"
        ),
    )
    throttled: Annotated[int, Field(strict=True, ge=0)] = Field(
        0, description="times that heat or a quota slowed the machine"
    )
    again: Annotated[int, Field(strict=True, ge=0, le=10)] = 1


class Entry(BaseModel):
    """Every combination of the values listed; the study's own parameters are added by
    `entry_model`.
    """

    model_config = STRICT
    shots: Count
    warmup: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        None,
        description=(
            "first shots that are recorded and left out; without this key a fork warms up before"
            " its shots until it has settled, within the sweep's warmup_limit"
        ),
    )
    oversubscribed: Annotated[int, Field(strict=True, ge=0, le=1000)] | None = Field(
        None,
        description="forks of those points whose threads share cores; else what the sweep says",
    )
    include: list[Any] = []
    exclude: list[Any] = []

    @model_validator(mode="after")
    def some_shot_is_measured(self) -> "Entry":
        if self.warmup is not None and self.warmup >= self.shots:
            raise ValueError(
                f"warmup is {self.warmup} of {self.shots} shots: at least one shot must be left to"
                " measure"
            )
        return self

    def products(self) -> list[dict[str, list]]:
        """Parameter to values, without those left to their default: the entry's own, and for each
        include the same with its values.
        """
        own = {
            name: value
            for name, value in self.model_dump(exclude_none=True).items()
            if name not in Entry.model_fields
        }
        return [own, *(own | extra.model_dump(exclude_none=True) for extra in self.include)]

    def excludes(self, params: dict[str, Any], cores: int, amounts: Mapping[str, int]) -> bool:
        """Whether one of `exclude` matches on a machine of `cores` cores and with these amounts of
        work: every parameter that it names has one of its values.
        """
        left_out = [combination.model_dump(exclude_none=True) for combination in self.exclude]
        decided = [
            {
                name: [str(resolve_cores(amounts.get(value, value), cores)) for value in values]
                for name, values in one.items()
            }
            for one in left_out
        ]
        return any(all(params[name] in values for name, values in one.items()) for one in decided)


class Sweep(BaseModel):
    """`verdicts` false allows shots too small to say anything; `spin_oversubscribed` true lets
    BUSY_SPIN share cores.
    """

    model_config = STRICT
    about: str
    verdicts: bool = True
    spin_oversubscribed: bool = False
    seed: Annotated[int, Field(strict=True, ge=0)] = 2015
    jvm: Jvm = Jvm()
    warmup_limit: Annotated[float, Field(gt=0, le=3600)] = Field(
        10, description="seconds after which a warm-up ends, whether the fork has settled or not"
    )
    forks: Forks
    quiet: Quiet = Quiet()
    ticket: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = Field(
        None, description="of a lab: binds the forks to a prediction that was made before them"
    )
    studies: Any

    def entries(self) -> list[tuple[str, Entry]]:
        """(study, entry): the studies in the jar's order, whatever the file's, so that a seed
        always gives the same order of forks.
        """
        asked = {
            study: getattr(self.studies, study)
            for study in load_catalog()
            if study in self.studies.model_fields_set
        }
        return [(study, entry) for study, listing in asked.items() for entry in listing or []]


@cache
def build_sweep_model() -> type[Sweep]:
    """The sweep with every study that the jar knows."""
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
    """The entry of one study: shots, warmup, its parameters, and combinations of them to include
    and exclude.
    """
    parameters = load_catalog()[study].parameters
    fields: dict[str, Any] = {p.name: (p.annotation() | None, None) for p in parameters}
    combination: Any = create_model(f"{study} combination", __config__=STRICT, **fields)
    more: dict[str, Any] = {name: (list[combination], []) for name in ("include", "exclude")}
    return create_model(f"{study} entry", __base__=Entry, **fields, **more)
