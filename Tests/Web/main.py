# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the tests: each class has a stage and shares one browser."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import fixture
from chromium import Chromium


def chosen(suite: unittest.TestSuite, names: list[str]) -> unittest.TestSuite:
    """The tests whose names have one of these as a part, or are it, with a $ at its end; all without any."""
    found = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            found.addTest(chosen(test, names))
        elif not names or any(name in test.id() + "$" for name in names):
            found.addTest(test)
    return found


class Result(unittest.TextTestResult):
    """Tells each test as it ends, with its time."""

    def startTest(self, test: unittest.TestCase) -> None:
        self.begun = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test: unittest.TestCase) -> None:
        unittest.TestResult.addSuccess(self, test)
        self.stream.writeln(f"✔ {test.id()} ({time.monotonic() - self.begun:.1f} s)")
        self.stream.flush()


def work(suite: unittest.TestSuite) -> bool:
    """Runs tests with a browser of their own; whether all passed."""
    with tempfile.TemporaryDirectory(prefix="claimsd-web.", ignore_cleanup_errors=True) as folder:
        fixture.folder = pathlib.Path(folder)
        fixture.browser = Chromium(fixture.folder)
        try:
            result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=Result).run(suite)
        finally:
            fixture.browser.close()
    failed = len(result.failures) + len(result.errors)
    print(f"counts {result.testsRun - failed - len(result.skipped)} {failed} {len(result.skipped)}", flush=True)
    return failed == 0


def classes(suite: unittest.TestSuite) -> list[str]:
    """The names of the classes of the tests, with their modules."""
    found: dict[str, None] = {}
    for test in suite:
        names = classes(test) if isinstance(test, unittest.TestSuite) else [test.id().rsplit(".", 1)[0]]
        found |= dict.fromkeys(names)
    return list(found)


def main() -> int:
    """The exit status. With CLAIMSD_WEB_WORKERS as many processes divide the classes of the tests, else it runs them."""
    here = pathlib.Path(__file__).parent
    suite = chosen(unittest.defaultTestLoader.discover(str(here), "test_*.py"), sys.argv[1:])
    workers = int(os.environ.pop("CLAIMSD_WEB_WORKERS", "0"))
    if workers == 0:
        return 0 if work(suite) else 1
    parts: list[list[str]] = [[] for _ in range(workers)]
    for name in sorted(classes(suite), key=lambda name: -chosen(suite, [name + "."]).countTestCases()):
        min(parts, key=len).extend(f"{test.id()}$" for test in flat(chosen(suite, [name + "."])))
    outputs = [tempfile.TemporaryFile("w+") for part in parts if part]
    running = [subprocess.Popen([here / "run", *part], stdout=output) for part, output in zip(filter(None, parts), outputs)]
    counts = [0, 0, 0]
    for process, file in zip(running, outputs):
        process.wait()
        file.seek(0)
        output = file.read()
        print(output, end="", flush=True)
        numbers = re.findall(r"^counts (\d+) (\d+) (\d+)$", output, re.M)
        # A worker that did not come to its end has failed.
        counts = [a + int(b) for a, b in zip(counts, numbers[-1] if numbers else ("0", "1", "0"))]
    print(f"web: {counts[0]} passed, {counts[1]} failed, {counts[2]} skipped")
    return 1 if counts[1] or counts[0] == 0 else 0


def flat(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """The tests of a suite and of those in it."""
    return [one for test in suite for one in (flat(test) if isinstance(test, unittest.TestSuite) else [test])]


if __name__ == "__main__":
    sys.exit(main())
