# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the tests: each class has a stage and shares one browser."""

import pathlib
import sys
import tempfile
import time
import unittest

import fixture
from chromium import Chromium


def chosen(suite: unittest.TestSuite, names: list[str]) -> unittest.TestSuite:
    """The tests whose names have one of these as a part; all without any."""
    found = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            found.addTest(chosen(test, names))
        elif not names or any(name in test.id() for name in names):
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


def main() -> int:
    """The exit status."""
    here = pathlib.Path(__file__).parent
    suite = chosen(unittest.defaultTestLoader.discover(str(here), "test_*.py"), sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="claimsd-web.", ignore_cleanup_errors=True) as folder:
        fixture.folder = pathlib.Path(folder)
        fixture.browser = Chromium(fixture.folder)
        try:
            result = unittest.TextTestRunner(sys.stdout, verbosity=0, resultclass=Result).run(suite)
        finally:
            fixture.browser.close()
    failed = len(result.failures) + len(result.errors)
    print(f"web: {result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed or result.testsRun == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
