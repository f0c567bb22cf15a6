"""Crews: whoever does the work, every job is done once, and the result is the same."""

import os
import secrets
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.cli import main
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.lab.arena import Contest, play, play_match
from kibitz.lab.crew import PATIENCE, Cluster, crew, in_order
from tasks import fail, first_waits, slow_match

CONTEST = Contest("lantern", ("medium", "random", "random"), games=48, seed=7)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A Ray cluster of two nodes on this machine, the second of which can be lost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "token")  # of our own: nothing is kept in anybody's home
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))  # nodes find our tasks
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "include_dashboard": False}
        cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        yield cluster
        cluster.shutdown()


def test_results_come_as_they_are_done_with_the_number_of_their_job(tmp_path: Path) -> None:
    heard, done = tmp_path / "heard", []
    with crew(workers=2) as hired:
        for some in hired.work(first_waits, ((n, str(heard)) for n in range(9))):
            done.append(some)
            heard.touch()
    assert sorted(done) == [(n, n * n) for n in range(9)]
    assert done[0][0] != 0
    assert in_order(done) == [n * n for n in range(9)]


def test_an_error_in_a_job_is_raised() -> None:
    with crew(workers=1) as hired, pytest.raises(BadOption, match="0 is no good"):
        list(hired.work(fail, [(0,)]))


def test_a_single_worker_is_this_process() -> None:
    with crew(workers=1) as hired:
        assert list(hired.work(os.getpid, [(), ()])) == [(0, os.getpid()), (1, os.getpid())]


def test_ctrl_c_while_workers_are_started_is_heard() -> None:
    def jobs() -> Iterator[tuple[()]]:
        yield ()
        os.kill(os.getpid(), signal.SIGINT)
        yield ()

    with pytest.raises(KeyboardInterrupt), crew(workers=2) as hired:
        list(hired.work(os.getpid, jobs()))


class Deserted:
    """A Ray cluster whose nodes are gone: nothing is ever done."""

    waits = 0

    def remote(self, *_: object, **__: object) -> Any:
        return lambda task: SimpleNamespace(remote=lambda *job: (task, job))

    def cluster_resources(self) -> dict[str, float]:
        return {}

    def wait(self, jobs: list[Any], **_: object) -> tuple[list[Any], list[Any]]:
        self.waits += 1
        return [], jobs


def test_a_cluster_that_has_lost_all_its_nodes_is_not_waited_for_for_ever() -> None:
    ray = Deserted()
    with pytest.raises(KibitzError, match="lost all its nodes: add one"):
        list(Cluster(ray).work(fail, [(0,)]))
    assert ray.waits == PATIENCE


@pytest.fixture
def in_two_minutes() -> Iterator[None]:
    """A cluster that does not answer is no reason to wait for ever."""

    def give_up(*_: object) -> None:
        raise TimeoutError("the cluster has not done its work in two minutes")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("in_two_minutes")
def test_a_node_is_killed_half_way_and_the_result_is_complete_and_the_same(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    second = cluster.add_node(num_cpus=1)
    log = tmp_path / "log"
    jobs = [(CONTEST, n, r, str(log)) for n in range(CONTEST.deals) for r in range(3)]
    done, left = [], 0
    with crew(cluster.address) as hired:
        for some in hired.work(slow_match, jobs):
            done.append(some)
            if not left and len(set(log.read_text().split())) == 2:
                left = len(jobs) - len(done)
                cluster.remove_node(second, allow_graceful=False)
    assert left > len(jobs) // 4, "both nodes have played, and one was lost"
    assert in_order(done) == [play_match(*job[:3]) for job in jobs]
    assert capsys.readouterr().out == ""


def test_the_command_and_errors_on_ray(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "lantern", "medium", "random", "random", "--games", "9", "--seed", "7"]
    told = []
    for on in ("processes", cluster.address):
        assert main([*words, "--json", "--on", on]) == 0
        told.append(
            [line for line in capsys.readouterr().out.splitlines() if "seconds" not in line]
        )
    assert told[0] == told[1]
    with crew(cluster.address) as hired:
        assert len(list(play(CONTEST, hired))) == CONTEST.matches
        with pytest.raises(BadOption, match=r"^0 is no good$"):
            list(hired.work(fail, [(0,)]))


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_cluster_that_does_not_answer_gets_one_line(
    scheme: str, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"{scheme}127.0.0.1:{closed_port()}"
    words = ["lantern", "random", "random", "random", "--on", address]
    assert main(["arena", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"no Ray cluster answers at {address}" in error
    assert "ray start --head" in error


@pytest.mark.parametrize("on", ["moon", "10.0.0.5", "host:port", ":6379", ""])
def test_a_place_that_is_none_is_refused(on: str) -> None:
    with pytest.raises(KibitzError, match="by its address, such as"), crew(on):
        pass


def test_what_answers_but_is_no_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.lab.crew.SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(KibitzError, match="no Ray cluster answers"), crew(address):
            pass
