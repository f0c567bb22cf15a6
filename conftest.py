"""All tests know of a sixth game, written only for them, found as any other is."""

import os
from pathlib import Path

os.environ["KIBITZ_GAMES"] = str(Path(__file__).parent / "tests" / "sixth_game")
