"""`python -m handoff`: see handoff.cli.main."""

from handoff.cli.main import exit_main

exit_main()
