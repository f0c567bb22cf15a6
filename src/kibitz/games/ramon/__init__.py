"""Ramon Jack Alphonse: build your own kitty up, and everyone else's down."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Choice, Number, Settings

STANDARD, THICK_SKINNED = range(2)


def settle(settings: Settings, given: frozenset[str]) -> Settings:
    """RAMON-V1: the variant ends at 100, unless a target is given."""
    if settings["variant"] == THICK_SKINNED and "target" not in given:
        settings["target"] = 100
    return settings


IDENTITY = Identity(
    name="ramon",
    title="Ramon Jack Alphonse",
    seats=range(3, 7),
    version=2,
    longest=9_000,  # RAMON-E4: 100 rounds, in each of which 90 cards are laid at most
    scores=(0, 574),  # one short of the highest target, then 15 + 14 + 13 + 12 + 11 + 10
    options={
        "variant": Choice(("standard", "thick-skinned")),
        "target": Number(150, 30, 500),
    },
    settle=settle,
)
