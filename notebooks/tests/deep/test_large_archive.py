"""An archive of as many files as 200,000 forks have is written, read back and unpacked."""

from handoff import archive

FORKS = 200_000


def test_a_run_of_200_000_forks_is_archived_and_read(tmp_path):
    folder = tmp_path / "many"
    (folder / "forks").mkdir(parents=True)
    for number in range(FORKS):
        (folder / "forks" / f"{number}.json").write_text(str(number))
    archive.pack_folder(folder, tmp_path / "many.zip")
    archive.unpack_archive(tmp_path / "many.zip", tmp_path / "again")
    names = [path.name for path in (tmp_path / "again" / "forks").iterdir()]
    assert len(names) == FORKS
    assert (tmp_path / "again" / "forks" / "199999.json").read_text() == "199999"
