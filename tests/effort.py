"""How hard the tests try: `make test` enough for every change, `make thorough` all there is."""

import os
from typing import TypeVar

T = TypeVar("T")
THOROUGH = "KIBITZ_THOROUGH" in os.environ


def tried(usually: T, thoroughly: T) -> T:
    """As much as is tried this time."""
    return thoroughly if THOROUGH else usually
