"""Hearts: pass three cards on, then take as few hearts as you can, or all of them."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Number

IDENTITY = Identity(
    name="hearts",
    title="Hearts",
    seats=range(4, 5),
    version=1,
    # HEARTS-E3: a round brings 26 points or more, so 16 rounds take somebody to 100. In each, 12
    # cards are passed, four seats say that they are ready, 52 cards are played, and it was dealt.
    longest=16 * 69,
    scores=(0, 125),  # one short of the highest limit, then 26
    low_wins=True,
    options={"limit": Number(100, 50, 100)},
)
