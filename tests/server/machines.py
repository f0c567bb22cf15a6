"""A PostgreSQL and a Redis of our own, to be stopped, killed, paused and cut off."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

START_SECONDS = 20.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def pause(pids: list[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)


def resume(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def children(pid: int) -> list[int]:
    found = subprocess.run(
        ["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True, check=False
    )
    return [int(text) for text in found.stdout.split()]


class Redis:
    """A Redis that can be stopped."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pids(self) -> list[int]:
        assert self.process is not None
        return [self.process.pid]

    def start(self) -> None:
        words = ["--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            ["redis-server", *words], stdout=subprocess.DEVNULL, cwd=Path("/tmp")
        )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def postgres_tools() -> Path | None:
    """Where the programs of PostgreSQL lie."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        return folder
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


class Postgres:
    """A PostgreSQL with a folder of its own. It does not run for root, so root lends it a user."""

    def __init__(self, folder: Path) -> None:
        self.port, self._data = free_port(), folder / "data"
        tools = postgres_tools()
        assert tools is not None
        self._tools = tools
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            folder.chmod(0o755)
            shutil.chown(folder, self._user)
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-D", str(self._data))
        with (self._data / "postgresql.conf").open("a") as conf:
            conf.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\n"
                f"unix_socket_directories = '{folder}'\nmax_connections = 50\n"
                "shared_buffers = 16MB\nlogging_collector = off\n"
            )

    @classmethod
    @contextlib.contextmanager
    def running(cls) -> Iterator["Postgres"]:
        with tempfile.TemporaryDirectory(prefix="kibitz-pg-") as folder:
            own = cls(Path(folder))
            own.start()
            try:
                yield own
            finally:
                with contextlib.suppress(subprocess.CalledProcessError):  # it may not run
                    own.stop("immediate")

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [str(self._tools / program), *words], user=self._user, cwd="/", check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def url(self, port: int | None = None) -> str:
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/postgres"

    def start(self) -> None:
        self._run("pg_ctl", "start", "-w", "-D", str(self._data), "-l", "/dev/null")

    def stop(self, mode: str) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", mode, "-D", str(self._data))

    @property
    def pids(self) -> list[int]:
        """The first process, and those that it has begun."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        return [first, *children(first)]

    def kill(self) -> None:
        """All its processes at once, as when the power fails."""
        pids = self.pids
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + START_SECONDS
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            assert time.monotonic() < deadline
            time.sleep(0.02)


class Proxy:
    """Passes bytes on to a port, until it is cut: then nothing gets through, and nothing breaks."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._uncut = threading.Event()
        self._uncut.set()
        self._cuts, self._closed = 0, False
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._server.getsockname()[1]
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Whoever is connected hears nothing any more, nor does who comes."""
        self._uncut.clear()
        self._cuts += 1

    def mend(self) -> None:
        """New connections get through; the old ones stay silent."""
        self._uncut.set()

    def close(self) -> None:
        self._closed = True
        self._uncut.set()
        for end in (self._server, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._server.accept()
                self._ends.append(near)
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        self._uncut.wait()
        if self._closed:
            return
        try:
            far = socket.create_connection(("127.0.0.1", self._to))
        except OSError:
            near.close()
            self._ends.remove(near)
            return
        self._ends.append(far)
        cuts = self._cuts
        back = threading.Thread(target=self._pipe, args=(far, near, cuts), daemon=True)
        back.start()
        self._pipe(near, far, cuts)
        back.join()
        for end in (near, far):
            end.close()
            self._ends.remove(end)

    def _pipe(self, source: socket.socket, sink: socket.socket, cuts: int) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if cuts == self._cuts:
                    sink.sendall(data)
        if cuts == self._cuts:
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_RDWR)
