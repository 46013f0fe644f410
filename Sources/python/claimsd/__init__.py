# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Asks claimsd, the daemon that keeps collections of remote records on this host.

    from claimsd import Client

    with Client() as client:
        for record in client.records("units", "status!=ok"):
            print(record["id"], record.get("name"))

`Client` is for one thread at a time; a second one waits. `AsyncClient` has the same methods for asyncio. Each method of
the protocol is a method here; claimsd-protocol(7) describes them. The file needs Python 3.11 and nothing else, and may
be copied.

Integers are int, decimals decimal.Decimal with the digits they came with, ids and instants str. An integer of more
digits than `sys.get_int_max_str_digits()` is a Decimal, and a number whose exponent no Decimal can have is a str.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import stat
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict, TypeVar, cast

if TYPE_CHECKING:
    import asyncio
    import subprocess

__all__ = [
    "AsyncClient", "Client", "Disconnected", "Error", "Event", "Refused", "TimedOut", "Unreachable",
]

_T = TypeVar("_T")
Record = dict[str, Any]
Filter = str | list[Any]

#: The longest answer that is taken, in bytes. The daemon ends a page before that.
MAX_ANSWER = 16 * 1024 * 1024 + 64 * 1024
#: How long `watch` waits for a line before it connects again. The daemon says something every 30 s.
MAX_SILENCE = 90.0
#: The shortest and the longest pause of `watch` between two attempts to connect.
MIN_PAUSE, MAX_PAUSE = 0.25, 30.0
#: The methods that only read. They are asked once more where a connection ends before the first byte of the answer.
# generated: reading methods
READING = frozenset({
    "hello", "describe", "ping", "status", "search", "sort", "count", "facets", "detail", "history", "explain",
    "fetch_attachment", "refreshes", "changes", "try", "deal", "access", "fleet",
})
# end


class Error(Exception):
    """Each error of this module."""


class Refused(Error):
    """The daemon refused a request. `kind` is for programs, `message` for people, `data` has the rest."""

    def __init__(self, kind: str, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(f"{kind}: {message}" + (f" ({data['hint']})" if data.get("hint") else ""))
        self.kind = kind
        self.message = message
        self.data = dict(data)


class Unreachable(Error):
    """There is no daemon at the socket, or no way to the host. Nothing was sent."""


class Disconnected(Error):
    """The connection ended before the answer came. A request that changes something may have been done."""

    #: Whether no byte of an answer had come.
    _is_unanswered = False


class TimedOut(Error):
    """No answer came within the client's `timeout`. A request that changes something may have been done."""


class Event:
    """What `watch` yields: a change of the set, or a part of one.

    `added`, `updated` and `removed` hold the entries of the feed. With `fresh` the set begins anew for `reason`: drop
    what you hold. `clock` is given with `complete`: the set that you hold then is the one of that clock, and
    `watch(…, since=clock)` goes on from there.
    """

    __slots__ = ("added", "cause", "clock", "complete", "fresh", "meta", "reason", "removed", "updated")

    def __init__(self, clock: str | None = None, meta: Mapping[str, Any] | None = None) -> None:
        self.added: list[Record] = []
        self.updated: list[Record] = []
        self.removed: list[Record] = []
        self.clock = clock
        self.complete = False
        self.fresh = False
        self.reason: str | None = None
        self.cause: str | None = None
        self.meta = meta

    def __repr__(self) -> str:
        return "Event(" + ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__) + ")"


def socket_path(environment: Mapping[str, str] = os.environ) -> str:
    """The path of the daemon's socket, found as claimsctl finds it."""
    if path := environment.get("CLAIMSD_SOCKET"):
        return path
    folder = environment.get("XDG_RUNTIME_DIR", "")
    own = folder + "/claimsd/claimsd.sock"
    return own if _is_private(folder) and os.path.exists(own) else "/run/claimsd/claimsd.sock"


def _is_private(folder: str) -> bool:
    """Whether it is an absolute path of a folder of this user that nobody else can enter (0700)."""
    try:
        found = os.stat(folder)
    except (OSError, ValueError):
        return False
    is_folder = folder.startswith("/") and stat.S_ISDIR(found.st_mode)
    return is_folder and found.st_uid == os.geteuid() and found.st_mode & 0o777 == 0o700


def _ssh_command(host: str) -> list[str]:
    """The command that reaches claimsd on another host: [user@]host[:port], [::1]:22 for IPv6."""
    if not host or host.startswith("-") or any(c.isspace() or c < " " or "\x7f" <= c < "\xa0" for c in host):
        raise ValueError(f"not a host: {host!r}")
    port = None
    name = host
    user, at, address = host.rpartition("@")
    if address.startswith("["):
        inner, bracket, rest = address[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError(f"not a host: {host!r}")
        name, port = user + at + inner, rest[1:] if rest else None
    elif address.count(":") == 1:
        address, _, port = address.partition(":")
        name = user + at + address
    last = name.rpartition("@")[2]
    if (at and not user) or not last or last.startswith("-"):
        raise ValueError(f"not a host: {host!r}")
    if port is not None and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"not a host: {host!r}")
    ssh = os.environ.get("CLAIMSCTL_SSH") or "ssh"
    return [ssh, "-xT", *(["-p", port] if port else []), "--", name, "claimsctl", "stdio"]


def _request(number: int, method: str, params: Mapping[str, Any]) -> bytes:
    given = {name: value for name, value in params.items() if value is not None}
    return json.dumps(
        {"id": number, "method": method, "params": given}, default=_plain, separators=(",", ":"),
    ).encode() + b"\n"


def _plain(value: object) -> object:
    if isinstance(value, Sequence):
        return list(value)
    if isinstance(value, Decimal):
        # As text: the daemon reads numbers from text too, and no digit is lost.
        return str(value)
    raise TypeError(f"cannot be sent: {value!r}")


def _integer(digits: str) -> int | Decimal:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


def _decimal(digits: str) -> Decimal | str:
    try:
        return Decimal(digits)
    except InvalidOperation:
        return digits


def _document(line: bytes) -> dict[str, Any]:
    try:
        document = json.loads(line, parse_float=_decimal, parse_int=_integer)
    except ValueError as error:
        raise Error(f"the daemon sent no JSON: {line[:200]!r}") from error
    except RecursionError as error:
        raise Error(f"the daemon sent JSON that is nested too deeply: {line[:200]!r}") from error
    return _object(document, "a line")


def _object(value: Any, name: str) -> dict[str, Any]:
    """The value, if it is an object; `name` says what it is."""
    if not isinstance(value, dict):
        raise Error(f"the daemon sent what is no answer: {name} is no object: {value!r:.200}")
    return cast("dict[str, Any]", value)


def _member(parent: Mapping[str, Any], name: str, kind: type[_T]) -> _T:
    """A member that is relied on, if it has the type of the protocol."""
    value = parent.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Error(f"the daemon sent what is no answer: {name!r} is {value!r:.200}")
    return value


def _objects(parent: Mapping[str, Any], name: str) -> list[Record]:
    """A member that is a list of objects."""
    return [_object(item, f"an element of {name!r}") for item in _member(parent, name, list)]


def _optional(parent: Mapping[str, Any], name: str) -> str | None:
    """A member that is text where it is there."""
    return None if parent.get(name) is None else _member(parent, name, str)


def _refusal(error: Any) -> Refused:
    error = _object(error, "'error'")
    data = dict(_object(error.get("data"), "'data'"))
    kind = _member(data, "kind", str)
    del data["kind"]
    return Refused(kind, _member(error, "message", str), data)


class _Limit:
    """The time that something may take, from now on; None for ever."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """The seconds that are left. Raises where none are."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> TimedOut:
        return TimedOut(f"no answer within {self.seconds} s")


def _next(page: Mapping[str, Any], cursor: str | None) -> str | None:
    """The cursor of the page that follows; None after the last one."""
    following = _optional(page, "next")
    if following is not None and following in ("", cursor):
        raise Error(f"the daemon sent what is no answer: 'next' is {following!r:.200}, which is this page")
    return following


