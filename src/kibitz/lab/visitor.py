"""A bot of some version of Kibitz, spoken to line by line in JSON.

Run as a script by `kibitz.lab.versions`, with that version's package on the path. So it uses only
what every version has.
"""

import json
import sys
from typing import Any

import kibitz
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import level
from kibitz.engine.errors import KibitzError


class Visitor:
    """Follows one match after another, and says what its bot would do."""

    def __init__(self, bot: str) -> None:
        self.bot = level(bot)

    def new(self, game: str, players: int, seed: str) -> None:
        """A match begins."""
        self.match = kibitz.new(game, players=players, seed=seed)
        self.onlooker = Onlooker(self.match)

    def due(self) -> dict[str, Any]:
        """Who is to act; once the match is over, who has won."""
        match = self.match
        if match.round_over and not match.over:
            match.next_round()
        return {"winners": list(match.winners)} if match.over else {"seat": min(match.to_act)}

    def choose(self, seat: int, seed: int) -> str:
        """What the bot does at a seat."""
        return self.bot.action(self.match, seat, seed, self.onlooker)

    def play(self, seat: int, action: str) -> None:
        """Somebody acts."""
        self.match.play(seat, action)


def main() -> None:
    """Answer each line, a name and what belongs to it."""
    try:
        visitor = Visitor(sys.argv[1])
    except KibitzError as error:
        sys.exit(f"kibitz: {error}")
    for line in sys.stdin:
        name, *words = json.loads(line)
        print(json.dumps(getattr(visitor, name)(*words)), flush=True)


if __name__ == "__main__":
    main()
