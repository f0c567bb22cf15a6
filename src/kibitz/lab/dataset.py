"""Decisions of bots as a table, for those who learn offline.

A row is a decision among several actions: what the seat could know, what it could do, what it did,
and what came of it. Observations, masks and actions are as `kibitz observation GAME` and
docs/lab.md tell of them: seats are counted from the own one.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kibitz.bots.levels import level
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.engine.observation import DTYPE
from kibitz.engine.observe import ready
from kibitz.games import find
from kibitz.lab.results import reward
from kibitz.lab.self_play import Player, Setup, look_back

CHUNK = 20  # deals of a job, and of a group of rows
ABOUT = b"kibitz"  # where a file says what it is of


@dataclass(frozen=True)
class Dataset:
    """All decisions of a file, a row each."""

    about: dict[str, Any]  # game, version of its rules, players, options, bots, seed, sections
    observations: Any  # int16
    masks: Any  # int8
    actions: Any
    rewards: Any  # of the seat, when the match was over: from -1 to 1
    scores: Any  # of the seat, likewise
    matches: Any  # the number of the match
    numbers: Any  # how many actions had been made in it
    seats: Any


def schema(setup: Setup) -> Any:
    """The columns, and what the file is of."""
    game = find(setup.game)
    layout = ready(game)
    about = {
        "game": setup.game,
        "rules": game.identity.version,
        "players": setup.players,
        "options": game.written(game.settings(setup.players, dict(setup.options))),
        "bots": setup.bots,
        "seed": setup.seed,
        "sections": {name: [s.offset, s.length] for name, s in layout.sections.items()},
    }
    return pa.schema(
        [
            ("match", pa.int32()),
            ("number", pa.int32()),
            ("seat", pa.int8()),
            ("observation", pa.list_(pa.int16(), layout.size)),
            ("mask", pa.list_(pa.int8(), layout.actions)),
            ("action", pa.int16()),
            ("reward", pa.float32()),
            ("score", pa.int16()),
        ],
        metadata={ABOUT: json.dumps(about)},
    )


def jobs(setup: Setup, matches: int) -> list[tuple[Setup, int, int]]:
    """All that is to be played."""
    if matches < 1:
        raise BadOption(f"the number of matches must be at least 1, not {matches}")
    slow = any(level(bot).budget is not None for bot in setup.bots)
    chunk, deals = 1 if slow else CHUNK, -(-matches // setup.rotations)
    return [(setup, first, min(chunk, deals - first)) for first in range(0, deals, chunk)]


def decisions(setup: Setup, first: int, deals: int) -> Any:
    """All decisions in some deals, as a table."""
    player = Player(setup)
    player.log = np.zeros(player.game.identity.longest, np.int16)
    found = [
        _of_match(player, deal, rotation)
        for deal in range(first, first + deals)
        for rotation in range(setup.rotations)
    ]
    return pa.concat_tables(found)


def _of_match(player: Player, deal: int, rotation: int) -> Any:
    setup, layout = player.setup, ready(player.game)
    match = player.play(deal, rotation)
    most = int(match["actions"] - match["forced"])
    observations = np.zeros((most, layout.size), DTYPE)
    masks = np.zeros((most, layout.actions), np.int8)
    seats, actions = np.zeros(most, np.int8), np.zeros(most, np.int16)
    numbers = np.zeros(most, np.int32)
    look_back(
        player.states, player.lists, player.log[: match["actions"]], setup.seed, deal, rotation,
        observations, masks, seats, actions, numbers,
    )  # fmt: skip
    winners = int(match["winners"])
    paid = [
        reward(bool(winners >> seat & 1), winners.bit_count(), setup.players)
        for seat in range(setup.players)
    ]
    columns = [
        np.full(most, deal * setup.rotations + rotation, np.int32), numbers, seats,
        pa.FixedSizeListArray.from_arrays(observations.ravel(), layout.size),
        pa.FixedSizeListArray.from_arrays(masks.ravel(), layout.actions),
        actions, np.array(paid, np.float32)[seats], match["total"][seats],
    ]  # fmt: skip
    return pa.table(columns, schema=schema(setup))


class Writer:
    """Writes tables to a file, in the order of their jobs, whatever order they come in."""

    def __init__(self, file: Path, setup: Setup) -> None:
        self.rows = 0  # written so far
        self._file, self._draft = file, file.with_name(f"{file.name}.part")
        self._early: dict[int, Any] = {}
        self._following = 0
        with self._or_say_why():
            self._writer = pq.ParquetWriter(self._draft, schema(setup), compression="zstd")

    def __enter__(self) -> "Writer":
        return self

    def add(self, number: int, table: Any) -> None:
        """Write the table of a job, once those before it are written."""
        self._early[number] = table
        while self._following in self._early:
            following = self._early.pop(self._following)
            with self._or_say_why():
                self._writer.write_table(following)
            self.rows += len(following)
            self._following += 1

    def __exit__(self, *_: object) -> None:
        """The file has all that came in order, also after Ctrl-C; without any there is none."""
        with self._or_say_why():
            self._writer.close()
            if self._following:
                self._draft.replace(self._file)
            else:
                self._draft.unlink()

    @contextmanager
    def _or_say_why(self) -> Iterator[None]:
        """What cannot be written, such as on a full disk, leaves nothing behind."""
        try:
            yield
        except OSError as error:
            self._draft.unlink(missing_ok=True)
            why = error.strerror or error
            raise KibitzError(f"cannot write {self._file}: {why}") from None


def read(file: Path) -> Dataset:
    """All decisions of a file, as arrays."""
    try:
        with Path(file).open("rb") as source:
            table = pq.read_table(source)
    except OSError as error:
        raise KibitzError(f"cannot read {file}: {error.strerror or error}") from None
    except pa.ArrowInvalid:
        raise KibitzError(f"cannot read {file}: it is not a whole Parquet file") from None
    if ABOUT not in (table.schema.metadata or {}):
        raise KibitzError(f"{file} was not written by `kibitz dataset`")

    def column(name: str) -> Any:
        return table[name].combine_chunks().to_numpy(zero_copy_only=False)

    def rows(name: str) -> Any:
        flat = table[name].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        return flat.reshape(-1, table.schema.field(name).type.list_size)

    return Dataset(
        json.loads(table.schema.metadata[ABOUT]),
        rows("observation"), rows("mask"), column("action"), column("reward"), column("score"),
        column("match"), column("number"), column("seat"),
    )  # fmt: skip
