# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Speaks TLS on a port of the loopback, and passes what it says on to a plain port. Ends when its input ends.

arguments: PORT CERTIFICATE KEY AUTHORITY MODE
    AUTHORITY   of the clients' certificates; empty if none is asked for
    MODE        refuse: a client without a certificate is told so; hang_up: its connection just ends
Prints the port that it listens on, and then a line for each connection: the client's name, "-" without a
certificate, "?" where no connection came about.
"""

import os
import socket
import ssl
import sys
import threading


def pump(source: socket.socket, target: socket.socket) -> None:
    """Copies bytes until either side ends, and ends the other one's writing."""
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def name(peer: ssl.SSLSocket) -> str:
    """The common name of the client's certificate."""
    certificate = peer.getpeercert() or {}
    return next((value for part in certificate.get("subject", ()) for key, value in part if key == "commonName"), "-")


def drain(peer: ssl.SSLSocket) -> None:
    """Ends a connection when the client has read the alert: unread bytes at its end would reset the connection."""
    with peer:
        try:
            peer.settimeout(10)
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(1 << 16):
                pass
        except OSError:
            pass


def serve(raw: socket.socket, context: ssl.SSLContext, port: int, hangs_up: bool) -> None:
    """Serves one connection."""
    peer = context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False)
    try:
        peer.do_handshake()
    except OSError:
        print("?", flush=True)
        drain(peer)
        return
    client = name(peer)
    print(client, flush=True)
    if hangs_up and client == "-":
        peer.close()
        return
    with peer, socket.create_connection(("127.0.0.1", port)) as plain:
        back = threading.Thread(target=pump, args=(plain, peer), daemon=True)
        back.start()
        pump(peer, plain)
        back.join()


def wait_for_end() -> None:
    """Ends the process when its input ends."""
    while os.read(0, 4096):
        pass
    os._exit(0)


def main() -> None:
    """Accepts connections, each on a thread of its own."""
    port, certificate, key, authority, mode = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if authority:
        context.load_verify_locations(authority)
        context.verify_mode = ssl.CERT_OPTIONAL if mode == "hang_up" else ssl.CERT_REQUIRED
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    threading.Thread(target=wait_for_end, daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    while True:
        raw, _ = listener.accept()
        threading.Thread(target=serve, args=(raw, context, int(port), mode == "hang_up"), daemon=True).start()


main()