class _Answer:
    """Gathers the answer to one request: its result, and the records of a stream."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.records: list[Any] | None = None

    def take(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """The result, once it is there."""
        if document.get("method") == "records":
            params = _member(document, "params", dict)
            if params.get("request") == self.number:
                self.records = (self.records or []) + _objects(params, "records")
            return None
        if "id" in document and document["id"] not in (self.number, None):
            return None
        if "error" in document:
            raise _refusal(document["error"])
        if "result" not in document:
            if document.get("id") != self.number:
                return None
            raise Error("the daemon sent what is no answer: it has neither 'result' nor 'error'")
        result = _object(document["result"], "'result'")
        if self.records is not None:
            result["records"] = self.records
        return result


class _Watch:
    """The state of a feed that is watched over any number of connections. It does no input or output."""

    def __init__(self, params: dict[str, Any], since: str | None, initial: bool) -> None:
        self.params = params
        self.clock = since
        self.initial = initial
        self.pause = MIN_PAUSE
        # Whether parts were yielded that no clock has confirmed.
        self.is_open = False
        # Whether a daemon has ever answered.
        self.has_begun = False
        # Whether the daemon has ended the feed because nothing was read for long. Its connection stays open.
        self.has_lagged = False

    def subscription(self) -> dict[str, Any]:
        """The parameters of the next `subscribe`."""
        if self.is_open or (self.clock is None and self.initial):
            return {**self.params, "initial": True}
        return self.params if self.clock is None else {**self.params, "since": self.clock}

    def subscribed(self, result: Mapping[str, Any]) -> None:
        self.pause = MIN_PAUSE
        self.has_begun = True
        if self.clock is None and not self.is_open:
            self.clock = _optional(result, "clock")

    def next_pause(self) -> float:
        """The seconds until the next connection: none after a feed that has lagged."""
        import random

        if self.has_lagged:
            self.has_lagged = False
            return 0
        pause, self.pause = random.uniform(0, self.pause), min(self.pause * 2, MAX_PAUSE)
        return pause

    def take(self, params: Mapping[str, Any]) -> Event | None:
        """The event of a line; None where it changes nothing. Raises where the feed has ended."""
        kind = _member(params, "type", str)
        if kind == "ended":
            raise _refusal(params.get("error"))
        event = Event(clock=_optional(params, "clock"), meta=params.get("meta"))
        if kind == "fresh_instance":
            self.is_open = True
            event.fresh, event.reason = True, _member(params, "reason", str)
            return event
        if kind == "changes":
            for entry in _objects(params, "changes"):
                entries = {"added": event.added, "updated": event.updated, "removed": event.removed}
                op = _member(entry, "op", str)
                if op not in entries:
                    raise Error(f"the daemon sent what is no answer: 'op' is {op!r:.200}")
                entries[op].append(entry)
                event.cause = entry.get("cause", event.cause)
            event.complete = "complete" in params and _member(params, "complete", bool)
            if event.complete:
                _member(params, "clock", str)
            self.is_open = not event.complete
        elif kind in ("synced", "heartbeat"):
            event.complete = event.clock is not None
            self.is_open = False
        else:
            self.has_lagged = kind == "lagged"
            return None
        if event.complete:
            self.clock = event.clock
        return event


class _Lines:
    """Bytes that have come, cut into lines."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._searched = 0

    def add(self, chunk: bytes) -> None:
        self._bytes += chunk

    def next(self) -> bytes | None:
        """The next line without its newline; None where it is not complete."""
        end = self._bytes.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._bytes)
            if self._searched > MAX_ANSWER:
                raise Error(f"the daemon's answer is longer than {MAX_ANSWER} bytes")
            return None
        line = bytes(self._bytes[:end])
        del self._bytes[:end + 1]
        self._searched = 0
        return line

    def __len__(self) -> int:
        return len(self._bytes)


class _Files:
    """The files that are fetched in parts: their sizes and hashes so far."""

    #: As many are known at once; of a further one the oldest is forgotten.
    MAX = 16

    def __init__(self) -> None:
        self._files: dict[tuple[str, str, str], tuple[int, hashlib._Hash]] = {}

    def take(
        self, part: FetchAttachmentResult, collection: str, id: str | int, sha256: str, offset: int,
    ) -> FetchAttachmentResult:
        """The part. With the last one of parts that follow each other from the first on, the whole has the hash."""
        values = cast("dict[str, Any]", part)
        try:
            content = base64.b64decode(_member(values, "data", str), validate=True)
        except ValueError as error:
            raise Error("the daemon sent a part of a file that is no Base64") from error
        size, is_end = _member(values, "size", int), _member(values, "eof", bool)
        key = (collection, str(id), sha256.lower())
        count, digest = self._files.pop(key, (0, None))
        if offset == 0:
            count, digest = 0, hashlib.sha256()
        if digest is None or count != offset:
            return part
        digest.update(content)
        count += len(content)
        if not is_end:
            self._files[key] = (count, digest)
            if len(self._files) > self.MAX:
                del self._files[next(iter(self._files))]
        elif count != size or digest.hexdigest() != key[2]:
            raise Error("the daemon sent a file of another content than its hash tells")
        return part


class _Ends:
    """The sockets between this process and ssh: one for requests and answers, one for what ssh says."""

    def __init__(self) -> None:
        self.ours, self.theirs = socket.socketpair()
        self._words, self.errors = socket.socketpair()
        # ssh drops what it says where nobody has taken what it said before.
        self._words.setblocking(False)
        self.errors.setblocking(False)

    def started(self) -> None:
        """Closes what ssh has now."""
        self.theirs.close()
        self.errors.close()

    def close(self) -> str:
        """Closes the rest. Returns what ssh has said."""
        self.ours.close()
        with self._words:
            try:
                words = self._words.recv(1 << 14)
            except OSError:
                return ""
        lines = (line.strip() for line in words.decode(errors="replace").splitlines())
        return "; ".join(line for line in lines if line)


def _ssh_environment() -> dict[str, str]:
    """The variables of ssh: where the socket is on this host means nothing on the other one."""
    return {name: value for name, value in os.environ.items() if name != "CLAIMSD_SOCKET"}


def _ways_to_end(
    terminate: Callable[[], None], has_answered: bool, at_once: bool,
) -> list[tuple[Callable[[], None] | None, float]]:
    """What ends ssh, and for how many seconds each of it is waited for. After the last one it is killed."""
    if at_once:
        return [(terminate, 0.2)]
    # Without an answer it may wait for the network for minutes.
    return [(None, 5 if has_answered else 0.2), (terminate, 1)]


class _Connection:
    """One connection, to the socket or through ssh."""

    def __init__(self, path: str | None, host: str | None, limit: _Limit) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ends: _Ends | None = None
        self._lines = _Lines()
        self.has_answered = False
        self.words = ""
        if host is not None:
            import subprocess

            ends = self._ends = _Ends()
            try:
                self._process = subprocess.Popen(
                    _ssh_command(host), stdin=ends.theirs.fileno(), stdout=ends.theirs.fileno(),
                    stderr=ends.errors.fileno(), env=_ssh_environment())
            except OSError as error:
                ends.close()
                raise Unreachable(f"{host}: {error}") from error
            finally:
                ends.started()
            self._socket = ends.ours
        else:
            left = limit.left()
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(left)
            try:
                self._socket.connect(path or socket_path())
            except OSError as error:
                self._socket.close()
                raise Unreachable(f"{path or socket_path()}: {error.strerror or error}") from error

    def send(self, line: bytes, limit: _Limit) -> None:
        self._socket.settimeout(limit.left())
        try:
            self._socket.sendall(line)
        except TimeoutError as error:
            raise TimedOut("the daemon takes no request") from error
        except OSError:
            pass  # The reason, if there is one, is in the answer that waits to be read.

    def line(self, limit: _Limit) -> bytes | None:
        """The next line without its newline; None at the end."""
        while (line := self._lines.next()) is None:
            self._socket.settimeout(limit.left())
            try:
                chunk = self._socket.recv(1 << 16)
            except TimeoutError as error:
                raise limit.passed() from error
            except OSError:
                chunk = b""
            if not chunk:
                return None
            self.has_answered = True
            self._lines.add(chunk)
        return line

    @property
    def has_bytes(self) -> bool:
        return len(self._lines) > 0

    def close(self, *, at_once: bool = False) -> int | None:
        """Closes it. Returns the exit code of ssh, where there is one. With `at_once` ssh gets no time to end by itself."""
        self._socket.close()
        if self._process is None or self._ends is None:
            return None
        import subprocess

        code = None
        for stop, seconds in _ways_to_end(self._process.terminate, self.has_answered, at_once):
            if stop:
                stop()
            try:
                code = self._process.wait(timeout=seconds)
                break
            except subprocess.TimeoutExpired:
                pass
        else:
            self._process.kill()
            code = self._process.wait()
        self.words = self._ends.close()
        return code


