"""RO-Crate 1.1 metadata of a run's folder, for programs that collect data.

The profile is Process Run Crate 0.5: each start is an action, in which the jar ran the sweep and
produced the forks.
"""

import json
from pathlib import Path
from typing import Any

from handoff.files import write_text
from handoff.paths import RUNS, SHIPPED, find_home
from handoff.run.host import machine
from handoff.run.store.provenance import STARTS, list_starts
from handoff.run.store.run import Run

FILE = "ro-crate-metadata.json"
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
TERMS = "https://w3id.org/ro/terms/workflow-run/context"
PAPER = "https://doi.org/10.1515/umcsinfo-2015-0002"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
COMPLETED, FAILED = (f"http://schema.org/{word}ActionStatus" for word in ("Completed", "Failed"))
JAR, JVM, PLACE = "#jar", "#jvm", "#machine"
KINDS = {".csv": "text/csv", ".json": "application/json", ".yml": "application/yaml"}
# The shipped runs hold these words too: a test compares.
FOLDERS = {
    "forks": "a file for every fork that counts: all that it measured, and the proof",
    **dict.fromkeys(STARTS, "a file for every start: command, versions, readiness"),
    "tidy": "tables, one a study; datapackage.json says what their columns mean",
    "failed": "forks that ended in an error, with their output",
    "timed-out": "forks that took too long",
    "quarantine": "files that must not be read as data",
}

Entity = dict[str, Any]


def write_crate(run: Run) -> None:
    """Write the metadata into the run's folder; the same run gives the same bytes."""
    text = json.dumps(describe_run(run), indent=1, ensure_ascii=False)
    write_text(run.folder / FILE, text + "\n")


def describe_run(run: Run) -> Entity:
    """Return the crate's metadata."""
    actions = [make_action(run, file) for file in list_starts(run.folder)]
    data, licence = list_data(run.folder), make_licence(run)
    ended = [action["endTime"] for action in actions if "endTime" in action]
    mentions = [refer(action["@id"]) for action in actions]
    root = make_entity(
        "./",
        "Dataset",
        conformsTo=refer(PROFILE),
        name=f"Handoff: run {run.folder.name}",
        description=f"{run.sweep.about}; measured on {machine.summarize_machine(run.machine)}",
        datePublished=max([run.identity["started"], *ended])[:10],
        license=refer(licence["@id"]),
        citation=refer(PAPER),
        hasPart=[refer(entity["@id"]) for entity in data],
        # The specification wants no list of one.
        mentions=mentions[0] if len(mentions) == 1 else mentions,
    )
    return {
        "@context": [f"{SPECIFICATION}/context", TERMS],
        "@graph": [
            make_entity(FILE, "CreativeWork", conformsTo=refer(SPECIFICATION), about=refer("./")),
            root,
            *data,
            *actions,
            *describe_means(run),
            licence,
            make_entity(PAPER, "ScholarlyArticle", name="The paper that is reproduced"),
            make_entity(PROFILE, "CreativeWork", name="Process Run Crate", version="0.5"),
        ],
    }


def make_entity(identity: str, kind: str, **properties: object) -> Entity:
    return {"@id": identity, "@type": kind, **properties}


def refer(identity: str) -> Entity:
    return {"@id": identity}


def list_data(folder: Path) -> list[Entity]:
    """Return the files at the top, and the folders, whose many files are not listed."""
    files = [
        make_entity(path.name, "File", name=path.name, encodingFormat=KINDS[path.suffix])
        for path in sorted(folder.iterdir())
        if path.is_file() and path.suffix in KINDS and path.name != FILE
    ]
    folders = [
        make_entity(f"{name}/", "Dataset", name=name, description=text)
        for name, text in FOLDERS.items()
        # Missing tables can always be made from the forks.
        if name == "tidy" or (folder / name).is_dir()
    ]
    return [*files, *folders]


def make_action(run: Run, file: Path) -> Entity:
    """Return a start that measured; one that was killed has no end."""
    start = json.loads(file.read_text(encoding="utf-8"))
    kind, ended = file.parent.name.removesuffix("s"), start.get("ended")
    changed = "" if start.get("clean") else ", with uncommitted changes"
    return make_entity(
        f"#{kind}-{file.stem}",
        "CreateAction",
        name=f"{kind.capitalize()} {int(file.stem)} of {run.folder.name}",
        description=f"{start['command']}, commit {start.get('commit') or 'unknown'}{changed}",
        instrument=[refer(JAR), refer(JVM)],
        location=refer(PLACE),
        object=refer("sweep.yml"),
        result=refer("forks/"),
        startTime=start["began"],
        actionStatus=COMPLETED if ended else FAILED,
        **({"endTime": ended} if ended else {}),
    )


def describe_means(run: Run) -> list[Entity]:
    """Return the jar, the JVM and the machine."""
    jar, jdk = f"sha256 {run.identity['jar']}", run.identity["jdk"]
    return [
        make_entity(JAR, "SoftwareApplication", name="Handoff's benchmarks (JMH)", version=jar),
        make_entity(JVM, "SoftwareApplication", name=jdk, version=jdk),
        make_entity(PLACE, "Place", name=machine.summarize_machine(run.machine)),
    ]


def make_licence(run: Run) -> Entity:
    """Return the licence of a shipped run; the licence of another run is open."""
    if find_home(run.folder) == RUNS and run.folder.name.startswith(SHIPPED):
        text = "Creative Commons Attribution 4.0 International"
        return make_entity(LICENCE, "CreativeWork", name="CC BY 4.0", description=text)
    text = "The person who measured this run decides how it may be used."
    return make_entity("#licence", "CreativeWork", name="not decided", description=text)
