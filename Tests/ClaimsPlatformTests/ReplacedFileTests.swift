// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@Suite struct ReplacedFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder("f.csv") }
    private var leftover: String { folder(".f.csv.new") }

    init() throws { folder = try TemporaryFolder() }

    private func open(permissions: UInt32? = nil) throws -> ReplacedFile {
        try ReplacedFile(path, suffix: ".new", permissions: permissions)
    }

    private func write(_ text: String, to file: borrowing ReplacedFile) {
        let bytes = Array(text.utf8)
        #expect(unsafe Glibc.write(file.descriptor, bytes, bytes.count) == bytes.count)
    }

    @discardableResult
    private func replace(
        with text: String, time: Int64? = nil, keepsEqual: Bool = true, permissions: UInt32? = nil
    ) throws -> ReplacedFile.Outcome {
        let file = try open(permissions: permissions)
        write(text, to: file)
        return try file.commit(time: time, keepsEqual: keepsEqual)
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0)
        return status
    }

    @Test func `a reader sees the old content until the new one is whole`() throws {
        try replace(with: "old")
        let before = status(path).st_ino
        let file = try open()
        write("new", to: file)
        #expect(try Files.readText(path, cap: 10) == "old")
        #expect(try file.commit(time: nil, keepsEqual: true) == .replaced)
        #expect(try Files.readText(path, cap: 10) == "new")
        #expect(status(path).st_ino != before)
        #expect(try Directory.list(folder.path) == ["f.csv"])
    }

    @Test func `equal bytes leave the file and give it the time, and what is given up leaves both`() throws {
        try replace(with: "same", time: 1_000_500)
        let before = status(path)
        #expect(Files.modified(path) == 1_000_500)
        #expect(try replace(with: "same", time: 2_000_000) == .unchanged)
        #expect(status(path).st_ino == before.st_ino && Files.modified(path) == 2_000_000)
        #expect(try replace(with: "same") == .unchanged)
        #expect(Files.modified(path) == 2_000_000)
        #expect(try replace(with: "same", time: -1) == .unchanged)
        #expect(Files.modified(path) == -1)
        do {
            let file = try open()
            write("other", to: file)
        }
        #expect(status(path).st_ino == before.st_ino)
        #expect(try Directory.list(folder.path) == ["f.csv"])
        #expect(try replace(with: "same", keepsEqual: false) == .replaced)
        #expect(status(path).st_ino != before.st_ino)
    }

    @Test func `bytes are compared beyond the first piece`() throws {
        let long = String(repeating: "x", count: 200_000)
        try replace(with: long + "a")
        let before = status(path).st_ino
        #expect(try replace(with: long + "a") == .unchanged)
        #expect(status(path).st_ino == before)
        #expect(try replace(with: long + "b") == .replaced)
        #expect(try replace(with: long) == .replaced)
    }

    @Test func `the mode of the file before stays, and nobody reads the new content who could not read it`() throws {
        try replace(with: "secret")
        try Files.setPermissions(path, 0o640)
        let file = try open(permissions: 0o644)
        #expect(Files.permissions(leftover) == 0o600)
        write("newer", to: file)
        _ = try file.commit(time: nil, keepsEqual: true)
        #expect(Files.permissions(path) == 0o640)
    }

    @Test func `a new file has the mode that was asked for`() throws {
        try replace(with: "x", permissions: 0o604)
        #expect(Files.permissions(path) == 0o604)
    }

    @Test(.enabled(if: getuid() == 0)) func `the group of the file before stays`() throws {
        try replace(with: "x")
        #expect(unsafe chown(path, uid_t.max, 7) == 0)
        try replace(with: "y")
        #expect(Files.owner(path)?.group == 7)
    }

    @Test func `a second process is refused while a first one writes, and a leftover is removed`() throws {
        let first = try open()
        let error = #expect(throws: SystemError.self) { _ = try open().descriptor }
        #expect(error?.errno == EWOULDBLOCK)
        write("first", to: first)
        _ = try first.commit(time: nil, keepsEqual: true)
        for make in [
            { try Files.writeAtomically(leftover, Array("left by a process that was killed".utf8)) },
            { #expect(unsafe symlink("/etc/passwd", leftover) == 0) }, { #expect(unsafe mkfifo(leftover, 0o600) == 0) },
        ] as [() throws -> Void] {
            try make()
            try replace(with: "second", keepsEqual: false)
            #expect(try Directory.list(folder.path) == ["f.csv"])
            #expect(try Files.readText(path, cap: 10) == "second")
        }
        #expect(try Files.readText("/etc/passwd", cap: 1 << 20).contains("root"))
    }

    @Test func `a link is followed, and what is no regular file is refused`() throws {
        try Directory.create(folder("elsewhere"))
        #expect(unsafe symlink("elsewhere/target", path) == 0)
        try replace(with: "x")
        #expect(try Files.readText(folder("elsewhere/target"), cap: 10) == "x" && Files.readLink(path) != nil)
        #expect(try Directory.list(folder("elsewhere")) == ["target"])
        for (name, errno) in [("elsewhere", EISDIR), ("pipe", EINVAL)] {
            _ = unsafe mkfifo(folder("pipe"), 0o600)
            let error = #expect(throws: SystemError.self) {
                _ = try ReplacedFile(folder(name), suffix: ".new").descriptor
            }
            #expect(error?.errno == errno)
        }
        let error = #expect(throws: SystemError.self) {
            _ = try ReplacedFile("/dev/null", suffix: ".new").descriptor
        }
        #expect(error?.errno == EINVAL)
    }

    @Test func `the file can be removed, and with it what was written`() throws {
        try replace(with: "x")
        let file = try open()
        write("y", to: file)
        #expect(try file.remove())
        #expect(try Directory.list(folder.path).isEmpty)
        #expect(try open().remove() == false)
        #expect(try Directory.list(folder.path).isEmpty)
    }
}