def _ended(method: str, connection: _Connection | _AsyncConnection, host: str | None, code: int | None) -> Error:
    """The error of a connection that ended before the answer."""
    if host is not None and code != 0 and not connection.has_answered:
        reason = {4: "no daemon there", 127: "no claimsctl there"}.get(code or 0, "ssh failed")
        words = f": {connection.words}" if connection.words else ""
        return Unreachable(f"{host}: {reason} (exit {code}){words}")
    text = f"the connection ended before the answer to {method}"
    if method not in READING and method != "subscribe":
        text += "; it may have been done"
    error = Disconnected(text)
    error._is_unanswered = not connection.has_bytes
    return error


def _cut_off(method: str) -> Disconnected:
    return Disconnected(f"the connection ended within the answer to {method}")


class Anchor(TypedDict):
    """Where a page of one collection begins: one of these. The texts `start` and `end` do it too."""

    id: NotRequired[str | int]
    rank: NotRequired[int]


# generated: result types


class HelloServer(TypedDict):
    name: str
    version: str


class HelloYou(TypedDict):
    uid: int
    gid: int
    pid: int
    unit: str | None
    roles: list[str]
    purpose: NotRequired[str]


class HelloResult(TypedDict):
    server: HelloServer
    protocol: int
    capabilities: list[str]
    epoch: str
    you: HelloYou
    limits: dict[str, int]


class DescribeMethod(TypedDict):
    name: str
    summary: str
    role: str
    limited: str
    params: Any
    result: Any
    example: Any


class DescribeEvent(TypedDict):
    type: str
    summary: str
    params: Any
    example: Any


class DescribeCollectionField(TypedDict):
    name: str
    type: str
    title: NotRequired[str]
    search: bool
    required: bool
    volatile: bool
    bold: bool
    lines: int
    vocabulary: NotRequired[str]
    mask: NotRequired[str]
    operators: list[str]


class DescribeCollectionVocabulariesCode(TypedDict):
    code: str
    rank: int
    group: NotRequired[str]
    badge: NotRequired[str]
    label: str


class DescribeCollectionVocabularies(TypedDict):
    fallback: str
    absent: str | None
    codes: list[DescribeCollectionVocabulariesCode]


class DescribeCollectionGroup(TypedDict):
    key: str
    label: str


class DescribeCollectionSort(TypedDict):
    name: str
    keys: list[str]


class DescribeCollectionView(TypedDict):
    name: str
    filter: str
    title: NotRequired[str]


class DescribeWritesFiles(TypedDict):
    field: str
    types: list[str]
    min: int
    max: int
    size: int


class DescribeWritesAction(TypedDict):
    name: str
    title: str
    role: str
    granted: bool
    when: NotRequired[str]
    fields: Any
    files: NotRequired[DescribeWritesFiles]


class DescribeWrites(TypedDict):
    to: str
    actions: list[DescribeWritesAction]


class DescribeCollection(TypedDict):
    name: str
    title: str
    singular: str
    archive: bool
    deal: bool
    list: list[str]
    group_by: str | None
    fields: list[DescribeCollectionField]
    vocabularies: dict[str, DescribeCollectionVocabularies]
    groups: list[DescribeCollectionGroup]
    sort: list[str]
    sorts: list[DescribeCollectionSort]
    views: list[DescribeCollectionView]
    writes: NotRequired[DescribeWrites]


class DescribeResult(TypedDict):
    methods: NotRequired[list[DescribeMethod]]
    events: NotRequired[list[DescribeEvent]]
    collections: NotRequired[list[DescribeCollection]]


class StatusCollectionHistory(TypedDict):
    floor: str
    oldest: str | None
    changes: int
    bytes: int


class StatusCollectionLayer(TypedDict):
    records: int
    bytes: int


class LastError(TypedDict):
    kind: str
    reason: NotRequired[str]
    status: NotRequired[int]
    site: NotRequired[str]
    host: NotRequired[str]
    message: str
    at: str | None


class StatusCollectionSite(TypedDict):
    site: str
    total: int
    freshness: str | None
    as_of: str | None
    full_as_of: NotRequired[str | None]
    last_error: LastError | None
    next_refresh: str | None


class StatusCollectionHeld(TypedDict):
    since: str
    before: int
    after: int
    added: int
    updated: int
    removed: int
    quarantined: int


class MetaSites(TypedDict):
    total: int
    fresh: int
    stale: int
    expired: int
    failed: int
    never: int


class PendingCounts(TypedDict):
    queued: int
    accepted: int
    stuck: int


class Meta(TypedDict):
    collection: str
    state: str
    freshness: str | None
    source: str | None
    via: NotRequired[str]
    as_of: str | None
    age_ms: int | None
    generation: int
    clock: str
    quarantined: NotRequired[int]
    unsupported: NotRequired[int]
    last_error: LastError | None
    next_refresh: str | None
    full_as_of: NotRequired[str | None]
    sites: NotRequired[MetaSites]
    definition: NotRequired[str]
    pending: NotRequired[PendingCounts]
    limited: NotRequired[bool]


class StatusCollection(TypedDict):
    name: str
    title: str
    total: int
    archived: int
    history: NotRequired[StatusCollectionHistory]
    layers: NotRequired[list[StatusCollectionLayer]]
    merge_waiting: NotRequired[bool]
    sites: NotRequired[list[StatusCollectionSite]]
    held: NotRequired[StatusCollectionHeld]
    hint: NotRequired[str]
    ttl_ms: NotRequired[int]
    expires_ms: NotRequired[int]
    meta: Meta


class PausedOrigin(TypedDict):
    origin: str
    since: str
    reason: str
    next_try: str


class StatusOutbox(TypedDict):
    queued: int
    accepted: int
    stuck: int
    oldest_ms: int | None
    paused: list[PausedOrigin]


class StatusHost(TypedDict):
    host: str
    concurrency: int
    rate: str | None
    in_flight: int
    waiting: int
    until: NotRequired[str]


class StatusProblem(TypedDict):
    collection: NotRequired[str]
    file: str
    line: int | None
    column: int | None
    key: str
    message: str
    warning: NotRequired[bool]


class StatusRemovedItem(TypedDict):
    collection: str
    records: int
    until: str | None


class StatusDriftValue(TypedDict):
    field: str
    value: str
    count: int
    first_seen: str | None
    last_seen: str | None
    example: str | None


class StatusDriftMember(TypedDict):
    name: str
    count: int
    first_seen: str | None
    last_seen: str | None
    example: str | None


class StatusDriftType(TypedDict):
    field: str
    expected: str
    found: str
    count: int
    first_seen: str | None
    last_seen: str | None
    example: str | None


class StatusDrift(TypedDict):
    values: list[StatusDriftValue]
    members: list[StatusDriftMember]
    types: list[StatusDriftType]
    unlisted: int


class StatusResult(TypedDict):
    version: str
    uptime_ms: int
    clock: str
    clients: int
    requests: int
    memory_bytes: int | None
    disk_bytes: int | None
    kept_log_bytes: NotRequired[int]
    config_dir: str
    reload: str
    collections: list[StatusCollection]
    outbox: NotRequired[StatusOutbox]
    hosts: list[StatusHost]
    problems: list[StatusProblem]
    problems_total: int
    removed: list[StatusRemovedItem]
    drift: dict[str, StatusDrift]


class SearchFacet(TypedDict):
    value: Any
    label: NotRequired[str]
    count: int


class SearchGroup(TypedDict):
    key: str | None
    label: str | None
    total: int


class SearchResult(TypedDict):
    records: NotRequired[list[Record]]
    total: int
    totals: NotRequired[dict[str, int]]
    next: NotRequired[str]
    prev: NotRequired[str]
    rank: NotRequired[int]
    anchored: NotRequired[str]
    moved: NotRequired[bool]
    facets: NotRequired[dict[str, list[SearchFacet]]]
    groups: NotRequired[list[SearchGroup]]
    labels: NotRequired[dict[str, Any]]
    meta: Any


class CountResult(TypedDict):
    total: int
    totals: NotRequired[dict[str, int]]
    meta: Any


class FacetsResult(TypedDict):
    facets: dict[str, list[SearchFacet]]
    total: int
    meta: Any


class DetailProvenance(TypedDict):
    source: str | None
    fetched_at: str | None
    first_seen: str
    changed_at: str
    generation: int
    archived_at: NotRequired[str]
    archived_by: NotRequired[str]
    submitted_at: NotRequired[str]
    submitted_by: NotRequired[str]
    op: NotRequired[str]


class DetailResult(TypedDict):
    record: Record
    upstream: Any
    provenance: DetailProvenance
    labels: NotRequired[dict[str, Any]]
    meta: Meta


