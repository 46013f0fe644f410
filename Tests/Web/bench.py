# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Measures the page against its limits, beside the bare socket in the same run.

    CLAIMSD_BIN=.build/bin Tests/Web/run --bench [--records N] [--minutes N]

Times are taken within the page, from a key's event to the frame after the one in which its rows stand. While it
measures, 200 records a second are archived and brought back; `--minutes` is how long the page then only stands open.
The exit status is 1 if something misses its limit.
"""

import argparse
import json
import pathlib
import random
import socket
import sys
import tempfile
import threading
import time
from typing import Any

import fixture
from chromium import Chromium, Page
from stage import SOCKET, Stage

ROUNDS = 15
PHASES = ("open", "waiting", "closed", "broken")
DEFINITION = """{ title: "Items", singular: "item", source: { url: "file://%s", interval: "1d" }, fields: {
    id: { type: "id", from: ["/id"] }, heading: { type: "text", from: ["/heading"], search: true, bold: true },
    remark: { type: "text", from: ["/remark"], search: true }, phase: { type: "enum", from: ["/phase"], vocabulary: "phase" },
    price: { type: "decimal", from: ["/price"] } },
    vocabularies: { phase: { fallback: "other", absent: null, codes: { %s, other: { rank: -1, label: { en: "other" } } } } },
    sort: ["id"], list: ["id", "heading", "phase", "price"], archive: true, writes: null }"""
# In the driver's world: notes the time from a key, or from the beginning of the document, to the frame after the rows.
STOPWATCH = """function() {
    globalThis.found = [];
    globalThis.tasks = [];
    let begun = null;
    const note = () => {
        const since = begun;
        begun = null;
        if (since !== null) requestAnimationFrame(() => setTimeout(() => found.push(performance.now() - since)));
    };
    document.addEventListener('keydown', event => { begun = event.timeStamp; }, true);
    new MutationObserver(changes => {
        if (changes.some(change => change.target.matches?.('.rows, .body'))) note();
    }).observe(document.querySelector('main'), { subtree: true, childList: true });
    new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask' });
}"""
# In each new document: marks the frame after its first list.
FIRST_LIST = """new MutationObserver((_, observer) => {
    if (!document.querySelector('tr.record')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('first list')));
}).observe(document, { subtree: true, childList: true })"""


def words(number: int) -> list[str]:
    """Words of which some are frequent and most are not."""
    maker = random.Random(1)
    syllables = [a + b for a in "bdfgklmnprstw" for b in ("a", "e", "i", "o", "u", "ar", "en", "il")]
    return ["".join(maker.choices(syllables, k=maker.randint(2, 4))) for _ in range(number)]


def write_records(path: pathlib.Path, number: int, lexicon: list[str]) -> None:
    """Records as a JSON array."""
    maker = random.Random(2)
    last = len(lexicon) - 1
    with open(path, "w", encoding="utf-8") as file:
        for index in range(number):
            text = " ".join(lexicon[min(last, int(maker.paretovariate(0.6)) - 1)] for _ in range(12))
            heading, remark = text.split(" ", 3)[:3], text
            file.write("[" if index == 0 else ",\n")
            file.write(json.dumps({
                "id": f"{index:08}", "heading": " ".join(heading), "remark": remark, "phase": PHASES[index % 4],
                "price": maker.randint(100, 99999) / 100}))
        file.write("]")


class Client:
    """The bare socket."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(SOCKET)
        self.answers = self.socket.makefile("rb")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Asks, and waits for the answer."""
        self.socket.sendall(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
        answer: dict[str, Any] = json.loads(self.answers.readline())
        return answer

    def time(self, method: str, **params: Any) -> float:
        """The milliseconds of a request."""
        begun = time.perf_counter()
        self.ask(method, **params)
        return (time.perf_counter() - begun) * 1000


class Changes:
    """Archives records and brings them back, 200 of them a second."""

    def __init__(self, records: int) -> None:
        self.records = records
        self.number = 0
        self.isStopped = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        client = Client()
        first = archived = 0
        while not self.isStopped.wait(0.05):
            # Of the first page a few, else all over the collection; what one round archives, the next one brings back.
            ids = [f"{(first + n) * (1 if n == 0 else 97) % self.records:08}" for n in range(10)]
            client.ask("unarchive" if archived else "archive", collection="items", ids=ids)
            self.number += len(ids)
            first += 10
            if first >= 1000:
                first, archived = 0, 1 - archived

    def stop(self) -> None:
        """Ends it."""
        self.isStopped.set()
        self.thread.join()


def resident(name: str) -> float:
    """The MiB resident of the programs of which one of the first two words is that name, as the kernel counts them."""
    total = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words_ = (process / "cmdline").read_text(errors="replace").split("\0")[:2]
            if name in (pathlib.Path(word).name for word in words_):
                total += next(int(line.split()[1]) for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
        except (OSError, StopIteration):
            continue
    return total / 1024


def part(values: list[float], share: float) -> float:
    """The value under which a share of the values is."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Bench:
    """One run."""

    def __init__(self, records: int, minutes: float) -> None:
        self.records, self.minutes = records, minutes
        self.rows: list[tuple[str, str, str, bool]] = []
        self.stage = Stage(pathlib.Path(tempfile.mkdtemp(dir=fixture.folder)))

    def tell(self, what: str, value: float, limit: float | None, unit: str = "ms") -> None:
        """Notes a figure, with its limit if it has one."""
        holds = limit is None or value <= limit
        self.rows.append((what, f"{value:,.1f} {unit}", "" if limit is None else f"{limit:,.0f} {unit}", holds))
        print(f"{'' if holds else 'MISSED '}{what}: {value:,.1f} {unit}" + ("" if limit is None else f" (limit {limit:,.0f})"), flush=True)

    def run(self) -> int:
        """Measures all; the exit status."""
        stage = self.stage
        lexicon = words(5000)
        source = stage.folder / "items.json"
        write_records(source, self.records, lexicon)
        codes = ", ".join(f'{name}: {{ rank: {rank}, label: {{ en: "{name}" }} }}' for rank, name in enumerate(PHASES))
        (stage.folder / "config/claimsd.json5").write_text('{ limits: { body: "8G", records: 12000000, transfer: "30min" } }')
        stage.define("items", DEFINITION % (source, codes))
        stage.daemon()
        end = time.monotonic() + 1800
        while not any(one["name"] == "items" and one["total"] for one in stage.ask("status")["collections"]):
            if time.monotonic() > end:
                raise AssertionError("the records do not come")
            time.sleep(0.5)
        address = stage.cockpit()
        page = fixture.browser.page()
        self.measure_start(page, address)
        changes = Changes(self.records)
        try:
            self.measure_keys(page, address, lexicon)
            self.measure_standing(page, changes)
        finally:
            changes.stop()
        self.tell("bridge, resident", resident("cockpit-bridge"), None, "MiB")
        self.tell("claimsd, resident", resident("claimsd"), None, "MiB")
        stage.close()
        return 0 if all(holds for _, _, _, holds in self.rows) else 1

    def measure_start(self, page: Page, address: str) -> None:
        """From the address to the first list, with the session open and the files cached."""
        times, bare = [], []
        page.send("Page.addScriptToEvaluateOnNewDocument", source=FIRST_LIST)
        for round_ in range(ROUNDS + 2):
            page.goto("about:blank")
            page.until("() => location.href === 'about:blank' && document.readyState === 'complete'")
            page.goto(f"{address}#/items")
            found = page.until("() => performance.getEntriesByName('first list')[0]?.startTime")
            begun = time.perf_counter()
            client = Client()
            client.ask("hello", client="bench", protocol=[1, 1])
            client.ask("describe", collection="items")
            client.ask("search", collection="items", anchor="start", limit=50, fields=["id", "heading", "phase", "price"])
            if round_ >= 2:
                times.append(found)
                bare.append((time.perf_counter() - begun) * 1000)
        self.tell("address to the first list, median", part(times, 0.5), 400)
        self.tell("address to the first list, bare socket", part(bare, 0.5), None)

    def measure_keys(self, page: Page, address: str, lexicon: list[str]) -> None:
        """From a key to the painted rows: letters of searches, and pages."""
        page.goto(f"{address}#/items")
        page.see(" of ", ".range")
        page.call(STOPWATCH)
        client = Client()
        maker = random.Random(3)
        bare, letters, pages, bare_pages = [], [], [], []
        query = {"collection": "items", "fields": ["id", "heading", "phase", "price"], "limit": 50, "time_zone": "Europe/Warsaw"}
        for word in (maker.choice(lexicon[:200] if round_ % 2 else lexicon) for round_ in range(ROUNDS * 2)):
            page.focus("input[type=search]")
            for length in range(1, min(len(word), 6) + 1):
                letters.append(self.measure_key(page, word[length - 1]))
                bare.append(client.time("search", **query, anchor="start", filter=f'"{word[:length]}"'))
            self.measure_key(page, "Escape")
        page.focus("a.open[tabindex='0']")
        cursor = None
        for key in ["PageDown"] * ROUNDS * 2 + ["PageUp"] * ROUNDS:
            pages.append(self.measure_key(page, key))
            begun = time.perf_counter()
            cursor = client.ask("search", **query, **({"cursor": cursor} if cursor else {"anchor": "start"}))["result"].get("next")
            bare_pages.append((time.perf_counter() - begun) * 1000)
        for what, times, others in (("key to painted rows", letters, bare), ("paging", pages, bare_pages)):
            for name, share, limit in (("p95", 0.95, 100), ("p99", 0.99, 200)):
                self.tell(f"{what}, {name}", part(times, share), limit)
                self.tell(f"{what}, {name}, bare socket", part(others, share), None)

    @staticmethod
    def measure_key(page: Page, key: str) -> float:
        """Presses a key, and gives the milliseconds to the rows that it brings."""
        before = page.call("function() { return found.length; }")
        page.press(key)
        page.until("n => found.length > n", before)
        found: float = page.call("function() { return found.at(-1); }")
        return found

    def measure_standing(self, page: Page, changes: Changes) -> None:
        """What an open page comes to while records change."""
        page.call("function() { tasks.length = 0; }")
        heap, nodes = 0.0, 0.0
        begun, number = time.monotonic(), changes.number
        while True:
            time.sleep(5)
            page.send("HeapProfiler.collectGarbage")
            metrics = {one["name"]: one["value"] for one in page.send("Performance.getMetrics")["metrics"]}
            heap, nodes = max(heap, metrics["JSHeapUsedSize"] / 2**20), max(nodes, metrics["Nodes"])
            passed = time.monotonic() - begun
            if passed >= self.minutes * 60:
                break
        self.tell("changes a second", (changes.number - number) / passed, None, "")
        self.tell("heap", heap, 24, "MiB")
        self.tell("nodes", nodes, 5000, "")
        self.tell("longest task", max(page.call("function() { return tasks; }"), default=0.0), 50)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="run --bench")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="claimsd-web.", ignore_cleanup_errors=True) as folder:
        fixture.folder = pathlib.Path(folder)
        fixture.browser = Chromium(fixture.folder)
        bench = Bench(options.records, options.minutes)
        try:
            status = bench.run()
        finally:
            bench.stage.close()
            fixture.browser.close()
    print("\n| What | Measured | Limit |\n| --- | ---: | ---: |")
    for what, measured, limit, holds in bench.rows:
        print(f"| {what} | {measured}{'' if holds else ' (missed)'} | {limit} |")
    return status


if __name__ == "__main__":
    sys.exit(main())
