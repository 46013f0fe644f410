# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The stage of a test: claims-upstream, claimsd and cockpit-ws with its bridge, in folders of their own.

All runs in namespaces of the test's own (see `run`): /run, ports and processes are nobody else's.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("CLAIMSD_BIN", ROOT / ".build/debug"))
SOCKET = "/run/claimsd/claimsd.sock"
DEADLINE = 30.0
SERVERS = next((p for p in map(pathlib.Path, ("/usr/lib/cockpit", "/usr/libexec")) if (p / "cockpit-ws").exists()), pathlib.Path())
PAGE = "/cockpit/@localhost/claims/index.html"


class Stage:
    """Programs of a test, and what they serve."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.port = 0
        self.cockpit_port = 9090
        # The user that cockpit-ws and its bridge run as; None: one's own.
        self.user: int | None = None
        (folder / "config/collections.d").mkdir(parents=True)
        (folder / "upstream").mkdir()
        subprocess.run(
            ["make", "--no-print-directory", "install-web", f"DESTDIR={folder}/installed", f"BIN={BIN}"],
            cwd=ROOT, check=True, stdout=subprocess.DEVNULL)

    def close(self) -> None:
        """Ends all programs."""
        for name in list(self.processes):
            self.stop(name, signal.SIGKILL)

    def start(
        self, name: str, *command: str | pathlib.Path, env: dict[str, str] | None = None, keeps: bool = False,
    ) -> subprocess.Popen[bytes]:
        """Starts a program; its output goes to NAME.log. It keeps the descriptors that may be inherited, if asked to."""
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(env or {})}, cwd=self.folder, close_fds=not keeps)
        self.processes[name] = process
        return process

    def stop(self, name: str, number: int = signal.SIGTERM) -> None:
        """Ends a program by a signal."""
        process = self.processes.pop(name, None)
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.send_signal(number)
        process.wait(DEADLINE)

    def log(self, name: str) -> str:
        """What a program has written."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    # The upstream.

    def upstream(self, *options: str) -> None:
        """Starts the upstream, on the same port each time."""
        mark = len(self.log("upstream"))
        self.start("upstream", BIN / "claims-upstream", "--folder", self.folder / "upstream", "--port", str(self.port), *options)
        words = "listening on 127.0.0.1:"
        text = self.wait(lambda: (lambda log: log if words in log else None)(self.log("upstream")[mark:]), "the upstream")
        self.port = int(text.split(words)[1].split()[0])

    def publish(self, name: str, records: Any) -> None:
        """Gives the upstream a body, in one step."""
        path = self.folder / "upstream" / f"{name}.json"
        new = path.with_suffix(".new")
        new.write_text(records if isinstance(records, str) else json.dumps(records))
        new.rename(path)

    def define(self, name: str, text: str = "") -> None:
        """Says where a collection comes from: from the upstream's file of its name, or as `text` says."""
        source = text or f'{{ source: {{ url: "http://127.0.0.1:{self.port}/{name}.json", interval: "1h" }} }}'
        (self.folder / "config/collections.d" / f"{name}.json5").write_text(source.replace("PORT", str(self.port)))

    # The daemon.

    def daemon(self, *options: str) -> None:
        """Starts claimsd, and waits until it answers."""
        self.start(
            "claimsd", BIN / "claimsd", "--config-dir", self.folder / "config", "--data-dir", ROOT / "Config",
            "--cache-dir", self.folder / "cache", "--state-dir", self.folder / "state", "--socket", SOCKET, *options)
        self.wait(lambda: self.try_ask("ping") is not None, "claimsd")

    def reload(self) -> None:
        """Has the daemon read its configuration again."""
        self.processes["claimsd"].send_signal(signal.SIGHUP)

    def try_ask(self, method: str, **params: Any) -> dict[str, Any] | None:
        """Asks the daemon; None if it does not answer."""
        try:
            return self.ask(method, **params)
        except (OSError, ValueError):
            return None

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Asks the daemon beside the page."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(DEADLINE)
            connection.connect(SOCKET)
            connection.sendall(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
            with connection.makefile("rb") as answers:
                for text in answers:
                    answer = json.loads(text)
                    if answer.get("id") == 1:
                        if "error" in answer:
                            raise AssertionError(f"{method}: {answer['error']}")
                        result: dict[str, Any] = answer["result"]
                        return result
        raise OSError("the daemon closed the connection")

    def refresh(self, collection: str, **params: Any) -> dict[str, Any]:
        """Has the daemon fetch a collection, and waits for the outcome."""
        return self.ask("refresh", collection=collection, wait=True, force=True, **params)

    # Cockpit.

    def cockpit(self, settings: str = "") -> str:
        """Starts cockpit-ws, which serves one session without a login, and gives the address of the page."""
        return self._cockpit(settings, [f"--local-session={shutil.which('cockpit-bridge')}"])

    def cockpit_with_logins(self, settings: str = "") -> str:
        """Starts cockpit-ws, which asks for a login; the settings go to /etc, which must be the test's own."""
        os.makedirs("/etc/cockpit", exist_ok=True)
        data = f"XDG_DATA_DIRS={self.folder}/installed/usr/share:/usr/share\n"
        pathlib.Path("/etc/environment").write_text(data)
        pathlib.Path("/etc/cockpit/cockpit.conf").write_text(settings)
        for path in (self.folder, *self.folder.parents):
            path.chmod(path.stat().st_mode | 0o055)
        # Cockpit 337 leaves it to systemd to start what asks PAM, for each connection.
        path = pathlib.Path("/run/cockpit/session")
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        sessions = self._listener(path)

        def make_sessions() -> None:
            while True:
                client, _ = sessions.accept()
                with client:
                    subprocess.Popen([SERVERS / "cockpit-session"], stdin=client, stdout=client)

        threading.Thread(target=make_sessions, daemon=True).start()
        return self._cockpit(settings, [])

    def cockpit_over_https(self, settings: str = "") -> str:
        """Starts cockpit-tls before a cockpit-ws without a login, as systemd's units do, and gives the address of the page."""
        run = pathlib.Path("/run/cockpit")
        sockets = run / "wsinstance"
        (run / "tls/server").mkdir(parents=True, exist_ok=True)
        sockets.mkdir(exist_ok=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
             "-keyout", run / "tls/server/key", "-out", run / "tls/server/cert"], check=True, capture_output=True)
        for name in ("http.sock", "https-factory.sock"):
            (sockets / name).unlink(missing_ok=True)
        factory = self._listener(sockets / "https-factory.sock")

        def make_instances() -> None:
            """Starts the cockpit-ws that is asked for by its name, once, and answers when its socket is there."""
            while True:
                try:
                    client, _ = factory.accept()
                except OSError:
                    return
                path = sockets / f"https@{client.recv(64).decode()}.sock"
                if not path.exists():
                    self._serve(settings, [f"--local-session={shutil.which('cockpit-bridge')}", "--for-tls-proxy"], path)
                client.sendall(b"done")
                client.close()

        threading.Thread(target=make_instances, daemon=True).start()
        self.cockpit_port += 1
        self.start("tls", SERVERS / "cockpit-tls", f"--port={self.cockpit_port}", env={"RUNTIME_DIRECTORY": str(run / "tls")})
        self.wait(lambda: self._listens(self.cockpit_port), "cockpit-tls")
        return f"https://127.0.0.1:{self.cockpit_port}{PAGE}"

    @staticmethod
    def _listener(path: pathlib.Path) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        return listener

    def _cockpit(self, settings: str, options: list[str]) -> str:
        self.stop("cockpit")
        self.cockpit_port += 1
        self._serve(settings, ["--no-tls", "--address=127.0.0.1", f"--port={self.cockpit_port}", *options])
        self.wait(lambda: self._listens(self.cockpit_port), "cockpit-ws")
        return f"http://127.0.0.1:{self.cockpit_port}{PAGE}"

    def _serve(self, settings: str, options: list[str], path: pathlib.Path | None = None) -> None:
        """Starts cockpit-ws, with a socket at the path if there is one."""
        home = self.folder / "home"
        (home / "etc/cockpit").mkdir(parents=True, exist_ok=True)
        (home / "etc/cockpit/cockpit.conf").write_text(settings)
        user = ["setpriv", f"--reuid={self.user}", "--clear-groups"] if self.user is not None else []
        for parent in (self.folder, *self.folder.parents) if user else ():
            parent.chmod(parent.stat().st_mode | 0o055)
        command: list[str | pathlib.Path] = [*user, SERVERS / "cockpit-ws", *options]
        if path is not None:
            # As systemd hands it over: descriptor 3, told by two variables.
            listener = self._listener(path)
            os.set_inheritable(listener.fileno(), True)
            hand = f'exec 3<&{listener.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
            command = ["sh", "-c", hand, "sh", *command]
        self.start("cockpit", *command, keeps=path is not None, env={
            "HOME": str(home), "XDG_DATA_DIRS": f"{self.folder}/installed/usr/share:/usr/share",
            "XDG_DATA_HOME": str(home), "XDG_CONFIG_DIRS": f"{home}/etc", "XDG_RUNTIME_DIR": str(home),
            "SSH_AUTH_SOCK": "/dev/null", "USER": "root", "SHELL": "/bin/sh",
        })

    @staticmethod
    def _listens(port: int) -> bool:
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", port)) == 0

    def wait(self, condition: Any, name: str) -> Any:
        """Waits until a condition holds."""
        end = time.monotonic() + DEADLINE
        while not (found := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"{name} did not come; logs:\n" + "\n".join(
                    f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}" for log in self.folder.glob("*.log")))
            time.sleep(0.02)
        return found