class HistoryVersion(TypedDict):
    seq: int
    at: str
    generation: int
    cause: str
    op: str
    changes: NotRequired[dict[str, list[Any]]]
    record: NotRequired[Record]
    values: NotRequired[bool]
    by: NotRequired[int]
    by_name: NotRequired[str]
    upstream: NotRequired[bool]


class HistoryResult(TypedDict):
    versions: list[HistoryVersion]
    complete: bool
    next: NotRequired[str]


class ExplainTree(TypedDict):
    op: str
    of: NotRequired[list[Any]]
    text: NotRequired[str]
    position: NotRequired[int]
    length: NotRequired[int]
    field: NotRequired[str]
    type: NotRequired[str]
    compared: NotRequired[list[Any]]
    estimate: NotRequired[int]
    matches: int | None
    verdict: NotRequired[bool | None]
    value: NotRequired[Any]
    cut: NotRequired[bool]


class ExplainResult(TypedDict):
    filter: str
    tree: ExplainTree
    plan: NotRequired[list[str]]
    total: int | None
    listed: NotRequired[bool]
    because: NotRequired[str]
    meta: Meta


class ArchiveResult(TypedDict):
    changed: list[str]
    unchanged: list[str]
    missing: list[str]
    clock: str


class SubmitRequest(TypedDict):
    method: str
    url: str
    headers: dict[str, str]
    body: NotRequired[Any]


class SubmitResult(TypedDict):
    op: str
    id: str
    action: str
    state: str
    changed: list[str]
    record: NotRequired[Record]
    request: NotRequired[SubmitRequest]
    clock: str
    repeated: NotRequired[bool]


class OutboxAnswer(TypedDict):
    status: int
    body: NotRequired[str]
    base64: NotRequired[str]


class OutboxAttempt(TypedDict):
    attempt: int
    at: str
    state: NotRequired[str]
    status: NotRequired[int]
    message: NotRequired[str]


class OutboxOperation(TypedDict):
    op: str
    collection: str
    id: str
    action: str
    fields: list[str]
    state: str
    reason: NotRequired[str]
    message: NotRequired[str]
    attempts: NotRequired[int]
    next_try: NotRequired[str]
    waits_for: NotRequired[str]
    stuck_behind: NotRequired[str]
    submitted_at: str
    submitted_by: str
    values: NotRequired[Record]
    before: NotRequired[Record]
    theirs: NotRequired[Record]
    answer: NotRequired[OutboxAnswer]
    log: NotRequired[list[OutboxAttempt]]


class OutboxRefused(TypedDict):
    op: str
    state: str
    resolve: NotRequired[list[str]]


class OutboxResult(TypedDict):
    operations: NotRequired[list[OutboxOperation]]
    total: NotRequired[int]
    next: NotRequired[str]
    paused: NotRequired[list[PausedOrigin]]
    changed: NotRequired[list[str]]
    refused: NotRequired[list[OutboxRefused]]
    missing: NotRequired[list[str]]
    clock: NotRequired[str]


class AttachResult(TypedDict):
    upload: str
    received: int
    type: NotRequired[str]
    sha256: NotRequired[str]


class FetchAttachmentResult(TypedDict):
    data: str
    size: int
    type: str
    name: str
    eof: bool


class RefreshCollection(TypedDict):
    collection: str
    site: NotRequired[str]
    outcome: str
    added: NotRequired[int]
    updated: NotRequired[int]
    removed: NotRequired[int]
    volatile: NotRequired[int]
    quarantined: NotRequired[int]
    until: NotRequired[str]
    meta: Meta | None


class RefreshResult(TypedDict):
    collections: list[RefreshCollection]


class RefreshesAttempt(TypedDict):
    number: int
    collection: str
    at: str
    duration_ms: int
    outcome: str
    kind: str | None
    site: str | None
    bytes: NotRequired[int]
    records: NotRequired[int | None]
    added: NotRequired[int]
    updated: NotRequired[int]
    removed: NotRequired[int]
    quarantined: NotRequired[int]


class RefreshesResult(TypedDict):
    refreshes: list[RefreshesAttempt]


class ChangesChange(TypedDict):
    op: str
    collection: NotRequired[str]
    id: str
    seq: NotRequired[int]
    at: NotRequired[str]
    cause: NotRequired[str]
    changed: NotRequired[list[str]]
    was: NotRequired[Record]
    record: NotRequired[Record]
    reason: NotRequired[str]
    to: NotRequired[str]


class ChangesResult(TypedDict):
    changes: list[ChangesChange]
    meta: Any
    more: bool
    next: NotRequired[str]
    clock: NotRequired[str]
    fresh_instance: NotRequired[bool]
    reasons: NotRequired[dict[str, str]]


class QuarantineEntry(TypedDict):
    entry: int
    site: NotRequired[str]
    pointer: str
    reason: str
    id: NotRequired[str]
    size: int
    excerpt: str
    first_seen: str
    last_seen: str


class QuarantineAcceptedItem(TypedDict):
    entry: int
    id: str


class QuarantineRefusedItem(TypedDict):
    entry: int
    reason: str


class QuarantineResult(TypedDict):
    entries: NotRequired[list[QuarantineEntry]]
    total: NotRequired[int]
    next: NotRequired[str]
    entry: NotRequired[int]
    site: NotRequired[str]
    pointer: NotRequired[str]
    reason: NotRequired[str]
    id: NotRequired[str]
    size: NotRequired[int]
    excerpt: NotRequired[str]
    first_seen: NotRequired[str]
    last_seen: NotRequired[str]
    truncated: NotRequired[bool]
    bytes: NotRequired[str]
    base64: NotRequired[str]
    accepted: NotRequired[list[QuarantineAcceptedItem]]
    refused: NotRequired[list[QuarantineRefusedItem]]
    clock: NotRequired[str]
    dropped: NotRequired[list[int]]


class ForgetResult(TypedDict):
    records: int
    forgotten: NotRequired[list[str]]
    missing: NotRequired[list[str]]
    refused: NotRequired[list[str]]
    returns: NotRequired[list[str]]
    clock: str


class TryRequest(TypedDict):
    method: str
    url: str
    status: NotRequired[int]
    ms: int
    bytes: int
    elements: NotRequired[int]


class TryError(TypedDict):
    kind: str
    reason: NotRequired[str]
    status: NotRequired[int]
    message: str
    body: NotRequired[str]


class TryCounts(TypedDict):
    records: int
    added: int
    updated: int
    removed: int
    quarantined: int


class TryField(TypedDict):
    filled: int
    wrong: int


class TryQuarantinedItem(TypedDict):
    pointer: str
    reason: str
    excerpt: str


class TryChanges(TypedDict):
    added: list[str]
    updated: list[str]
    removed: list[str]


class TryResult(TypedDict):
    outcome: str
    site: NotRequired[str]
    problems: list[StatusProblem]
    requests: list[TryRequest]
    error: TryError | None
    counts: TryCounts
    fields: dict[str, TryField]
    quarantined: list[TryQuarantinedItem]
    drift: StatusDrift
    guard: str | None
    sample: list[Record]
    changes: TryChanges


class SubscribeResult(TypedDict):
    subscription: int
    clock: NotRequired[str]
    meta: Meta


class DealResult(TypedDict):
    record: Record
    message: str
    meta: Meta


class AccessCollection(TypedDict):
    collection: str
    sees: str
    rule: int | None
    rows: NotRequired[list[str] | None]
    fields: list[str] | None
    masks: dict[str, str]
    may: list[str]


class AccessResult(TypedDict):
    user: str | None
    uid: int
    groups: list[int]
    collections: list[AccessCollection]


class FleetAddress(TypedDict):
    host: str
    url: str
    contact: str | None
    error: LastError | None
    clock_ms: int | None


class FleetSource(TypedDict):
    source: str
    leader: str | None
    role: str
    issued_at: str | None
    as_of: str | None
    next_refresh: str | None
    overdue: bool
    state: str | None
    request: str | None
    definition: str | None
    access: str | None
    error: LastError | None


class FleetMarks(TypedDict):
    contact: str | None
    queued: int
    unshared: int
    clock_ms: int | None
    error: LastError | None


class FleetResult(TypedDict):
    name: str | None
    host: str
    addresses: list[FleetAddress]
    sources: list[FleetSource]
    marks: FleetMarks | None


# end

#: The former name of `QuarantineEntry`, for one release more.
QuarantineEntrie = QuarantineEntry


