"""`python -m handoff`: see handoff.cli.main."""

import sys

from handoff.cli.main import main

sys.exit(main())
