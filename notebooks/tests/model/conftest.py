"""Tests of the annex: without handoff.model there is nothing to collect."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("handoff.model") else ["test_*.py"]
