// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@Suite struct FilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file is read up to its cap and not beyond`() throws {
        let bytes = [UInt8](repeating: 7, count: 5000)
        try Files.writeAtomically(folder("f"), bytes, permissions: 0o600)
        #expect(try Files.readAll(folder("f"), cap: 5000) == bytes)
        let error = #expect(throws: SystemError.self) { try Files.readAll(folder("f"), cap: 4999) }
        #expect(error?.errno == EFBIG)
        #expect(Files.size(folder("f")) == 5000)
        #expect(try Directory.list(folder.path) == ["f"])
    }

    @Test func `a file of unknown size is read whole`() throws {
        #expect(try Files.readText("/proc/self/status", cap: 1 << 20).hasPrefix("Name:"))
    }

    @Test func `a missing file is told as such`() {
        let error = #expect(throws: SystemError.self) { try Files.readAll(folder("none"), cap: 10) }
        #expect(error?.isNotFound == true)
        #expect(error?.message == "cannot open \(folder("none")): No such file or directory")
    }

    @Test func `bytes are written and read at offsets`() throws {
        let file = try FileDescriptor.open(folder("f"), .create(permissions: 0o600))
        try file.write(Array("0123456789".utf8))
        try unsafe file.write(Array("xy".utf8).span.bytes, at: 4)
        #expect(try file.read(4, at: 3) == Array("3xy6".utf8))
        #expect(try file.read(10, at: 8) == Array("89".utf8))
        try file.truncate(to: 5)
        #expect(try file.size() == 5)
        try file.sync()
        #expect(throws: SystemError.self) { _ = try FileDescriptor.open(folder("f"), .create(permissions: 0o600)).raw }
    }

    @Test func `a temporary file has no name`() throws {
        let file = try FileDescriptor.temporary(in: folder.path)
        try file.write([1, 2, 3])
        #expect(try Directory.list(folder.path) == [])
        let map = try MappedFile(file)
        #expect(unsafe map.bytes.unsafeLoad(fromByteOffset: 2, as: UInt8.self) == 3)
    }

    @Test func `a mapping outlives its file's name`() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        try Files.writeAtomically(folder("f"), bytes)
        let map = try MappedFile(.open(folder("f"), .read))
        map.advise(.random)
        Files.remove(folder("f"))
        #expect(map.size == 10_000)
        let span = map.bytes
        var isEqual = true
        for index in 0..<10_000 where unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self) != bytes[index] {
            isEqual = false
        }
        #expect(isEqual)
    }

    @Test func `an empty file can be mapped`() throws {
        try Files.writeAtomically(folder("f"), [])
        let map = try MappedFile(.open(folder("f"), .read))
        #expect(map.bytes.byteCount == 0)
        map.advise(.soon)
    }

    @Test func `elements of a mapping are checked for bounds and alignment`() throws {
        try Files.writeAtomically(folder("f"), [1, 0, 0, 0, 2, 0, 0, 0, 3])
        let map = try MappedFile(.open(folder("f"), .read))
        #expect(map.elements(of: UInt32.self, at: 4, count: 1)?[0] == 2)
        #expect(map.elements(of: UInt32.self, at: 0, count: 2)?.count == 2)
        #expect(map.elements(of: UInt32.self, at: 0, count: 3)?.count == nil)
        #expect(map.elements(of: UInt32.self, at: 1, count: 1)?.count == nil)
        #expect(map.elements(of: UInt32.self, at: -4, count: 1)?.count == nil)
        #expect(map.elements(of: UInt32.self, at: 0, count: .max)?.count == nil)
        #expect(map.elements(of: UInt32.self, at: .max - 3, count: 1)?.count == nil)
        #expect(map.elements(of: UInt8.self, at: 9, count: 0)?.count == 0)
    }

    @Test func `a folder that cannot be made in one that is there is an error`() {
        #expect(throws: SystemError.self) { try Directory.create("/proc/claimsd-test/a") }
    }

    @Test func `folders are made with those above them, and removed with all in them`() throws {
        let deep = folder("a/b/c")
        try Directory.create(deep, permissions: 0o700)
        try Directory.create(deep, permissions: 0o755)
        var status = stat()
        #expect(unsafe stat(deep, &status) == 0 && status.st_mode & 0o777 == 0o700)
        try Files.writeAtomically(deep + "/f", [1])
        #expect(unsafe symlink(folder.path, deep + "/link") == 0)
        try Directory.remove(folder("a"))
        #expect(try Directory.list(folder.path) == [])
        try Directory.remove(folder("a"))
    }

    @Test func `a file where a folder should be is an error`() throws {
        try Files.writeAtomically(folder("f"), [])
        #expect(throws: SystemError.self) { try Directory.create(folder("f")) }
        #expect(throws: SystemError.self) { try Directory.create(folder("f/g")) }
    }

    @Test func `free space and sizes are told`() throws {
        let space = try Directory.space(folder.path)
        #expect(space.free > 0 && space.free <= space.total)
        try Files.writeAtomically(folder("f"), [UInt8](repeating: 1, count: 8192))
        #expect(Directory.size(folder.path) >= 8192)
        #expect(Directory.size(folder("none")) == 0)
    }

    @Test func `a lock is held once, and names its holder`() throws {
        do {
            let lock = try FileLock(path: folder("lock"))
            let error = #expect(throws: SystemError.self) { _ = try FileLock(path: folder("lock")) }
            #expect(error?.message == "cannot lock \(folder("lock")): process \(getpid()) holds it")
            lock.unlock()
        }
        try FileLock(path: folder("lock")).unlock()
    }

    @Test func `paths are joined and taken apart`() {
        #expect(Paths.join("/a", "b") == "/a/b")
        #expect(Paths.join("/a/", "b") == "/a/b")
        #expect(Paths.join("/a", "/b") == "/b")
        #expect(Paths.parent("/a/b") == "/a")
        #expect(Paths.parent("/a") == "/")
        #expect(Paths.parent("a") == ".")
        #expect(Paths.name("/a/b.c") == "b.c")
        #expect(Paths.name("b") == "b")
    }

    @Test func `bytes are found where they are`() {
        let text = Array("the quick brown fox".utf8)
        #expect(unsafe ByteSearch.firstIndex(of: Array("brown".utf8).span.bytes, in: text.span.bytes) == 10)
        #expect(unsafe ByteSearch.firstIndex(of: Array("browns".utf8).span.bytes, in: text.span.bytes) == nil)
        #expect(unsafe ByteSearch.firstIndex(of: [UInt8]().span.bytes, in: text.span.bytes) == 0)
        #expect(unsafe ByteSearch.firstIndex(of: UInt8(ascii: "q"), in: text.span.bytes) == 4)
        #expect(unsafe ByteSearch.firstIndex(of: UInt8(ascii: "q"), in: text.span.bytes, from: 5) == nil)
        #expect(unsafe ByteSearch.firstIndex(of: UInt8(ascii: "x"), in: text.span.bytes, from: 18) == 18)
        #expect(unsafe ByteSearch.firstIndex(of: UInt8(ascii: "x"), in: text.span.bytes, from: 19) == nil)
    }
}
