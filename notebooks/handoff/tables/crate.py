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
    data = list_data(run.folder)
    ended = [action["endTime"] for action in actions if "endTime" in action]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": {"@id": PROFILE},
        "name": f"Handoff: run {run.folder.name}",
        "description": f"{run.sweep.about}; measured on {machine.summarize_machine(run.machine)}",
        "datePublished": max([run.identity["started"], *ended])[:10],
        "license": {"@id": make_licence(run)["@id"]},
        "citation": {"@id": PAPER},
        "hasPart": [point_to(entity) for entity in data],
        "mentions": unpack([point_to(action) for action in actions]),
    }
    return {
        "@context": [f"{SPECIFICATION}/context", TERMS],
        "@graph": [
            {
                "@id": FILE,
                "@type": "CreativeWork",
                "conformsTo": {"@id": SPECIFICATION},
                "about": {"@id": "./"},
            },
            root,
            *data,
            *actions,
            *describe_means(run),
            make_licence(run),
            {"@id": PAPER, "@type": "ScholarlyArticle", "name": "The paper that is reproduced"},
            {
                "@id": PROFILE,
                "@type": "CreativeWork",
                "name": "Process Run Crate",
                "version": "0.5",
            },
        ],
    }


def point_to(entity: Entity) -> Entity:
    return {"@id": entity["@id"]}


def unpack(entities: list[Entity]) -> list[Entity] | Entity:
    """Return a single entity by itself, because the specification wants no list of one."""
    return entities[0] if len(entities) == 1 else entities


def list_data(folder: Path) -> list[Entity]:
    """Return the files at the top, and the folders, whose many files are not listed."""
    files = [
        {
            "@id": path.name,
            "@type": "File",
            "name": path.name,
            "encodingFormat": KINDS[path.suffix],
        }
        for path in sorted(folder.iterdir())
        if path.is_file() and path.suffix in KINDS and path.name != FILE
    ]
    folders = [
        {"@id": f"{name}/", "@type": "Dataset", "name": name, "description": text}
        for name, text in FOLDERS.items()
        # Missing tables can always be made from the forks.
        if name == "tidy" or (folder / name).is_dir()
    ]
    return [*files, *folders]


def make_action(run: Run, file: Path) -> Entity:
    """Return a start that measured; one that was killed has no end."""
    start = json.loads(file.read_text(encoding="utf-8"))
    kind = file.parent.name.removesuffix("s")
    commit = start.get("commit") or "unknown"
    changed = "" if start.get("clean") else ", with uncommitted changes"
    action = {
        "@id": f"#{kind}-{file.stem}",
        "@type": "CreateAction",
        "name": f"{kind.capitalize()} {int(file.stem)} of {run.folder.name}",
        "description": f"{start['command']}, commit {commit}{changed}",
        "instrument": [{"@id": JAR}, {"@id": JVM}],
        "location": {"@id": PLACE},
        "object": {"@id": "sweep.yml"},
        "result": {"@id": "forks/"},
        "startTime": start["began"],
        "actionStatus": COMPLETED if start.get("ended") else FAILED,
    }
    return action | ({"endTime": start["ended"]} if start.get("ended") else {})


def describe_means(run: Run) -> list[Entity]:
    """Return the jar, the JVM and the machine."""
    return [
        {
            "@id": JAR,
            "@type": "SoftwareApplication",
            "name": "Handoff's benchmarks (JMH)",
            "version": f"sha256 {run.identity['jar']}",
        },
        {
            "@id": JVM,
            "@type": "SoftwareApplication",
            "name": run.identity["jdk"],
            "version": run.identity["jdk"],
        },
        {"@id": PLACE, "@type": "Place", "name": machine.summarize_machine(run.machine)},
    ]


def make_licence(run: Run) -> Entity:
    """Return the licence of a shipped run; the licence of another run is open."""
    if find_home(run.folder) == RUNS and run.folder.name.startswith(SHIPPED):
        text = "Creative Commons Attribution 4.0 International"
        return {"@id": LICENCE, "@type": "CreativeWork", "name": "CC BY 4.0", "description": text}
    return {
        "@id": "#licence",
        "@type": "CreativeWork",
        "name": "not decided",
        "description": "The person who measured this run decides how it may be used.",
    }
