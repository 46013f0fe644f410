# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Tries the Python client on a scripted daemon of its own: ends, noise, numbers, and watches over restarts."""

import asyncio
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import socket
import tempfile
import threading
import unittest
from decimal import Decimal
from unittest import mock

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
            with contextlib.suppress(OSError), connection, connection.makefile("rb") as lines:
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

    def test_a_purpose_is_told_with_each_connection(self):
        daemon = self.daemon([[result(1, {})], [result(2, {})], []], [[result(4, {})], [result(5, {"total": 4})]])
        client = self.client(daemon, purpose="audit")
        client.ping()
        self.assertEqual(client.count("units")["total"], 4)
        self.assertEqual([r["method"] for r in daemon.requests], ["hello", "ping", "count", "hello", "count"])
        self.assertEqual(daemon.requests[3]["params"], {"purpose": "audit"})

    def test_a_method_that_reads_is_asked_again_on_the_first_connection_too_but_only_once(self):
        daemon = self.daemon([[]], [[result(2, {"total": 4})]], [[]], [[]], [[result(5, {})]])
        self.assertEqual(self.client(daemon).count("units")["total"], 4)
        with self.assertRaises(claimsd.Disconnected):
            self.client(daemon).count("units")
        self.assertEqual(len(daemon.requests), 4)

    def test_a_whole_file_is_compared_with_its_hash(self):
        def part(data, **members):
            text = base64.b64encode(data).decode()
            return {"data": text, "size": 3, "eof": True, "type": "image/png", "name": "a", **members}

        parts = [part(b"abc"), part(b"abd"), part(b"ab"), part(b"ab", eof=False), part(b"c")]
        daemon = self.daemon([[result(number + 1, value)] for number, value in enumerate(parts)])
        client = self.client(daemon)
        digest = hashlib.sha256(b"abc").hexdigest()
        self.assertEqual(client.fetch_attachment("papers", 7, digest)["size"], 3)
        for _ in range(2):
            with self.assertRaisesRegex(claimsd.Error, "another content"):
                client.fetch_attachment("papers", 7, digest)
        self.assertFalse(client.fetch_attachment("papers", 7, digest)["eof"])
        self.assertTrue(client.fetch_attachment("papers", 7, digest, offset=2)["eof"])

    def test_a_file_in_parts_is_compared_with_its_hash_once_the_last_has_come(self):
        def part(data, **members):
            text = base64.b64encode(data).decode()
            return {"data": text, "size": 3, "eof": False, "type": "image/png", "name": "a", **members}

        ends = [(b"c", False), (b"d", True), (b"", True)]
        for end, is_wrong in ends:
            daemon = self.daemon([[result(1, part(b"a"))], [result(2, part(b"b"))], [result(3, part(end, eof=True))]])
            client = self.client(daemon)
            digest = hashlib.sha256(b"abc").hexdigest()
            for offset in (0, 1):
                client.fetch_attachment("papers", 7, digest, offset=offset)
            with self.assertRaisesRegex(claimsd.Error, "another content") if is_wrong else contextlib.nullcontext():
                client.fetch_attachment("papers", "7", digest.upper(), offset=2)

    def test_a_stream_that_was_cut_off_is_not_asked_again(self):
        part = {"method": "records", "params": {"request": 1, "records": [{"id": "1"}]}}
        daemon = self.daemon([[part]], [[result(2, {"total": 0})]])
        with self.assertRaises(claimsd.Disconnected):
            self.client(daemon).search("units", stream=True)

    def test_the_socket_is_found_as_claimsctl_finds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            own = os.path.join(folder, "claimsd", "claimsd.sock")
            self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": folder}), "/run/claimsd/claimsd.sock")
            os.mkdir(os.path.dirname(own))
            open(own, "w").close()
            self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": folder}), own)
            self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": folder, "CLAIMSD_SOCKET": "/s"}), "/s")
            self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": ""}), "/run/claimsd/claimsd.sock")
            # Where others can enter, the socket could be anybody's.
            os.chmod(folder, 0o755)
            self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": folder}), "/run/claimsd/claimsd.sock")
            os.chmod(folder, 0o700)
            if os.geteuid() == 0:
                os.chown(folder, 65534, -1)
                self.assertEqual(claimsd.socket_path({"XDG_RUNTIME_DIR": folder}), "/run/claimsd/claimsd.sock")

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

    def test_a_number_that_neither_int_nor_decimal_can_hold_costs_no_page(self):
        digits, exponent = "7" * 5000, "1e-99999999999999999999"
        line = f'{{"id":1,"result":{{"records":[{{"id":"1","n":{digits},"d":{exponent},"j":[{exponent}]}}]}}}}\n'
        record = self.client(self.daemon([[line.encode()]])).search("claims")["records"][0]
        self.assertEqual(record["n"], Decimal(digits))
        self.assertEqual((record["d"], record["j"]), (exponent, [exponent]))

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

    def test_the_timeout_is_for_the_whole_call_whatever_comes_meanwhile(self):
        def endless(chunk):
            while True:
                yield chunk

        async def asked(path):
            async with claimsd.AsyncClient(path, timeout=0.1) as client:
                await client.ping()

        async def watched(path):
            async for _ in claimsd.AsyncClient(path, timeout=0.1).watch("units"):
                pass

        progress = {"method": "progress", "params": {"request": 1}}
        records = {"method": "records", "params": {"request": 1, "records": []}}
        for chunk in (b" ", progress, records, result(4711, {})):
            with self.subTest(chunk), contextlib.suppress(OSError):
                daemon = self.daemon(*[[endless(chunk)]] * 4)
                with self.assertRaises(claimsd.TimedOut):
                    self.client(daemon, timeout=0.1).ping()
                with self.assertRaises(claimsd.TimedOut):
                    asyncio.run(asked(daemon.path))
                with self.assertRaises(claimsd.TimedOut):
                    next(self.client(daemon, timeout=0.1).watch("units"))
                with self.assertRaises(claimsd.TimedOut):
                    asyncio.run(watched(daemon.path))

    def test_the_wait_for_another_call_is_part_of_the_timeout(self):
        client = self.client(self.daemon([[], []]), timeout=5)
        client._lock.acquire()
        client.timeout = 0.05
        with self.assertRaises(claimsd.TimedOut):
            client.ping()
        client._lock.release()

        async def asked():
            client = claimsd.AsyncClient("none", timeout=0.05)
            async with client._lock:
                await client.ping()

        with self.assertRaises(claimsd.TimedOut):
            asyncio.run(asked())

    def test_a_call_whose_time_is_over_does_not_wait_for_ssh(self):
        async def asked():
            await claimsd.AsyncClient(host="depot", timeout=0.3).ping()

        with self.host("trap '' TERM; echo '{}'; while :; do sleep 60; done") as client:
            client.timeout = 0.3
            with mock.patch.object(claimsd, "_ways_to_end", wraps=claimsd._ways_to_end) as ways:
                with self.assertRaises(claimsd.TimedOut):
                    client.ping()
                with self.assertRaises(claimsd.TimedOut):
                    asyncio.run(asked())
            self.assertEqual([call.args[2] for call in ways.call_args_list], [True, True])

    def test_what_is_no_answer_of_the_protocol_is_an_error_of_this_module(self):
        def first(client):
            return next(client.watch("units"))

        def fetched(client):
            return client.fetch_attachment("papers", 7, "0" * 64)

        part = {"data": "", "size": 0, "eof": True}
        cases = [
            (claimsd.Client.ping, [
                [], 7, None, "x", result(1, 7), result(1, None), {"id": 1, "error": 7}, {"id": 1, "error": {"data": 7}},
                {"id": 1}, {"id": 1, "error": {}}, {"id": 1, "error": {"message": "no", "data": {"kind": 7}}},
                {"id": 1, "error": {"message": "no", "data": []}}, {"id": 1, "error": {"data": {"kind": "busy"}}},
                {"method": "records", "params": 7}, {"method": "records", "params": {"request": 1, "records": 7}},
                {"method": "records", "params": {"request": 1, "records": [7]}}, b"[" * 100000 + b"\n",
            ]),
            (lambda client: list(client.records("units")), [
                result(1, {}), result(1, {"records": 7}), result(1, {"records": [7]}),
                result(1, {"records": [], "next": 7}), result(1, {"records": [], "next": ""}),
            ]),
            (fetched, [
                result(1, {}), result(1, {**part, "data": 7}), result(1, {**part, "data": "!"}),
                result(1, {**part, "size": "0"}), result(1, {**part, "eof": 1}),
            ]),
            (first, [
                {"method": "event"}, {"method": "event", "params": 7}, event(7), event("ended"), event("ended", error=7),
                event("fresh_instance"), event("changes"), event("changes", changes=[7]),
                event("changes", changes=[{"op": "meta"}]), event("synced", clock=7), result(1, 7),
                event("changes", changes=[], complete=True), event("changes", changes=[], complete="x", clock="e.1-x"),
                result(1, {"clock": 7}),
            ]),
        ]
        for call, answers in cases:
            for answer in answers:
                with self.subTest(answer), self.assertRaises(claimsd.Error) as raised:
                    call(self.client(self.daemon([[answer]]), timeout=5))
                self.assertNotIsInstance(raised.exception, (claimsd.TimedOut, claimsd.Disconnected))

    def test_records_go_over_all_pages(self):
        daemon = self.daemon([[result(1, {"records": [{"id": "1"}], "next": "c"})], [result(2, {"records": [{"id": "2"}]})]])
        self.assertEqual([r["id"] for r in self.client(daemon).records("units", "a=1")], ["1", "2"])
        self.assertEqual(daemon.requests[1]["params"]["cursor"], "c")

    def test_a_cursor_that_leads_to_its_own_page_is_no_answer(self):
        page = {"records": [{"id": "1"}], "next": "c"}
        daemon = self.daemon([[result(1, page)], [result(2, page)]])
        with self.assertRaisesRegex(claimsd.Error, "next"):
            list(self.client(daemon, timeout=5).records("units"))

    def test_records_from_an_anchor_go_on_with_the_cursor_alone(self):
        async def gathered(path):
            async with claimsd.AsyncClient(path) as client:
                return [record["id"] async for record in client.records("units", anchor={"rank": 3})]

        def told(daemon):
            return [request["params"].get("anchor") for request in daemon.requests]

        pages = [[result(1, {"records": [{"id": "1"}], "next": "c"})], [result(2, {"records": [{"id": "2"}]})]]
        one, other = self.daemon(pages), self.daemon(pages)
        records = self.client(one).records("units", anchor={"rank": 3})
        self.assertEqual([record["id"] for record in records], ["1", "2"])
        self.assertEqual(asyncio.run(gathered(other.path)), ["1", "2"])
        self.assertEqual([told(one), told(other)], [[{"rank": 3}, None]] * 2)

    def test_a_stream_is_gathered(self):
        part = {"method": "records", "params": {"request": 1, "records": [{"id": "1"}]}}
        daemon = self.daemon([[part, part, result(1, {"total": 2})]])
        self.assertEqual(len(self.client(daemon).search("units", stream=True)["records"]), 2)

    def test_each_host_of_the_table_that_claimsctl_shares_is_read_as_it_says(self):
        table = json.loads((pathlib.Path(__file__).parent / "hosts.json").read_text())
        self.assertGreater(len(table), 40)
        for entry in table:
            with self.subTest(entry["host"]):
                if "arguments" in entry:
                    command = ["ssh", "-xT", *entry["arguments"], "claimsctl", "stdio"]
                    self.assertEqual(claimsd._ssh_command(entry["host"]), command)
                else:
                    with self.assertRaises(ValueError):
                        claimsd.Client(host=entry["host"])

    @contextlib.contextmanager
    def host(self, script):
        """A client of a host that a script reaches in the place of ssh."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "ssh")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        with mock.patch.dict(os.environ, CLAIMSCTL_SSH=path):
            yield claimsd.Client(host="depot")

    def test_a_host_is_asked_without_the_path_of_the_socket_here(self):
        script = """read line; echo '{"id":1,"result":{"path":"'"$CLAIMSD_SOCKET"'","words":"'"$*"'"}}'"""
        with mock.patch.dict(os.environ, CLAIMSD_SOCKET="/here"):
            with self.host(script) as client, client:
                words = "-xT -- depot claimsctl stdio"
                self.assertEqual(client.ping(), {"path": "", "words": words})

    def test_a_host_that_cannot_be_reached_says_why_and_has_done_nothing(self):
        for code, reason in ((255, "ssh failed"), (127, "no claimsctl there"), (4, "no daemon there")):
            with self.host(f"echo so it is >&2; exit {code}") as client:
                with self.assertRaisesRegex(claimsd.Unreachable, f"{reason}.*so it is"):
                    client.forget("boats")

                async def run():
                    async with claimsd.AsyncClient(host="depot") as client:
                        await client.forget("boats")

                with self.assertRaisesRegex(claimsd.Unreachable, f"{reason}.*so it is"):
                    asyncio.run(run())

    def test_a_host_that_is_lost_may_have_done_it(self):
        script = """read line; echo '{"id":1,"result":{}}'; read line; exit 255"""
        with self.host(script) as client:
            with self.assertRaisesRegex(claimsd.Disconnected, "may have been done"):
                client.forget("boats")

    def test_a_line_of_a_login_script_is_shown(self):
        with self.host("echo Welcome to depot; cat >/dev/null") as client:
            with self.assertRaisesRegex(claimsd.Error, "Welcome to depot"):
                client.ping()

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

    def test_a_watch_tells_its_purpose_first(self):
        synced = event("synced", total=0, clock="e.1-x", meta={})
        daemon = self.daemon([[result(0, {})], [result(1, {"subscription": 1}), synced]])
        next(self.client(daemon, purpose="audit").watch("units"))
        self.assertEqual([r["method"] for r in daemon.requests], ["hello", "subscribe"])
        refusal = {"id": 0, "error": {"code": 1, "message": "no purpose", "data": {"kind": "bad_params"}}}
        client = self.client(self.daemon([[refusal], []]), purpose="audit")
        with self.assertRaises(claimsd.Refused):
            next(client.watch("units"))

    def test_a_watch_that_was_cut_off_within_a_commit_begins_with_the_set(self):
        updated = {"op": "updated", "id": "1", "cause": "refresh", "record": {"id": "1"}}
        daemon = self.daemon(
            [[result(1, {"subscription": 1}), event("fresh_instance", reason="start"), event("synced", total=0, clock="e.1-x"),
              event("changes", changes=[updated])]],
            [[result(1, {"subscription": 1}), event("fresh_instance", reason="start"), event("synced", total=0, clock="e.3-x")]])
        events = self.watched(daemon, 5)
        self.assertTrue(events[3].fresh)
        self.assertEqual(daemon.requests[1]["params"], {"collection": "units", "archived": "exclude", "initial": True})

    def test_a_watch_raises_what_the_daemon_refuses(self):
        daemon = self.daemon([[{"id": 1, "error": {"message": "no", "data": {"kind": "unknown_collection"}}}]])
        with self.assertRaises(claimsd.Refused):
            next(self.client(daemon).watch("boats"))

    def test_a_watch_that_lagged_connects_again_at_once(self):
        lagging = [[result(1, {"subscription": 1, "clock": "e.1-x"}), event("lagged", clock="e.1-x")], []]
        following = [[result(1, {"subscription": 1}), event("heartbeat", clock="e.2-x", meta={})]]

        async def first(client):
            async for event in client.watch("units"):
                return event.clock

        with mock.patch.object(claimsd, "MAX_SILENCE", 5):
            daemon = self.daemon(lagging, following)
            with mock.patch("time.sleep") as sleep:
                self.assertEqual(next(self.client(daemon).watch("units")).clock, "e.2-x")
            self.assertEqual([call.args for call in sleep.call_args_list], [(0,)])
            self.assertEqual(daemon.requests[1]["params"]["since"], "e.1-x")
            daemon = self.daemon(lagging, following)
            with mock.patch("asyncio.sleep") as sleep:
                self.assertEqual(asyncio.run(first(claimsd.AsyncClient(daemon.path))), "e.2-x")
            self.assertEqual([call.args for call in sleep.call_args_list], [(0,)])

    def test_a_watch_takes_archived_records_and_a_time_zone(self):
        daemon = self.daemon([[result(1, {"subscription": 1}), event("synced", total=0, clock="e.1-x")]])
        next(self.client(daemon).watch("units", archived="include", time_zone="Europe/Warsaw", initial=True))
        self.assertEqual(daemon.requests[0]["params"], {
            "collection": "units", "archived": "include", "time_zone": "Europe/Warsaw", "initial": True})

    def test_a_watch_of_a_host_that_cannot_be_reached_raises(self):
        async def first(client):
            async for event in client.watch("units"):
                return event

        with self.host("echo so it is >&2; exit 255") as client:
            with self.assertRaisesRegex(claimsd.Unreachable, "ssh failed.*so it is"):
                next(client.watch("units"))
            with self.assertRaisesRegex(claimsd.Unreachable, "ssh failed.*so it is"):
                asyncio.run(first(claimsd.AsyncClient(host="depot")))

    def test_a_watch_without_a_daemon_at_its_start_raises(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(claimsd.Unreachable):
            next(claimsd.Client(os.path.join(folder, "none")).watch("units"))

    def test_a_watch_whose_first_connection_ends_or_is_refused_raises(self):
        async def first(path):
            async for event in claimsd.AsyncClient(path, timeout=5).watch("units"):
                return event

        busy = {"id": None, "error": {"code": 1429, "message": "full", "data": {"kind": "busy", "retry_after_ms": 1}}}
        for script, error in (([[b""]], claimsd.Disconnected), ([[b""], [b""]], claimsd.Disconnected),
                              ([[busy]], claimsd.Refused)):
            with self.subTest(error):
                daemon = self.daemon(script[:1], script[:1])
                with self.assertRaises(error) as raised:
                    next(self.client(daemon, timeout=5).watch("units"))
                self.assertRegex(str(raised.exception), "^(the connection ended before the answer to subscribe|busy: full)$")
                with self.assertRaises(error):
                    asyncio.run(first(daemon.path))

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