class Client:
    """Asks the daemon at `path` (found as claimsctl finds it), or that of `host` through ssh.

    A connection is made with the first request, and again after an error. `timeout` is how many seconds a call may take
    in all, whatever comes meanwhile; None waits for ever. Of `watch` it bounds the time until the daemon has answered.
    `purpose`, one line of at most 128 bytes, is told with each connection, for the journal of who looked.
    """

    def __init__(
        self, path: str | None = None, *, host: str | None = None, timeout: float | None = 30.0,
        purpose: str | None = None,
    ) -> None:
        if host is not None:
            _ssh_command(host)
        self.path = path
        self.host = host
        self.timeout = timeout
        self.purpose = purpose
        self._connection: _Connection | None = None
        self._last = 0
        self._files = _Files()
        self._lock = threading.Lock()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. The client may be used again."""
        with self._lock:
            self._close()

    @contextmanager
    def _turn(self, limit: _Limit) -> Iterator[None]:
        """The turn of one call; the wait for other threads' calls is part of its time."""
        left = limit.left()
        if not self._lock.acquire(timeout=-1 if left is None else min(left, threading.TIMEOUT_MAX)):
            raise limit.passed()
        try:
            yield
        finally:
            self._lock.release()

    def _close(self, *, at_once: bool = False) -> int | None:
        connection, self._connection = self._connection, None
        return connection.close(at_once=at_once) if connection else None

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """The result of a request, by the protocol's own names. A parameter that is None is left out."""
        limit = _Limit(self.timeout)
        with self._turn(limit):
            try:
                return self._call(method, params, limit)
            except Disconnected as error:
                if method not in READING or not error._is_unanswered:
                    raise
                return self._call(method, params, limit)

    def _call(self, method: str, params: Mapping[str, Any], limit: _Limit) -> dict[str, Any]:
        if self._connection is None:
            self._connection = _Connection(self.path, self.host, limit)
            if self.purpose is not None:
                try:
                    self._ask(self._connection, "hello", {"purpose": self.purpose}, limit)
                except Refused:
                    self._close()
                    raise
            elif self.host is not None and method not in READING:
                # So that a host that cannot be reached is known to have done nothing.
                self._ask(self._connection, "ping", {}, limit)
        return self._ask(self._connection, method, params, limit)

    def _ask(
        self, connection: _Connection, method: str, params: Mapping[str, Any], limit: _Limit,
    ) -> dict[str, Any]:
        self._last += 1
        answer = _Answer(self._last)
        try:
            connection.send(_request(self._last, method, params), limit)
            while (line := connection.line(limit)) is not None:
                if (result := answer.take(_document(line))) is not None:
                    return result
        except Refused as error:
            if error.kind == "busy" and "retry_after_ms" in error.data:
                self._close()
            raise
        except BaseException:
            self._close(at_once=True)
            raise
        code = self._close()
        raise _ended(method, connection, self.host, code) if answer.records is None else _cut_off(method)

    def records(
        self, collection: str | None = None, filter: Filter | None = None, *, limit: int = 1000, **params: Any
    ) -> Iterator[Record]:
        """All records that match, page by page; the other parameters are those of `search`."""
        cursor: str | None = None
        while True:
            page = self.call("search", collection=collection, filter=filter, limit=limit, cursor=cursor, **params)
            yield from _objects(page, "records")
            cursor = _next(page, cursor)
            if cursor is None:
                return
            # The cursor goes on from there.
            params.pop("anchor", None)

    def watch(
        self, collection: str, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: Sequence[str] | None = None,
        time_zone: str | None = None, since: str | None = None, initial: bool = False, lang: str | None = None,
    ) -> Iterator[Event]:
        """How the set of matching records changes, from now on, from `since`, or beginning with the set itself.

        It connects again by itself and goes on from the last complete clock, over restarts of the daemon too. What the
        daemon refuses is raised, and so is a first connection that fails.
        """
        params = {
            "collection": collection, "filter": filter, "view": view, "archived": archived, "fields": fields,
            "time_zone": time_zone, "lang": lang,
        }
        watch = _Watch(params, since, initial)
        while True:
            connection: _Connection | None = None
            try:
                limit = _Limit(self.timeout)
                connection = _Connection(self.path, self.host, limit)
                greeting, answer = _Answer(0), _Answer(1)
                if self.purpose is not None:
                    connection.send(_request(0, "hello", {"purpose": self.purpose}), limit)
                connection.send(_request(1, "subscribe", watch.subscription()), limit)
                is_answered = False
                while (line := connection.line(_Limit(MAX_SILENCE) if is_answered else limit)) is not None:
                    document = _document(line)
                    if document.get("method") == "event":
                        if (event := watch.take(_member(document, "params", dict))) is not None:
                            yield event
                        if watch.has_lagged:
                            break
                    elif document.get("id") == 0:
                        greeting.take(document)
                    elif (result := answer.take(document)) is not None:
                        watch.subscribed(result)
                        is_answered = True
                if not watch.has_begun:
                    raise _ended("subscribe", connection, self.host, connection.close())
            except Refused as error:
                if error.kind != "busy" or not watch.has_begun:
                    raise
            except (Unreachable, TimedOut, Disconnected) as error:
                if connection is not None and isinstance(error, TimedOut):
                    connection.close(at_once=True)
                if not watch.has_begun:
                    raise
            finally:
                if connection is not None:
                    connection.close()
            time.sleep(watch.next_pause())

    def fetch_attachment(
        self, collection: str, id: str | int, sha256: str, *, offset: int = 0, length: int = 524288,
        lang: str | None = None,
    ) -> FetchAttachmentResult:
        """Answers a part of a file of a record. With the last of its parts, fetched in their order by this client, a file
        that has another hash is an error."""
        return self._files.take(cast("FetchAttachmentResult", self.call(
            "fetch_attachment", collection=collection, id=id, sha256=sha256, offset=offset, length=length,
            lang=lang,
        )), collection, id, sha256, offset)

    # generated: methods

    def hello(
        self, *, client: str | None = None, protocol: Sequence[int] | None = None,
        require: str | Sequence[str] | None = None, want: str | Sequence[str] | None = None, purpose: str | None = None,
        lang: str | None = None,
    ) -> HelloResult:
        """Tells who serves, what it can do and what you may do. Optional."""
        return cast("HelloResult", self.call(
            "hello", client=client, protocol=protocol, require=require, want=want, purpose=purpose, lang=lang,
        ))

    def describe(
        self, collection: str | None = None, *, method: str | None = None, lang: str | None = None,
    ) -> DescribeResult:
        """Describes methods and collections."""
        return cast("DescribeResult", self.call("describe", method=method, collection=collection, lang=lang))

    def ping(self, *, lang: str | None = None) -> Record:
        """Answers an empty object."""
        return self.call("ping", lang=lang)

    def status(self, *, lang: str | None = None) -> StatusResult:
        """Tells how the daemon and each collection fare."""
        return cast("StatusResult", self.call("status", lang=lang))

    def search(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, sort: str | Sequence[str] | None = None,
        limit: int | None = None, cursor: str | None = None, anchor: str | Anchor | None = None,
        fields: str | Sequence[str] | None = None, facets: str | Sequence[str] | None = None, group: bool = False,
        stream: bool = False, lang: str | None = None,
    ) -> SearchResult:
        """Finds records: filters, sorts, groups, counts and pages them."""
        return cast("SearchResult", self.call(
            "search", collection=collection, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, sort=sort, limit=limit, cursor=cursor, anchor=anchor,
            fields=fields, facets=facets, group=group, stream=stream, lang=lang,
        ))

    def sort(
        self, collection: str | None = None, filter: Filter | None = None, *, by: str | Sequence[str] | None = None,
        view: str | None = None, archived: Literal["exclude", "only", "include"] = "exclude",
        max_age_ms: int | None = None, time_zone: str | None = None, timeout_ms: int | None = None,
        limit: int | None = None, cursor: str | None = None, anchor: str | Anchor | None = None,
        fields: str | Sequence[str] | None = None, facets: str | Sequence[str] | None = None, group: bool = False,
        stream: bool = False, lang: str | None = None,
    ) -> SearchResult:
        """Answers a whole collection in an order, page by page."""
        return cast("SearchResult", self.call(
            "sort", collection=collection, by=by, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, limit=limit, cursor=cursor, anchor=anchor, fields=fields,
            facets=facets, group=group, stream=stream, lang=lang,
        ))

    def count(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> CountResult:
        """Counts records exactly."""
        return cast("CountResult", self.call(
            "count", collection=collection, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, lang=lang,
        ))

    def facets(
        self, collection: str, fields: str | Sequence[str], filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> FacetsResult:
        """Counts the values of fields over all matches."""
        return cast("FacetsResult", self.call(
            "facets", collection=collection, fields=fields, filter=filter, view=view, archived=archived,
            max_age_ms=max_age_ms, time_zone=time_zone, timeout_ms=timeout_ms, lang=lang,
        ))

    def detail(
        self, collection: str, id: str | int, *, max_age_ms: int | None = None, lang: str | None = None,
    ) -> DetailResult:
        """Answers everything about one record."""
        return cast("DetailResult", self.call("detail", collection=collection, id=id, max_age_ms=max_age_ms, lang=lang))

    def history(
        self, collection: str, id: str | int, *, limit: int | None = None, cursor: str | None = None,
        lang: str | None = None,
    ) -> HistoryResult:
        """Tells what happened to a record, the newest first; also of one that is gone."""
        return cast("HistoryResult", self.call(
            "history", collection=collection, id=id, limit=limit, cursor=cursor, lang=lang,
        ))

    def explain(
        self, collection: str, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: str | Sequence[str] | None = None,
        time_zone: str | None = None, id: str | int | None = None, timeout_ms: int | None = None,
        lang: str | None = None,
    ) -> ExplainResult:
        """Tells how a filter is understood, what each part of it selects, and whether it is true for a record."""
        return cast("ExplainResult", self.call(
            "explain", collection=collection, filter=filter, view=view, archived=archived, fields=fields,
            time_zone=time_zone, id=id, timeout_ms=timeout_ms, lang=lang,
        ))

    def archive(
        self, collection: str, filter: Filter | None = None, *, ids: str | int | Sequence[str | int] | None = None,
        dry_run: bool = False, time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> ArchiveResult:
        """Hides records from lists until they are unarchived."""
        return cast("ArchiveResult", self.call(
            "archive", collection=collection, ids=ids, filter=filter, dry_run=dry_run, time_zone=time_zone,
            timeout_ms=timeout_ms, lang=lang,
        ))

    def unarchive(
        self, collection: str, filter: Filter | None = None, *, ids: str | int | Sequence[str | int] | None = None,
        dry_run: bool = False, time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> ArchiveResult:
        """Shows archived records in lists again."""
        return cast("ArchiveResult", self.call(
            "unarchive", collection=collection, ids=ids, filter=filter, dry_run=dry_run, time_zone=time_zone,
            timeout_ms=timeout_ms, lang=lang,
        ))

    def submit(
        self, collection: str, action: str, id: str | int | None = None, *, fields: Record | None = None,
        attach: str | Sequence[str] | None = None, detach: str | Sequence[str] | None = None,
        expect: Record | None = None, op: str | None = None, dry_run: bool = False, time_zone: str | None = None,
        lang: str | None = None,
    ) -> SubmitResult:
        """Adds, edits or deletes a record, or does another action of its definition."""
        return cast("SubmitResult", self.call(
            "submit", collection=collection, action=action, id=id, fields=fields, attach=attach, detach=detach,
            expect=expect, op=op, dry_run=dry_run, time_zone=time_zone, lang=lang,
        ))

    def outbox(
        self, *, action: Literal["list", "get", "wait", "retry", "hold", "drop", "resolve"] = "list",
        ops: str | Sequence[str] | None = None, collection: str | None = None, state: str | None = None,
        fields: Record | None = None, as_: Literal["mine", "done", "again"] | None = None, id: str | int | None = None,
        limit: int | None = None, cursor: str | None = None, lang: str | None = None,
    ) -> OutboxResult:
        """Lists operations that are to go to upstreams, waits for them, and ends doubts and conflicts."""
        return cast("OutboxResult", self.call("outbox", **{
            "action": action, "ops": ops, "collection": collection, "state": state, "fields": fields, "as": as_,
            "id": id, "limit": limit, "cursor": cursor, "lang": lang,
        }))

    def attach(
        self, data: str, *, collection: str | None = None, name: str | None = None, size: int | None = None,
        upload: str | None = None, offset: int | None = None, lang: str | None = None,
    ) -> AttachResult:
        """Takes a file, in parts, for an operation that is submitted next."""
        return cast("AttachResult", self.call(
            "attach", collection=collection, name=name, size=size, upload=upload, offset=offset, data=data, lang=lang,
        ))

    def refresh(
        self, collection: str | None = None, *, site: str | None = None, wait: bool = False, force: bool = False,
        accept: bool = False, progress: bool = False, lang: str | None = None,
    ) -> RefreshResult:
        """Asks the upstream now."""
        return cast("RefreshResult", self.call(
            "refresh", collection=collection, site=site, wait=wait, force=force, accept=accept, progress=progress,
            lang=lang,
        ))

    def refreshes(
        self, collection: str | None = None, *, limit: int | None = None, lang: str | None = None,
    ) -> RefreshesResult:
        """Tells the last attempts to refresh collections, the newest first."""
        return cast("RefreshesResult", self.call("refreshes", collection=collection, limit=limit, lang=lang))

    def changes(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: str | Sequence[str] | None = None,
        time_zone: str | None = None, since: str | None = None, cursor: str | None = None, limit: int = 1000,
        timeout_ms: int | None = None, lang: str | None = None,
    ) -> ChangesResult:
        """Tells how the set of a feed has changed since a clock."""
        return cast("ChangesResult", self.call(
            "changes", collection=collection, filter=filter, view=view, archived=archived, fields=fields,
            time_zone=time_zone, since=since, cursor=cursor, limit=limit, timeout_ms=timeout_ms, lang=lang,
        ))

    def quarantine(
        self, collection: str, *, action: Literal["list", "get", "retry", "drop"] = "list", entry: int | None = None,
        limit: int | None = None, cursor: str | None = None, lang: str | None = None,
    ) -> QuarantineResult:
        """Lists and answers what an upstream sent that is no record, tries it again, or drops it."""
        return cast("QuarantineResult", self.call(
            "quarantine", collection=collection, action=action, entry=entry, limit=limit, cursor=cursor, lang=lang,
        ))

    def forget(
        self, collection: str, *, ids: str | int | Sequence[str | int] | None = None, dry_run: bool = False,
        lang: str | None = None,
    ) -> ForgetResult:
        """Erases a removed collection, or records: with archive marks and history. Nothing brings them back."""
        return cast("ForgetResult", self.call("forget", collection=collection, ids=ids, dry_run=dry_run, lang=lang))

    def try_(
        self, collection: str, *, site: str | None = None, incremental: bool = False, progress: bool = False,
        lang: str | None = None,
    ) -> TryResult:
        """Fetches what the files of a definition ask for, and tells what a refresh would do."""
        return cast("TryResult", self.call(
            "try", collection=collection, site=site, incremental=incremental, progress=progress, lang=lang,
        ))

    def deal(self, collection: str | None = None, *, lang: str | None = None) -> DealResult:
        """Answers one record at random, with a line that advertises it."""
        return cast("DealResult", self.call("deal", collection=collection, lang=lang))

    def access(self, *, user: str | None = None, lang: str | None = None) -> AccessResult:
        """Tells what a user sees of each collection, and may do in it."""
        return cast("AccessResult", self.call("access", user=user, lang=lang))

    def fleet(self, *, lang: str | None = None) -> FleetResult:
        """Tells which hosts share sources with this one, and which of them asks the upstream."""
        return cast("FleetResult", self.call("fleet", lang=lang))

    # end


class _AsyncConnection:
    """One connection for asyncio, to the socket or through ssh."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
        process: asyncio.subprocess.Process | None = None, ends: _Ends | None = None,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._process = process
        self._ends = ends
        self._lines = _Lines()
        self.has_answered = False
        self.words = ""

    @classmethod
    async def open(cls, path: str | None, host: str | None, limit: _Limit) -> _AsyncConnection:
        import asyncio

        if host is None:
            left = limit.left()
            try:
                return cls(*await asyncio.wait_for(asyncio.open_unix_connection(path or socket_path()), left))
            except OSError as error:
                raise Unreachable(f"{path or socket_path()}: {error.strerror or error}") from error
        ends = _Ends()
        try:
            process = await asyncio.create_subprocess_exec(
                *_ssh_command(host), stdin=ends.theirs.fileno(), stdout=ends.theirs.fileno(),
                stderr=ends.errors.fileno(), env=_ssh_environment())
        except OSError as error:
            ends.close()
            raise Unreachable(f"{host}: {error}") from error
        finally:
            ends.started()
        ends.ours.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=ends.ours)
        return cls(reader, writer, process, ends)

    def send(self, line: bytes) -> None:
        self._writer.write(line)

    async def line(self, limit: _Limit) -> bytes | None:
        """The next line without its newline; None at the end."""
        import asyncio

        while (line := self._lines.next()) is None:
            left = limit.left()
            try:
                chunk = await asyncio.wait_for(self._reader.read(1 << 16), left)
            except TimeoutError as error:
                raise limit.passed() from error
            except OSError:
                chunk = b""
            if not chunk:
                return None
            self.has_answered = True
            self._lines.add(chunk)
        return line

    @property
    def has_bytes(self) -> bool:
        return len(self._lines) > 0

    async def close(self, *, at_once: bool = False) -> int | None:
        """Closes it. Returns the exit code of ssh, where there is one."""
        import asyncio

        self._writer.close()
        if self._process is None or self._ends is None:
            return None
        for stop, seconds in _ways_to_end(self._process.terminate, self.has_answered, at_once):
            if stop:
                stop()
            try:
                await asyncio.wait_for(self._process.wait(), seconds)
                break
            except TimeoutError:
                pass
        else:
            self._process.kill()
        code = await self._process.wait()
        self.words = self._ends.close()
        return code


class AsyncClient:
    """`Client` for asyncio. Requests of several tasks wait for each other."""

    def __init__(
        self, path: str | None = None, *, host: str | None = None, timeout: float | None = 30.0,
        purpose: str | None = None,
    ) -> None:
        import asyncio

        if host is not None:
            _ssh_command(host)
        self.path = path
        self.host = host
        self.timeout = timeout
        self.purpose = purpose
        self._connection: _AsyncConnection | None = None
        self._last = 0
        self._files = _Files()
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection. The client may be used again."""
        async with self._lock:
            await self._close()

    @asynccontextmanager
    async def _turn(self, limit: _Limit) -> AsyncIterator[None]:
        """The turn of one call; the wait for other tasks' calls is part of its time."""
        import asyncio

        try:
            async with asyncio.timeout(limit.left()):
                await self._lock.acquire()
        except TimeoutError as error:
            raise limit.passed() from error
        try:
            yield
        finally:
            self._lock.release()

    async def _close(self, *, at_once: bool = False) -> int | None:
        connection, self._connection = self._connection, None
        return await connection.close(at_once=at_once) if connection else None

    async def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """The result of a request, by the protocol's own names. A parameter that is None is left out."""
        limit = _Limit(self.timeout)
        async with self._turn(limit):
            try:
                return await self._call(method, params, limit)
            except Disconnected as error:
                if method not in READING or not error._is_unanswered:
                    raise
                return await self._call(method, params, limit)

    async def _call(self, method: str, params: Mapping[str, Any], limit: _Limit) -> dict[str, Any]:
        if self._connection is None:
            self._connection = await _AsyncConnection.open(self.path, self.host, limit)
            if self.purpose is not None:
                try:
                    await self._ask(self._connection, "hello", {"purpose": self.purpose}, limit)
                except Refused:
                    await self._close()
                    raise
            elif self.host is not None and method not in READING:
                await self._ask(self._connection, "ping", {}, limit)
        return await self._ask(self._connection, method, params, limit)

    async def _ask(
        self, connection: _AsyncConnection, method: str, params: Mapping[str, Any], limit: _Limit,
    ) -> dict[str, Any]:
        self._last += 1
        answer = _Answer(self._last)
        try:
            connection.send(_request(self._last, method, params))
            while (line := await connection.line(limit)) is not None:
                if (result := answer.take(_document(line))) is not None:
                    return result
        except Refused as error:
            if error.kind == "busy" and "retry_after_ms" in error.data:
                await self._close()
            raise
        except BaseException:
            await self._close(at_once=True)
            raise
        code = await self._close()
        raise _ended(method, connection, self.host, code) if answer.records is None else _cut_off(method)

    async def records(
        self, collection: str | None = None, filter: Filter | None = None, *, limit: int = 1000, **params: Any
    ) -> AsyncIterator[Record]:
        """All records that match, page by page; the other parameters are those of `search`."""
        cursor: str | None = None
        while True:
            page = await self.call(
                "search", collection=collection, filter=filter, limit=limit, cursor=cursor, **params)
            for record in _objects(page, "records"):
                yield record
            cursor = _next(page, cursor)
            if cursor is None:
                return
            # The cursor goes on from there.
            params.pop("anchor", None)

    async def watch(
        self, collection: str, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: Sequence[str] | None = None,
        time_zone: str | None = None, since: str | None = None, initial: bool = False, lang: str | None = None,
    ) -> AsyncIterator[Event]:
        """How the set of matching records changes; see `Client.watch`."""
        import asyncio

        params = {
            "collection": collection, "filter": filter, "view": view, "archived": archived, "fields": fields,
            "time_zone": time_zone, "lang": lang,
        }
        watch = _Watch(params, since, initial)
        while True:
            connection: _AsyncConnection | None = None
            try:
                limit = _Limit(self.timeout)
                connection = await _AsyncConnection.open(self.path, self.host, limit)
                greeting, answer = _Answer(0), _Answer(1)
                if self.purpose is not None:
                    connection.send(_request(0, "hello", {"purpose": self.purpose}))
                connection.send(_request(1, "subscribe", watch.subscription()))
                is_answered = False
                while (line := await connection.line(_Limit(MAX_SILENCE) if is_answered else limit)) is not None:
                    document = _document(line)
                    if document.get("method") == "event":
                        if (event := watch.take(_member(document, "params", dict))) is not None:
                            yield event
                        if watch.has_lagged:
                            break
                    elif document.get("id") == 0:
                        greeting.take(document)
                    elif (result := answer.take(document)) is not None:
                        watch.subscribed(result)
                        is_answered = True
                if not watch.has_begun:
                    raise _ended("subscribe", connection, self.host, await connection.close())
            except Refused as error:
                if error.kind != "busy" or not watch.has_begun:
                    raise
            except (Unreachable, TimedOut, Disconnected) as error:
                if connection is not None and isinstance(error, TimedOut):
                    await connection.close(at_once=True)
                if not watch.has_begun:
                    raise
            finally:
                if connection is not None:
                    await connection.close()
            await asyncio.sleep(watch.next_pause())

    async def fetch_attachment(
        self, collection: str, id: str | int, sha256: str, *, offset: int = 0, length: int = 524288,
        lang: str | None = None,
    ) -> FetchAttachmentResult:
        """Answers a part of a file of a record. With the last of its parts, fetched in their order by this client, a file
        that has another hash is an error."""
        return self._files.take(cast("FetchAttachmentResult", await self.call(
            "fetch_attachment", collection=collection, id=id, sha256=sha256, offset=offset, length=length,
            lang=lang,
        )), collection, id, sha256, offset)

    # generated: asynchronous methods

    async def hello(
        self, *, client: str | None = None, protocol: Sequence[int] | None = None,
        require: str | Sequence[str] | None = None, want: str | Sequence[str] | None = None, purpose: str | None = None,
        lang: str | None = None,
    ) -> HelloResult:
        """Tells who serves, what it can do and what you may do. Optional."""
        return cast("HelloResult", await self.call(
            "hello", client=client, protocol=protocol, require=require, want=want, purpose=purpose, lang=lang,
        ))

    async def describe(
        self, collection: str | None = None, *, method: str | None = None, lang: str | None = None,
    ) -> DescribeResult:
        """Describes methods and collections."""
        return cast("DescribeResult", await self.call("describe", method=method, collection=collection, lang=lang))

    async def ping(self, *, lang: str | None = None) -> Record:
        """Answers an empty object."""
        return await self.call("ping", lang=lang)

    async def status(self, *, lang: str | None = None) -> StatusResult:
        """Tells how the daemon and each collection fare."""
        return cast("StatusResult", await self.call("status", lang=lang))

    async def search(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, sort: str | Sequence[str] | None = None,
        limit: int | None = None, cursor: str | None = None, anchor: str | Anchor | None = None,
        fields: str | Sequence[str] | None = None, facets: str | Sequence[str] | None = None, group: bool = False,
        stream: bool = False, lang: str | None = None,
    ) -> SearchResult:
        """Finds records: filters, sorts, groups, counts and pages them."""
        return cast("SearchResult", await self.call(
            "search", collection=collection, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, sort=sort, limit=limit, cursor=cursor, anchor=anchor,
            fields=fields, facets=facets, group=group, stream=stream, lang=lang,
        ))

    async def sort(
        self, collection: str | None = None, filter: Filter | None = None, *, by: str | Sequence[str] | None = None,
        view: str | None = None, archived: Literal["exclude", "only", "include"] = "exclude",
        max_age_ms: int | None = None, time_zone: str | None = None, timeout_ms: int | None = None,
        limit: int | None = None, cursor: str | None = None, anchor: str | Anchor | None = None,
        fields: str | Sequence[str] | None = None, facets: str | Sequence[str] | None = None, group: bool = False,
        stream: bool = False, lang: str | None = None,
    ) -> SearchResult:
        """Answers a whole collection in an order, page by page."""
        return cast("SearchResult", await self.call(
            "sort", collection=collection, by=by, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, limit=limit, cursor=cursor, anchor=anchor, fields=fields,
            facets=facets, group=group, stream=stream, lang=lang,
        ))

    async def count(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> CountResult:
        """Counts records exactly."""
        return cast("CountResult", await self.call(
            "count", collection=collection, filter=filter, view=view, archived=archived, max_age_ms=max_age_ms,
            time_zone=time_zone, timeout_ms=timeout_ms, lang=lang,
        ))

    async def facets(
        self, collection: str, fields: str | Sequence[str], filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", max_age_ms: int | None = None,
        time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> FacetsResult:
        """Counts the values of fields over all matches."""
        return cast("FacetsResult", await self.call(
            "facets", collection=collection, fields=fields, filter=filter, view=view, archived=archived,
            max_age_ms=max_age_ms, time_zone=time_zone, timeout_ms=timeout_ms, lang=lang,
        ))

    async def detail(
        self, collection: str, id: str | int, *, max_age_ms: int | None = None, lang: str | None = None,
    ) -> DetailResult:
        """Answers everything about one record."""
        return cast("DetailResult", await self.call(
            "detail", collection=collection, id=id, max_age_ms=max_age_ms, lang=lang,
        ))

    async def history(
        self, collection: str, id: str | int, *, limit: int | None = None, cursor: str | None = None,
        lang: str | None = None,
    ) -> HistoryResult:
        """Tells what happened to a record, the newest first; also of one that is gone."""
        return cast("HistoryResult", await self.call(
            "history", collection=collection, id=id, limit=limit, cursor=cursor, lang=lang,
        ))

    async def explain(
        self, collection: str, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: str | Sequence[str] | None = None,
        time_zone: str | None = None, id: str | int | None = None, timeout_ms: int | None = None,
        lang: str | None = None,
    ) -> ExplainResult:
        """Tells how a filter is understood, what each part of it selects, and whether it is true for a record."""
        return cast("ExplainResult", await self.call(
            "explain", collection=collection, filter=filter, view=view, archived=archived, fields=fields,
            time_zone=time_zone, id=id, timeout_ms=timeout_ms, lang=lang,
        ))

    async def archive(
        self, collection: str, filter: Filter | None = None, *, ids: str | int | Sequence[str | int] | None = None,
        dry_run: bool = False, time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> ArchiveResult:
        """Hides records from lists until they are unarchived."""
        return cast("ArchiveResult", await self.call(
            "archive", collection=collection, ids=ids, filter=filter, dry_run=dry_run, time_zone=time_zone,
            timeout_ms=timeout_ms, lang=lang,
        ))

    async def unarchive(
        self, collection: str, filter: Filter | None = None, *, ids: str | int | Sequence[str | int] | None = None,
        dry_run: bool = False, time_zone: str | None = None, timeout_ms: int | None = None, lang: str | None = None,
    ) -> ArchiveResult:
        """Shows archived records in lists again."""
        return cast("ArchiveResult", await self.call(
            "unarchive", collection=collection, ids=ids, filter=filter, dry_run=dry_run, time_zone=time_zone,
            timeout_ms=timeout_ms, lang=lang,
        ))

    async def submit(
        self, collection: str, action: str, id: str | int | None = None, *, fields: Record | None = None,
        attach: str | Sequence[str] | None = None, detach: str | Sequence[str] | None = None,
        expect: Record | None = None, op: str | None = None, dry_run: bool = False, time_zone: str | None = None,
        lang: str | None = None,
    ) -> SubmitResult:
        """Adds, edits or deletes a record, or does another action of its definition."""
        return cast("SubmitResult", await self.call(
            "submit", collection=collection, action=action, id=id, fields=fields, attach=attach, detach=detach,
            expect=expect, op=op, dry_run=dry_run, time_zone=time_zone, lang=lang,
        ))

    async def outbox(
        self, *, action: Literal["list", "get", "wait", "retry", "hold", "drop", "resolve"] = "list",
        ops: str | Sequence[str] | None = None, collection: str | None = None, state: str | None = None,
        fields: Record | None = None, as_: Literal["mine", "done", "again"] | None = None, id: str | int | None = None,
        limit: int | None = None, cursor: str | None = None, lang: str | None = None,
    ) -> OutboxResult:
        """Lists operations that are to go to upstreams, waits for them, and ends doubts and conflicts."""
        return cast("OutboxResult", await self.call("outbox", **{
            "action": action, "ops": ops, "collection": collection, "state": state, "fields": fields, "as": as_,
            "id": id, "limit": limit, "cursor": cursor, "lang": lang,
        }))

    async def attach(
        self, data: str, *, collection: str | None = None, name: str | None = None, size: int | None = None,
        upload: str | None = None, offset: int | None = None, lang: str | None = None,
    ) -> AttachResult:
        """Takes a file, in parts, for an operation that is submitted next."""
        return cast("AttachResult", await self.call(
            "attach", collection=collection, name=name, size=size, upload=upload, offset=offset, data=data, lang=lang,
        ))

    async def refresh(
        self, collection: str | None = None, *, site: str | None = None, wait: bool = False, force: bool = False,
        accept: bool = False, progress: bool = False, lang: str | None = None,
    ) -> RefreshResult:
        """Asks the upstream now."""
        return cast("RefreshResult", await self.call(
            "refresh", collection=collection, site=site, wait=wait, force=force, accept=accept, progress=progress,
            lang=lang,
        ))

    async def refreshes(
        self, collection: str | None = None, *, limit: int | None = None, lang: str | None = None,
    ) -> RefreshesResult:
        """Tells the last attempts to refresh collections, the newest first."""
        return cast("RefreshesResult", await self.call("refreshes", collection=collection, limit=limit, lang=lang))

    async def changes(
        self, collection: str | None = None, filter: Filter | None = None, *, view: str | None = None,
        archived: Literal["exclude", "only", "include"] = "exclude", fields: str | Sequence[str] | None = None,
        time_zone: str | None = None, since: str | None = None, cursor: str | None = None, limit: int = 1000,
        timeout_ms: int | None = None, lang: str | None = None,
    ) -> ChangesResult:
        """Tells how the set of a feed has changed since a clock."""
        return cast("ChangesResult", await self.call(
            "changes", collection=collection, filter=filter, view=view, archived=archived, fields=fields,
            time_zone=time_zone, since=since, cursor=cursor, limit=limit, timeout_ms=timeout_ms, lang=lang,
        ))

    async def quarantine(
        self, collection: str, *, action: Literal["list", "get", "retry", "drop"] = "list", entry: int | None = None,
        limit: int | None = None, cursor: str | None = None, lang: str | None = None,
    ) -> QuarantineResult:
        """Lists and answers what an upstream sent that is no record, tries it again, or drops it."""
        return cast("QuarantineResult", await self.call(
            "quarantine", collection=collection, action=action, entry=entry, limit=limit, cursor=cursor, lang=lang,
        ))

    async def forget(
        self, collection: str, *, ids: str | int | Sequence[str | int] | None = None, dry_run: bool = False,
        lang: str | None = None,
    ) -> ForgetResult:
        """Erases a removed collection, or records: with archive marks and history. Nothing brings them back."""
        return cast("ForgetResult", await self.call(
            "forget", collection=collection, ids=ids, dry_run=dry_run, lang=lang,
        ))

    async def try_(
        self, collection: str, *, site: str | None = None, incremental: bool = False, progress: bool = False,
        lang: str | None = None,
    ) -> TryResult:
        """Fetches what the files of a definition ask for, and tells what a refresh would do."""
        return cast("TryResult", await self.call(
            "try", collection=collection, site=site, incremental=incremental, progress=progress, lang=lang,
        ))

    async def deal(self, collection: str | None = None, *, lang: str | None = None) -> DealResult:
        """Answers one record at random, with a line that advertises it."""
        return cast("DealResult", await self.call("deal", collection=collection, lang=lang))

    async def access(self, *, user: str | None = None, lang: str | None = None) -> AccessResult:
        """Tells what a user sees of each collection, and may do in it."""
        return cast("AccessResult", await self.call("access", user=user, lang=lang))

    async def fleet(self, *, lang: str | None = None) -> FleetResult:
        """Tells which hosts share sources with this one, and which of them asks the upstream."""
        return cast("FleetResult", await self.call("fleet", lang=lang))

    # end
