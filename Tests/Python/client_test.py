# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Tries the Python client on a scripted daemon of its own: ends, noise, numbers, and watches over restarts."""

import asyncio
import json
import os
import socket
import tempfile
import threading
import unittest
from decimal import Decimal

import claimsd


class Daemon:
    """Answers the connections one after the other as `scripts` say; each gets the requests' lines and yields answers."""

    def __init__(self, *scripts):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "s")
        self.requests = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.run, args=(scripts,), daemon=True)
        self.thread.start()

    def run(self, scripts):
        for script in scripts:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rb") as lines:
                for answers in script:
                    line = lines.readline()
                    if not line:
                        break
                    self.requests.append(json.loads(line))
                    for answer in answers:
                        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode() + b"\n"
                        connection.sendall(data)

    def close(self):
        self.listener.close()
        self.folder.cleanup()


def result(number, value):
    return {"id": number, "result": value}


def event(kind, **members):
    return {"method": "event", "params": {"subscription": 1, "type": kind, **members}}


class ClientTest(unittest.TestCase):
    def daemon(self, *scripts):
        daemon = Daemon(*scripts)
        self.addCleanup(daemon.close)
        return daemon

    def client(self, daemon, **options):
        client = claimsd.Client(daemon.path, **options)
        self.addCleanup(client.close)
        return client

    def test_a_method_that_reads_is_asked_once_more_on_a_new_connection(self):
        daemon = self.daemon([[result(1, {})], []], [[result(3, {"total": 4})]])
        client = self.client(daemon)
        client.ping()
        self.assertEqual(client.count("units")["total"], 4)

    def test_a_method_that_changes_something_is_never_asked_again(self):
        daemon = self.daemon([[result(1, {})], []], [[result(3, {})]])
        client = self.client(daemon)
        client.ping()
        with self.assertRaisesRegex(claimsd.Disconnected, "may have been done"):
            client.archive("units", ids=["1"])
        self.assertEqual([r["method"] for r in daemon.requests], ["ping", "archive"])

    def test_a_connection_that_ends_within_an_answer_is_not_tried_again(self):
        daemon = self.daemon([[result(1, {})], [b'{"id":2,"resu']])
        client = self.client(daemon)
        client.ping()
        with self.assertRaises(claimsd.Disconnected):
            client.count("units")

    def test_numbers_keep_every_digit_and_ids_are_text(self):
        line = b'{"id":1,"result":{"records":[{"id":"1234567890123456789012345","amount":12.340,"n":12345678901234567890}]}}\n'
        record = self.client(self.daemon([[line]])).search("claims")["records"][0]
        self.assertEqual(str(record["amount"]), "12.340")
        self.assertIsInstance(record["amount"], Decimal)
        self.assertEqual(record["n"], 12345678901234567890)
        self.assertEqual(record["id"], "1234567890123456789012345")

    def test_a_refusal_has_kind_message_and_data(self):
        error = {"code": 1400, "message": "no", "data": {"kind": "bad_filter", "position": 3, "hint": "x"}}
        with self.assertRaises(claimsd.Refused) as raised:
            self.client(self.daemon([[{"id": 1, "error": error}]])).count("units", "a")
        self.assertEqual(raised.exception.kind, "bad_filter")
        self.assertEqual(raised.exception.data["position"], 3)

    def test_noise_is_an_error_that_shows_it_and_closes(self):
        with self.assertRaisesRegex(claimsd.Error, "Welcome"):
            self.client(self.daemon([[b"Welcome to depot!\n"]])).ping()

    def test_silence_ends_with_the_timeout(self):
        with self.assertRaises(claimsd.TimedOut):
            self.client(self.daemon([[], []]), timeout=0.05).ping()

    def test_records_go_over_all_pages(self):
        daemon = self.daemon([[result(1, {"records": [{"id": "1"}], "next": "c"})], [result(2, {"records": [{"id": "2"}]})]])
        self.assertEqual([r["id"] for r in self.client(daemon).records("units", "a=1")], ["1", "2"])
        self.assertEqual(daemon.requests[1]["params"]["cursor"], "c")

    def test_a_stream_is_gathered(self):
        part = {"method": "records", "params": {"request": 1, "records": [{"id": "1"}]}}
        daemon = self.daemon([[part, part, result(1, {"total": 2})]])
        self.assertEqual(len(self.client(daemon).search("units", stream=True)["records"]), 2)

    def test_a_host_that_ssh_could_take_for_an_option_is_refused(self):
        for host in ("", "-oProxyCommand=x", "a b", "a\tb", "host:0", "host:x", "host:", "[::1", "[::1]22",
                     "@h", "@h:1:", "user@", "user@-oX"):
            with self.assertRaises(ValueError, msg=host):
                claimsd.Client(host=host)

    def watched(self, daemon, count):
        events = self.client(daemon).watch("units", initial=True)
        return [next(events) for _ in range(count)]

    def test_a_watch_goes_on_from_the_last_complete_clock(self):
        added = {"op": "added", "id": "1", "record": {"id": "1"}}
        daemon = self.daemon(
            [[result(1, {"subscription": 1}), event("fresh_instance", reason="start"), event("changes", changes=[added]),
              event("synced", total=1, clock="e.1-x", meta={})]],
            [[result(1, {"subscription": 1}),
              event("changes", changes=[{"op": "removed", "id": "1"}], complete=True, clock="e.2-x", meta={})]])
        events = self.watched(daemon, 4)
        self.assertEqual([e.fresh for e in events], [True, False, False, False])
        self.assertEqual([e.clock for e in events], [None, None, "e.1-x", "e.2-x"])
        self.assertEqual(daemon.requests[1]["params"]["since"], "e.1-x")

    def test_a_watch_that_was_cut_off_within_a_commit_begins_with_the_set(self):
        updated = {"op": "updated", "id": "1", "cause": "refresh", "record": {"id": "1"}}
        daemon = self.daemon(
            [[result(1, {"subscription": 1}), event("fresh_instance", reason="start"), event("synced", total=0, clock="e.1-x"),
              event("changes", changes=[updated])]],
            [[result(1, {"subscription": 1}), event("fresh_instance", reason="start"), event("synced", total=0, clock="e.3-x")]])
        events = self.watched(daemon, 5)
        self.assertTrue(events[3].fresh)
        self.assertEqual(daemon.requests[1]["params"], {"collection": "units", "initial": True})

    def test_a_watch_raises_what_the_daemon_refuses(self):
        daemon = self.daemon([[{"id": 1, "error": {"message": "no", "data": {"kind": "unknown_collection"}}}]])
        with self.assertRaises(claimsd.Refused):
            next(self.client(daemon).watch("boats"))

    def test_the_client_for_asyncio_does_the_same(self):
        daemon = self.daemon(
            [[result(1, {})], []], [[result(3, {"total": 4})]],
            [[result(1, {"subscription": 1}), event("synced", total=0, clock="e.1-x")]])

        async def run():
            async with claimsd.AsyncClient(daemon.path) as client:
                await client.ping()
                total = (await client.count("units"))["total"]
            async with claimsd.AsyncClient(daemon.path) as client:
                async for event in client.watch("units", initial=True):
                    return total, event.clock

        self.assertEqual(asyncio.run(run()), (4, "e.1-x"))


if __name__ == "__main__":
    unittest.main()
