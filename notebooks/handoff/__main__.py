"""`python -m handoff`: see handoff.cli."""

import sys

from handoff.cli import main

sys.exit(main())
