"""`python -m kibitz.cli`: the command, where it is not on the path."""

import sys

from kibitz.cli import main

sys.exit(main())
