"""The rules as CUDA kernels: in numba-cuda's simulator, and on a GPU where there is one."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.cli import main
from kibitz.games import find
from kibitz.lab.gpu.device import cuda
from kibitz.lab.vector import VectorEnv

HERE = Path(__file__).parent
NO_GPU = not cuda.is_available()
GAMES = [name for name in kibitz.games() if name not in ("hearts", "lantern")]


def test_a_few_moves_in_the_simulator_are_those_made_here() -> None:
    run = subprocess.run(
        [sys.executable, str(HERE / "simulated.py"), *GAMES],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    lines = [line.split() for line in run.stdout.splitlines()]
    assert {line[2] for line in lines} == {"same"}, run.stdout
    for name in GAMES:
        moves = [int(line[1]) for line in lines if line[0] == name]
        assert len(moves) > 1, "matches of a block were mixed up, or none was played"
        assert sum(moves) > 30, "hardly anything was played"


@pytest.mark.skipif(not NO_GPU, reason="there is a GPU")
def test_without_a_gpu_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "kolpa", "--gpu"]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert "NVIDIA" in shown.err


def test_the_rules_compile_for_a_gpu_with_a_numpy_that_has_dropped_old_names() -> None:
    """numba-cuda asks for them; numpy 2.5, which Python 3.12 gets, has them no longer."""
    program = (
        "import numpy\n"
        "for old in ('row_stack', 'in1d', 'trapz'): numpy.__dict__.pop(old, None)\n"
        "import kibitz.lab.gpu.playouts"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(NO_GPU, reason="no GPU")
@pytest.mark.parametrize("name", GAMES)
def test_whole_matches_end_on_the_gpu_as_they_do_here(name: str) -> None:
    from kibitz.lab.gpu.bench import compare
    from kibitz.lab.gpu.playouts import RandomPlay

    compare(RandomPlay(find(name)), matches=1024)


@pytest.mark.skipif(NO_GPU, reason="no GPU")
@pytest.mark.parametrize("name", GAMES)
def test_the_environment_on_the_gpu_is_that_of_the_processor(name: str) -> None:
    from kibitz.lab.gpu.vector import VectorEnv as OnGpu

    here, there = VectorEnv(name, 256, seed=7), OnGpu(name, 256, seed=7)

    def fetched(array: Any) -> Any:
        return array.copy_to_host()

    for _ in range(200):
        actions, chosen = here.random_actions(), there.random_actions()
        assert np.array_equal(actions, fetched(chosen))
        for one, two in zip(here.step(actions), there.step(chosen), strict=True):
            assert np.array_equal(one, fetched(two))
