# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""A wire before the daemon, which passes everything on, notes what is asked, and can take an answer away."""

import json
import os
import socket
import threading
from typing import Any

from stage import SOCKET


class Wire:
    """Stands before the daemon."""

    def __init__(self) -> None:
        # The requests that came, in their order.
        self.requests: list[dict[str, Any]] = []
        # The first answer to a request with these parameters is taken away, and its connection.
        self.wanted: dict[str, Any] | None = None
        self.has_stolen = False
        os.rename(SOCKET, SOCKET + ".real")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(SOCKET)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Leaves the daemon its socket."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.rename(SOCKET + ".real", SOCKET)

    def count(self, method: str) -> int:
        """How often a method was asked."""
        return sum(request["method"] == method for request in self.requests)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            daemon = socket.socket(socket.AF_UNIX)
            daemon.connect(SOCKET + ".real")
            wanted: set[int] = set()
            threading.Thread(target=self._listen, args=(client, daemon, wanted), daemon=True).start()
            threading.Thread(target=self._answer, args=(client, daemon, wanted), daemon=True).start()

    def _listen(self, client: socket.socket, daemon: socket.socket, wanted: set[int]) -> None:
        with client.makefile("rb") as lines:
            for line in lines:
                if line.strip():
                    request = json.loads(line)
                    self.requests.append(request)
                    if self.wanted is not None and self.wanted.items() <= {**request["params"], "method": request["method"]}.items():
                        wanted.add(request["id"])
                daemon.sendall(line)
        daemon.close()

    def _answer(self, client: socket.socket, daemon: socket.socket, wanted: set[int]) -> None:
        with daemon.makefile("rb") as lines:
            for line in lines:
                if not self.has_stolen and json.loads(line).get("id") in wanted:
                    self.has_stolen = True
                    break
                try:
                    client.sendall(line)
                except OSError:
                    return
        client.shutdown(socket.SHUT_RDWR)
