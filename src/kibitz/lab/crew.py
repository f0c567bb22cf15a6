"""Who does the work: processes on this machine, or a Ray cluster. All do the same.

A crew is given a function and jobs, small tuples of its arguments, and hands back each result with
the number of its job, in the order in which they are done. A job's result depends on the job alone,
so it is the same whoever did it, and whenever.
"""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar, cast

from kibitz.engine.errors import KibitzError
from kibitz.engine.machine import cores

PROCESSES, RAY = "processes", "ray"
AHEAD = 4  # jobs in a worker's queue: none is idle while we book a result
TRIES = 10  # of a job whose worker or node was lost
SECONDS = 5.0  # in which a cluster must answer
PATIENCE = 12  # times as long one without a node left is waited for: nodes may be added
# Ray speaks HTTP/2, where both sides begin with their settings; a port may belong to anything.
SETTINGS = b"\x04"
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + SETTINGS + bytes(5)
SENT_ALONG = ("KIBITZ_GAMES",)  # what a node must know to do the same

R = TypeVar("R")


class Crew(Protocol):
    """Somebody to do the work."""

    def work(
        self, task: Callable[..., R], jobs: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, R]]:
        """Do all jobs: the number of each, from 0, and its result, as they are done."""
        ...


@contextmanager
def crew(on: str = PROCESSES, workers: int | None = None) -> Iterator[Crew]:
    """Processes, one for each core; or `ray`, a cluster of this machine; or a cluster's address.

    A single worker on this machine is this process itself.
    """
    workers = workers or cores()
    hire: AbstractContextManager[Crew]
    if on != PROCESSES:
        hire = _cluster(on, workers)
    else:
        hire = nullcontext(Alone()) if workers == 1 else _processes(workers)
    with hire as hired:
        yield hired


def in_order(results: Iterable[tuple[int, R]]) -> list[R]:
    """All results, in the order of their jobs."""
    return [result for _, result in sorted(results, key=lambda done: done[0])]


# ---- here


class Alone:
    """Nobody else: the process that asks does the work."""

    def work(
        self, task: Callable[..., R], jobs: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, R]]:
        """Do all jobs."""
        return ((number, task(*job)) for number, job in enumerate(jobs))


class Processes:
    """A pool of processes on this machine."""

    def __init__(self, pool: ProcessPoolExecutor, workers: int) -> None:
        self._pool, self._workers = pool, workers

    def work(
        self, task: Callable[..., R], jobs: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, R]]:
        """Do all jobs."""
        todo, waiting = enumerate(jobs), dict[Future[R], int]()

        def hand_out(n: int) -> None:
            waiting.update((self._pool.submit(task, *job), i) for i, job in islice(todo, n))

        with _deaf_to_ctrl_c():
            hand_out(AHEAD * self._workers)
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            hand_out(len(done))
            for future in done:
                yield waiting.pop(future), future.result()


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    """An error or Ctrl-C sends them home at once."""
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_work)
    try:
        yield Processes(pool, workers)
    except BaseException:
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_work() -> None:
    """Ctrl-C is for the process that started this one; when that is gone, so is this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started in here never hear Ctrl-C, not even at once; this one does, afterwards."""
    heard = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    others = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # they inherit this
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, others)
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


# ---- Ray there


class Cluster:
    """A Ray cluster. What a lost node had to do, others do again."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def work(
        self, task: Callable[..., R], jobs: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, R]]:
        """Do all jobs."""
        ray, todo, waiting = self._ray, enumerate(jobs), dict[Any, int]()
        remote = ray.remote(max_retries=TRIES)(task)

        def hand_out(n: int) -> None:
            waiting.update((remote.remote(*job), i) for i, job in islice(todo, n))

        hand_out(AHEAD * max(1, self._cores()))
        idle = 0
        while waiting:
            done, _ = ray.wait(list(waiting), num_returns=1, timeout=SECONDS)
            idle = 0 if done or self._cores() else idle + 1
            if idle == PATIENCE:
                raise KibitzError("the Ray cluster has lost all its nodes: add one, and try again")
            hand_out(len(done))
            for reference in done:
                yield waiting.pop(reference), self._result(reference)

    def _cores(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 0))

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, ModuleNotFoundError):
                raise KibitzError(
                    f"a node of the Ray cluster has no {error.cause.name}: "
                    "install the same Kibitz on every node"
                ) from None
            raise error.cause from None
        except errors.RayError as error:
            first = str(error).strip().splitlines()[0]
            raise KibitzError(f"the Ray cluster could not do a job: {first}") from None


class _WithoutRay:
    """Standard output, without the pages that threads of Ray print there about a lost node."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write what others have to say."""
        is_ray = threading.current_thread().name.startswith("ray_")
        return len(text) if is_ray else self._stream.write(text)


@contextmanager
def _hushed() -> Iterator[None]:
    """Ray's own words, which go past Python, are not for people: we say what is wrong."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        errors = os.dup(2)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(errors, 2)
            os.close(errors)


@contextmanager
def _cluster(on: str, workers: int) -> Iterator[Crew]:
    """One of our own, or the one at an address; left, or ended, with all that it has to do."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray tells nobody that it runs
    address = None if on == RAY else on
    if address is not None:
        _knock(address)
    import ray  # noqa: PLC0415  slow to import, and only needed here

    try:
        with _hushed():
            ray.init(**_manners(address, workers))
    except (ConnectionError, ImportError, RuntimeError, TimeoutError, ValueError) as error:
        first = str(error).strip().splitlines()[0]
        if address is None:
            raise KibitzError(f"Ray cannot be started on this machine: {first}") from None
        raise KibitzError(
            f"cannot join the Ray cluster at {address}: {first}; "
            "if it asks for a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN"
        ) from None
    try:
        with redirect_stdout(cast(IO[str], _WithoutRay(sys.stdout))):
            yield Cluster(ray)
    finally:
        with _hushed():
            ray.shutdown()


def _manners(address: str | None, workers: int) -> dict[str, Any]:
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if address is None:
        return {**quiet, "num_cpus": workers, "include_dashboard": False}
    sent = {name: os.environ[name] for name in SENT_ALONG if os.environ.get(name)}
    return {**quiet, "address": address, "runtime_env": {"env_vars": sent}}


def _knock(address: str) -> None:
    """Whether anybody is there, before Ray waits for a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and host and port.isdecimal()):
        raise KibitzError(
            f"work can be done on {PROCESSES}, on {RAY}, or on a Ray cluster by its address, "
            f"such as 10.0.0.5:6379 or ray://10.0.0.5:10001, not on {address!r}"
        )
    try:
        with socket.create_connection((host, int(port)), SECONDS) as line:
            line.sendall(HELLO)
            answers = line.recv(9)[3:4] == SETTINGS
    except (OSError, OverflowError):
        answers = False
    if not answers:
        raise KibitzError(
            f"no Ray cluster answers at {address}: start one with `ray start --head`, "
            f"or say --on {RAY} for one of this machine alone"
        )
