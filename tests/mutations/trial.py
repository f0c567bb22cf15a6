"""A trial: a game's own tests, run in a process of their own against one mutant, or none."""

import ast
import multiprocessing
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numba.core.caching
import pytest

from mutations.plain import plant, play_plain
from mutations.plant import Mutant

GAMES = Path(__file__).parents[2] / "src" / "kibitz" / "games"
NOTICED, SURVIVED, HUNG = "noticed", "survived", "hung"
PATIENCE = 20.0  # seconds to compute for a test, besides ten times what it takes usually
# Each trial is a process that has all imported but the games.
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["mutations.trial"])


@dataclass
class Probe:
    """A test that passes: how long it computes in plain Python, and which functions it runs."""

    name: str
    seconds: float = 0.0
    runs: set[tuple[str, str]] = field(default_factory=set)


def modules(game: str) -> list[Path]:
    """The modules of a game's rules: `rules.py`, and what it imports of the folder but the deck."""
    folder = GAMES / game
    text = (folder / "rules.py").read_text("utf-8")
    others = {
        file
        for file in folder.glob("*.py")
        if f"kibitz.games.{game}.{file.stem} import" in text and file.stem != "deck"
    }
    return [folder / "rules.py", *sorted(others)]


# ---- in a process of its own


class _Watch:
    """Notes how long each test takes, and which functions of the rules it runs."""

    def __init__(self, files: list[Path]) -> None:
        self.tests: dict[str, Probe] = {}
        self.failed: list[str] = []
        self._files = {str(file) for file in files}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        """Run a test while watching it."""
        test = self.tests[item.nodeid] = Probe(item.nodeid)

        def see(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            if event == "call" and code.co_filename in self._files:
                test.runs.add((code.co_filename, code.co_name))

        began = time.process_time()
        sys.setprofile(see)
        yield
        sys.setprofile(None)
        test.seconds = time.process_time() - began

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the names of those that fail."""
        if report.failed:
            self.failed.append(report.nodeid)


def _end_after(seconds: float) -> None:
    """This process ends by a signal if it computes longer than that from now on."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


class _Order:
    """Runs these tests and no others, in this order, none longer than it may take."""

    def __init__(self, limits: dict[str, float]) -> None:
        self._limits = limits
        self._place = {name: n for n, name in enumerate(limits)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose and sort."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._place),
            key=lambda item: self._place[item.nodeid],
        )

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin a test."""
        _end_after(self._limits[item.nodeid])


def _prepare(game: str) -> None:
    """Quiet, plain, and without a trace in the cache of compiled code."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    setattr(numba.core.caching.Cache, "save_overload", lambda *_: None)  # noqa: B010
    play_plain(game)


def _pytest(game: str, plugin: object, *words: str) -> int:
    folder = str(GAMES / game / "tests")
    absent = ("cacheprovider", "xdist", "randomly", "hypothesispytest")
    without = [word for name in absent for word in ("-p", f"no:{name}")]
    # Nobody reads why a test fails; to have that explained would take most of a trial's time.
    return int(pytest.main([folder, "-q", "--assert=plain", *without, *words], plugins=[plugin]))


def _baseline(game: str, words: tuple[str, ...], result: Any) -> None:
    _prepare(game)
    watch = _Watch(modules(game))
    _pytest(game, watch, *words)
    result.send((list(watch.tests.values()), watch.failed))


def _trial(game: str, file: Path, tree: ast.Module, limits: dict[str, float], result: Any) -> None:
    _end_after(PATIENCE)
    _prepare(game)
    plant(f"kibitz.games.{game}.{file.stem}", file, tree)
    survived = _pytest(game, _Order(limits), "-x") in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    )
    result.send(SURVIVED if survived else NOTICED)


# ---- in the process that starts them


def baseline(game: str, *words: str) -> list[Probe]:
    """The tests of a game that pass in plain Python, the quick ones first; `words` for pytest."""
    ours, theirs = _processes.Pipe(duplex=False)
    process = _processes.Process(target=_baseline, args=(game, words, theirs))
    process.start()
    tests, failed = ours.recv()
    process.join()
    if failed:
        raise SystemExit(f"{game}: these tests fail without any mistake: {', '.join(failed)}")
    return sorted(tests, key=lambda test: test.seconds)


def wanted(mutant: Mutant, tests: list[Probe]) -> list[Probe]:
    """The tests that run what a mutant changes; all, where that is no function."""
    changed = str(mutant.file), mutant.where
    return [test for test in tests if not mutant.where or changed in test.runs]


class Trial:
    """A mutant that is being tried."""

    def __init__(self, game: str, mutant: Mutant, tests: list[Probe]) -> None:
        self.mutant = mutant
        chosen = wanted(mutant, tests)
        limits = {test.name: PATIENCE + 10 * test.seconds for test in chosen}
        self._ours, theirs = _processes.Pipe(duplex=False)
        self._process = _processes.Process(
            target=_trial, args=(game, mutant.file, mutant.tree(), limits, theirs)
        )
        self._process.start()
        theirs.close()

    def outcome(self) -> str | None:
        """What became of it, or None while it runs. A process that dies has noticed it as well."""
        if self._ours.poll():
            return self._end(self._received())
        if not self._process.is_alive():
            return self._end(self._died())
        return None

    def _received(self) -> str:
        try:
            return str(self._ours.recv())
        except EOFError:
            self._process.join()
            return self._died()

    def _died(self) -> str:
        return HUNG if self._process.exitcode == -signal.SIGVTALRM else NOTICED

    def _end(self, outcome: str) -> str:
        self._process.kill()
        self._process.join()
        return outcome
