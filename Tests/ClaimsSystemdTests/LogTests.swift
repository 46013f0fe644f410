// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@testable import ClaimsSystemd

@Suite struct LogTests {
    @Test func `an entry is one readable line`() throws {
        let pipe = try FileDescriptor.pipe()
        let log = Log(form: .lines(pipe.writing.raw))
        log.write(.info, "claimsd is ready", event: .ready)
        log.write(
            .warning, "the source fails", event: .sourceFailing, fields: [.collection("things"), .httpStatus(502)])
        log.write(.debug, "nobody sees this")
        log.write(.critical, "bad", fields: [.reason("a\nb\u{1b}[31m")])
        log.write(.critical, "no room", event: .storageFull, fields: [.path("/x"), .reason("full")])
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try pipe.reading.read(into: &buffer)
        #expect(
            String(decoding: buffer[..<count], as: UTF8.self) == """
                claimsd is ready
                WARNING: the source fails (collection=things, http_status=502)
                CRITICAL: bad: a\\x0ab\\x1b[31m
                CRITICAL: no room: full (path=/x)

                """)
    }

    @Test func `what an entry quotes cannot turn the text of a log around or hide in it`() {
        let text = "a\u{61C}\u{180E}\u{AD}\u{202E}\u{2066}\u{2028}\u{FEFF}\u{FFF9}\u{9B}\u{E0041}ż z"
        let shown = #"a\u061c\u180e\xad\u202e\u2066\u2028\ufeff\ufff9\x9b\u{e0041}ż z"#
        #expect(Log.escaped(text) == shown)
        #expect(Log.line(.info, "it fails", [.reason(text)]) == "it fails: \(shown)\n")
    }

    @Test func `the journal is used only where standard error is the journal`() {
        var status = stat()
        unsafe fstat(2, &status)
        #expect(Log.standardErrorForm(journalStream: nil) == .lines(2))
        #expect(Log.standardErrorForm(journalStream: "0:1") == .lines(2))
        #expect(Log.standardErrorForm(journalStream: "nonsense") == .lines(2))
        #expect(Log.standardErrorForm(journalStream: "\(status.st_dev):\(status.st_ino)") == .journal)
    }

    @Test func `an entry for a journal that is not there is lost quietly`() {
        Log(form: .journal).write(.debug, "x")
        Log(form: .journal, threshold: .debug).write(
            .debug, "claimsd's own tests", event: .ready, fields: [.records(1)])
    }

    @Test func `every event has a number of its own, and is explained in the catalogue`() throws {
        let catalogue = try Files.readText(Paths.join(packageFolder(), "systemd/claimsd.catalog"), cap: 1 << 20)
        let explained = catalogue.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(explained == LogEvent.allCases.map(\.rawValue))
        #expect(Set(explained).count == explained.count)
        for number in explained {
            #expect(number.utf8.count == 32 && number.allSatisfy(\.isHexDigit) && number == number.lowercased())
        }
    }

    @Test func `the catalogue compiles`() throws {
        let folder = try Directory.temporary(prefix: "claimsd-catalog")
        defer { try? Directory.remove(folder) }
        try Directory.create(Paths.join(folder, "usr/lib/systemd/catalog"))
        let catalogue = try Files.readAll(Paths.join(packageFolder(), "systemd/claimsd.catalog"), cap: 1 << 20)
        try Files.writeAtomically(Paths.join(folder, "usr/lib/systemd/catalog/claimsd.catalog"), catalogue)
        let output = try FileDescriptor.temporary(in: folder)
        let child = try ChildProcess(
            "journalctl", ["--root=\(folder)", "--update-catalog"], output: output.raw, error: output.raw)
        let status = child.wait()
        let text = String(decoding: try output.read(4096, at: 0), as: UTF8.self)
        #expect(status == .exited(0), "\(text)")
        #expect(text == "")
    }

    @Test func `names are looked up, and numbers are taken as they are`() {
        #expect(NameService.user("root") == 0)
        #expect(NameService.group("root") == 0)
        #expect(NameService.user("1234") == 1234)
        #expect(NameService.group("1234") == 1234)
        #expect(NameService.user("no-such-user-here") == nil)
        #expect(NameService.group("no-such-group-here") == nil)
    }

    /// The folder with Package.swift, from where this file was when it was compiled.
    private func packageFolder(_ file: String = #filePath) -> String {
        Paths.parent(Paths.parent(Paths.parent(file)))
    }
}
