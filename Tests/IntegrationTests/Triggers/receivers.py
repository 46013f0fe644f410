# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Receivers for the actions of triggers: what comes is appended to a file, as one JSON object a line.

receivers.py smtp PORT FILE [REFUSED...]   a mail server, which refuses some recipients
receivers.py http PORT FILE [USER:PASSWORD] a server for POST
"""

import base64
import json
import socketserver
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

kind, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rest = sys.argv[4:]


def keep(value):
    with open(path, "a") as file:
        file.write(json.dumps(value) + "\n")


class Mail(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say("220 test")
        sender, recipients = None, []
        while line := self.rfile.readline():
            words = line.decode().strip()
            verb = words.upper()
            if verb.startswith(("EHLO", "HELO")):
                self.say("250 test")
            elif verb.startswith("MAIL FROM:"):
                sender = words[10:].strip("<>")
                self.say("250 ok")
            elif verb.startswith("RCPT TO:"):
                recipient = words[8:].strip("<>")
                if recipient in rest:
                    self.say("550 no such user")
                else:
                    recipients.append(recipient)
                    self.say("250 ok")
            elif verb == "DATA":
                self.say("354 go on")
                message = b""
                while (part := self.rfile.readline()) not in (b".\r\n", b""):
                    message += part[1:] if part.startswith(b".") else part
                keep({"from": sender, "to": recipients, "message": message.decode()})
                self.say("250 ok")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        wanted = "Basic " + base64.b64encode(rest[0].encode()).decode() if rest else None
        isAllowed = self.headers.get("Authorization") == wanted
        keep({"allowed": isAllowed, "path": self.path, "key": self.headers["Idempotency-Key"],
              "type": self.headers["Content-Type"], "body": body})
        self.send_response(204 if isAllowed else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True


if kind == "smtp":
    Server(("127.0.0.1", port), Mail).serve_forever()
else:
    ThreadingHTTPServer(("127.0.0.1", port), Hook).serve_forever()
