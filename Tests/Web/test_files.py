# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The files of the page: their bounds, what must not stand in them, and their words beside those of claimsctl."""

import hashlib
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from stage import BIN, ROOT

WEB = ROOT / "Sources/cockpit/claims"
MODULES = sorted((WEB / "page").glob("*.js"))
FILES = [path for path in WEB.rglob("*") if path.is_file()]
MAX_BYTES, MAX_LINES, MAX_MODULES = 270 << 10, 400, 24
# Browsers keep these for a day, so an older one must work with any newer version.
KEPT = {
    "index.html": "780c7ac6bd8f285d493ce011b0d4a853af345a37182e0f0f57d951e5608bb265", "link.html": "3c36669f95f6e470e6ced0205667e895286f7b1e738431769995d4e6a3f82875", "start.js": "4ea35560fc899e308116199568f4e267b7316d57436781d37b69418ce6481492",
}
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws: wss:; img-src 'self' blob:; "
    "frame-src 'self'; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'")


class FileTests(unittest.TestCase):
    """What is installed."""

    def test_the_files_keep_their_bounds(self) -> None:
        self.assertLessEqual(sum(path.stat().st_size for path in FILES), MAX_BYTES)
        self.assertLessEqual(len(MODULES), MAX_MODULES)
        for path in FILES:
            self.assertLessEqual(len(path.read_text().splitlines()), MAX_LINES, path.name)

    def test_imports_have_no_cycle(self) -> None:
        imports = {
            path.name: set(re.findall(r'^(?:import|\}|export).* from "\./(\w+\.js)";$', path.read_text(), re.M)) for path in MODULES
        }
        while imports:
            free = [name for name, wanted in imports.items() if not wanted & imports.keys()]
            self.assertTrue(free, f"a cycle among {imports}")
            for name in free:
                del imports[name]

    def test_what_browsers_keep_does_not_change(self) -> None:
        for name, digest in KEPT.items():
            self.assertEqual(hashlib.sha256((WEB / name).read_bytes()).hexdigest(), digest, name)

    def test_the_policy_is_that_of_the_contract(self) -> None:
        self.assertEqual(json.loads((WEB / "manifest.json").read_text())["content-security-policy"], CSP)

    def test_text_never_becomes_markup_code_or_style(self) -> None:
        forbidden = re.compile(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setHTML|createContextualFragment"
            r"|\.style\b|\"style\"|style:|sessionStorage|indexedDB|document\.cookie")
        for path in FILES:
            if path.suffix in (".js", ".html"):
                self.assertEqual(forbidden.findall(path.read_text()), [], path.name)

    def test_the_version_names_its_folder_and_all_modules(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["make", "--no-print-directory", "install-web", f"DESTDIR={folder}", "PREFIX=/usr", f"BIN={BIN}"],
                cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            made = pathlib.Path(folder) / "usr/share/cockpit/claims"
            described = json.loads((made / "version.json").read_text())
            version = subprocess.run([BIN / "claimsd", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
            self.assertEqual(described["version"], version)
            names = {path.name for path in (made / version).iterdir()}
            self.assertEqual(names, set(described["modules"]) | set(described["styles"]))
            self.assertEqual({path.stat().st_mode & 0o777 for path in made.rglob("*") if path.is_file()}, {0o644})


def words() -> dict[str, tuple[str, str]]:
    """The words of the page: their keys, in English and Polish."""
    table = (WEB / "page/words.js").read_text().split("export const words = {")[1].split("\n};")[0]
    pairs = re.findall(r'(?:^    |, )"?([\w.]+)"?: \[\s*("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*"),?\s*\]', table, re.M)
    assert len(pairs) == len(re.findall(r'"?[\w.]+"?: \[\s*"', table)), "all words are read"
    return {key: (json.loads(english), json.loads(polish)) for key, english, polish in pairs}


class WordTests(unittest.TestCase):
    """The words of the page."""

    def setUp(self) -> None:
        self.words = words()

    def test_both_languages_take_the_same_arguments(self) -> None:
        for key, (english, polish) in self.words.items():
            allowed = set(re.findall(r"\{(\w+)\}", english)) | {"whole", "title"}
            self.assertLessEqual(set(re.findall(r"\{(\w+)\}", polish)), allowed, key)

    def test_all_words_are_used_and_all_used_ones_are_there(self) -> None:
        source = "\n".join(path.read_text() for path in MODULES if path.name != "words.js")
        used = set(re.findall(r'"([\w.]+)"', source)) | set(re.findall(r"(?:say|turn)\(\"?([\w.]+)", source))
        prefixes = set(re.findall(r"[`\"](\w+)(?:\"|\.\$\{)", source))
        unused = [key for key in self.words if key not in used and key.split(".")[0] not in prefixes]
        self.assertEqual(unused, [])
        said = set(re.findall(r'(?:say|phrase|notify)\("([\w.]+)"', source))
        self.assertEqual(said - self.words.keys(), set())

    def test_what_claimsctl_says_too_it_says_in_the_same_words(self) -> None:
        known = swift_texts()
        section = (WEB / "page/words.js").read_text().split("// The state of data")[1].split("\n\n")[0]
        # The last four are put together there, of parts that are compared.
        own = {
            "archivedMark", "otherGroup", "limited", "noneYouMaySee", "isID", "oldSite", "oldSites", "notLiveBecause", "unableBecause",
        }
        missing = []
        for key in re.findall(r'^    "?([\w.]+)"?: \[', section, re.M):
            pair = tuple(re.sub(r"\{\w+\}", "…", text).rstrip(".:") for text in self.words[key])
            if key not in own and not any(pair[0] in english and pair[1] in polish for english, polish in known):
                missing.append((key, pair))
        self.assertEqual(missing, [])


def swift_texts() -> list[tuple[str, str]]:
    """The pairs of texts in the sources of claimsctl, with … for what is put in."""
    pairs = []
    folders = ("ClaimsTerminal", "ClaimsBrowse")
    for path in (path for folder in folders for path in (ROOT / "Sources" / folder).rglob("*.swift")):
        source = path.read_text()
        for match in re.finditer(r'text\(\s*en:\s*', source):
            english, end = literal(source, match.end())
            between = re.match(r",\s*pl:\s*", source[end:])
            if between:
                pairs.append((english, literal(source, end + between.end())[0]))
    return pairs


def literal(source: str, at: int) -> tuple[str, int]:
    """A string of Swift from its quote on, with its interpolations as …, and where it ends; sums are joined."""
    if source[at] != '"':
        return "…", re.compile(r"[\w.()]*").match(source, at).end()  # type: ignore[union-attr]
    text, at = "", at + 1
    while source[at] != '"':
        if source.startswith("\\(", at):
            depth, at = 1, at + 2
            while depth:
                depth += {"(": 1, ")": -1}.get(source[at], 0)
                at += 1
            text += "…"
        else:
            text += source[at]
            at += 1
    following = re.match(r'\s*\+\s*(?=")', source[at + 1:])
    if following:
        rest, end = literal(source, at + 1 + following.end())
        return text + rest, end
    return text, at + 1
