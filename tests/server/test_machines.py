"""What the tests of trouble stand on: it must outlast a thousand kills itself."""

import socket
import threading
import time
from pathlib import Path

from server.machines import Proxy


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def echo(server: socket.socket) -> None:
    """Send back what each comer says, until there is nobody to come."""
    try:
        while True:
            end, _ = server.accept()
            with end:
                end.sendall(end.recv(100))
    except OSError:
        pass


def test_a_proxy_keeps_no_connection_that_has_ended() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=echo, args=(server,), daemon=True).start()
        proxy = Proxy(server.getsockname()[1])
        before = open_files()
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", proxy.port)) as end:
                end.sendall(b"here")
                assert end.recv(100) == b"here"
        until = time.monotonic() + 5
        while open_files() > before and time.monotonic() < until:
            time.sleep(0.01)
        left = open_files() - before
        proxy.close()
        server.shutdown(socket.SHUT_RDWR)
    assert left <= 0
