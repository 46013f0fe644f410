// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Testing

@Suite struct BorrowedDescriptorTests {
    @Test func `a read ends in bytes, in wouldBlock or at the end of the input`() throws {
        var pair = try UnixSocket.pair()
        let input = BorrowedDescriptor(pair.reading.raw)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(try input.read(into: &buffer) == .wouldBlock)
        try pair.writing.write(Array("abc".utf8))
        #expect(try input.wait(for: .read, before: nil))
        #expect(try input.read(into: &buffer) == .bytes(3))
        #expect(buffer[..<3] == Array("abc".utf8)[...])
        pair.writing = try FileDescriptor.open("/dev/null", .update)
        #expect(try input.wait(for: .read, before: nil))
        #expect(try input.read(into: &buffer) == .closed)
    }

    @Test func `a write takes a part, and ends in wouldBlock or closed`() throws {
        var pipe = try FileDescriptor.pipe()
        try pipe.writing.setNonblocking(true)
        let output = BorrowedDescriptor(pipe.writing.raw)
        let block = [UInt8](repeating: 7, count: 1 << 16)
        #expect(try output.write(block, in: 2..<5) == .bytes(3))
        var last = Transfer.bytes(0)
        while case .bytes = last { last = try output.write(block, in: 0..<block.count) }
        #expect(last == .wouldBlock)
        #expect(try !output.wait(for: .write, before: SystemClock.monotonic))
        // A write into a pipe without a reader raises SIGPIPE, which tests ignore as the programs do.
        signal(SIGPIPE, SIG_IGN)
        pipe.reading = try FileDescriptor.open("/dev/null", .read)
        #expect(try output.write(block, in: 0..<1) == .closed)
    }

    @Test func `a wait for several passes over those below 0 and tells which is ready`() throws {
        let silent = try UnixSocket.pair()
        let talking = try UnixSocket.pair()
        try talking.writing.write([1])
        var entries = [
            Readiness.entry(-1, .read), Readiness.entry(silent.reading.raw, .read),
            Readiness.entry(talking.reading.raw, .read),
        ]
        #expect(try Readiness.wait(for: &entries, before: nil))
        #expect(entries.map { $0.revents != 0 } == [false, false, true])
        entries.removeLast()
        #expect(try !Readiness.wait(for: &entries, before: SystemClock.monotonic))
        #expect(entries.allSatisfy { $0.revents == 0 })
    }

    @Test func `a deadline beyond all times waits as long as it takes`() throws {
        let pair = try UnixSocket.pair()
        try pair.writing.write([1])
        #expect(try BorrowedDescriptor(pair.reading.raw).wait(for: .read, before: .max))
    }
}
