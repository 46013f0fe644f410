// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@Suite struct UnixSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `bytes go both ways through a listener`() throws {
        let path = folder("s")
        let listener = try UnixSocket.listen(path: path)
        #expect(try UnixSocket.accept(listener.raw) == nil)
        let client = try UnixSocket.connect(path: path, timeout: .seconds(1))
        guard let server = try UnixSocket.accept(listener.raw) else {
            Issue.record("a connection waits")
            return
        }
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(try UnixSocket.receive(server.raw, into: &buffer, at: 0) == .wouldBlock)
        try client.write(Array("abc".utf8))
        #expect(try UnixSocket.receive(server.raw, into: &buffer, at: 2) == .bytes(3))
        #expect(Array(buffer[2..<5]) == Array("abc".utf8))
        let answer = Array("defg".utf8)
        #expect(try UnixSocket.send(server.raw, answer, from: 1) == .bytes(3))
        #expect(try client.wait(for: .read, timeout: .seconds(5)))
        #expect(try client.read(into: &buffer) == 3)
        #expect(Array(buffer[..<3]) == Array("efg".utf8))
    }

    @Test func `two ranges are sent as one`() throws {
        let pair = try UnixSocket.pair()
        let (first, second) = (Array("head ".utf8), Array("tail".utf8))
        #expect(try unsafe UnixSocket.send(pair.writing.raw, first.span.bytes, second.span.bytes) == .bytes(9))
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(try UnixSocket.receive(pair.reading.raw, into: &buffer, at: 0) == .bytes(9))
        #expect(Array(buffer[..<9]) == first + second)
    }

    @Test func `a peer that does not read ends in wouldBlock, one that left in closed`() throws {
        var pair = try UnixSocket.pair()
        let block = [UInt8](repeating: 1, count: 1 << 16)
        var last = Transfer.bytes(0)
        while case .bytes = last { last = try UnixSocket.send(pair.writing.raw, block) }
        #expect(last == .wouldBlock)
        pair.reading = try FileDescriptor.open("/dev/null", .read)
        #expect(try UnixSocket.send(pair.writing.raw, block) == .closed)
    }

    @Test func `the socket file has the permissions asked for, whatever the umask`() throws {
        let listener = try UnixSocket.listen(path: folder("s"), permissions: 0o666, group: getgid())
        var status = stat()
        #expect(unsafe stat(folder("s"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o666)
        _ = listener.raw
    }

    @Test func `a stale socket file is replaced`() throws {
        let path = folder("s")
        do { _ = try UnixSocket.listen(path: path).raw }
        #expect(Files.exists(path))
        let listener = try UnixSocket.listen(path: path)
        _ = try UnixSocket.connect(path: path, timeout: .seconds(1)).raw
        _ = listener.raw
    }

    @Test func `a socket in use is not replaced, and its process is named`() throws {
        let path = folder("s")
        let listener = try UnixSocket.listen(path: path)
        let error = #expect(throws: SystemError.self) { _ = try UnixSocket.listen(path: path).raw }
        #expect(error?.errno == EADDRINUSE)
        #expect(error?.message == "cannot listen at \(path): process \(getpid()) listens there")
        _ = listener.raw
    }

    @Test func `a file that is no socket is never removed`() throws {
        let path = folder("s")
        try Files.writeAtomically(path, [1, 2, 3])
        let error = #expect(throws: SystemError.self) { _ = try UnixSocket.listen(path: path).raw }
        #expect(error?.errno == EADDRINUSE)
        #expect(try Files.readAll(path, cap: 10) == [1, 2, 3])
    }

    @Test func `a path that is too long is an error`() throws {
        let path = folder(String(repeating: "x", count: UnixSocket.pathLimit))
        let error = #expect(throws: SystemError.self) { _ = try UnixSocket.listen(path: path).raw }
        #expect(error?.errno == ENAMETOOLONG)
    }

    @Test func `connecting to nobody is an error`() throws {
        let missing = #expect(throws: SystemError.self) {
            _ = try UnixSocket.connect(path: folder("none"), timeout: .seconds(1)).raw
        }
        #expect(missing?.isNotFound == true)
    }

    @Test func `connecting to a full backlog times out`() throws {
        let path = folder("s")
        let listener = try UnixSocket.listen(path: path, backlog: 0)
        let first = try UnixSocket.connect(path: path, timeout: .seconds(1))
        let error = #expect(throws: SystemError.self) {
            _ = try UnixSocket.connect(path: path, timeout: .milliseconds(20)).raw
        }
        #expect(error?.errno == ETIMEDOUT)
        _ = (listener.raw, first.raw)
    }

    @Test func `the peer's credentials are this process's`() throws {
        let pair = try UnixSocket.pair()
        let peer = try PeerCredentials(of: pair.reading.raw)
        #expect(peer.pid == getpid())
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        #expect(peer.isMember(of: getegid()))
        var groups = [gid_t](repeating: 0, count: 65536)
        let count = unsafe Int(getgroups(Int32(groups.count), &groups))
        #expect(peer.groups == Array(groups[..<count]))
        let brief = try PeerCredentials(of: pair.reading.raw, withGroups: false)
        #expect(brief == PeerCredentials(pid: peer.pid, uid: peer.uid, gid: peer.gid, groups: []))
    }
}
