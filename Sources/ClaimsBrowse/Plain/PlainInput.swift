// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Bytes in, lines out: also blank ones, and the last one without a newline; pure.
struct PlainLines {
    private var bytes: [UInt8] = []
    /// The offset of the first byte that belongs to no line yet.
    private var head = 0
    private var hasEnded = false

    /// The maximum length of a line, in bytes; what is longer is cut.
    static let maxLineBytes = 64 << 10

    /// Adds bytes that were read.
    mutating func append(_ read: ArraySlice<UInt8>) {
        if head > 0 {
            bytes.removeSubrange(..<head)
            head = 0
        }
        bytes += read
    }

    /// Notes that no more bytes come.
    mutating func end() { hasEnded = true }

    /// The next line without its end; nil if no whole one is there.
    mutating func next() -> String? {
        let rest = bytes[head...]
        if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            head = newline + 1
            return Self.text(rest[..<newline])
        }
        guard !rest.isEmpty, hasEnded || rest.count > Self.maxLineBytes else { return nil }
        head = bytes.count
        return Self.text(rest)
    }

    private static func text(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return String(decoding: line.prefix(maxLineBytes), as: UTF8.self)
    }
}

/// The lines of standard input, and the wait for them or for something else.
final class PlainInput {
    /// The end of a wait.
    enum Arrival: Equatable {
        case line(String)
        /// The input has ended.
        case end
        /// The other descriptor has something to read.
        case other
        /// The time is over.
        case time
    }

    /// Standard input, which is closed with this object: nothing else reads it.
    private let descriptor = FileDescriptor(owning: 0)
    private var lines = PlainLines()
    private var hasEnded = false
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)

    /// The next line; nil at the end of the input.
    func line() -> String? {
        guard case .line(let line) = next(or: nil, before: nil) else { return nil }
        return line
    }

    /// Waits for a line, for another descriptor, or for a time of the monotonic clock. A line that is there goes first.
    func next(or other: Int32?, before deadline: UInt64?) -> Arrival {
        while true {
            if let line = lines.next() { return .line(line) }
            if hasEnded { return .end }
            // A descriptor below 0 is passed over (poll(2)).
            var entries = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            // The array outlives the call, which has no form for two descriptors that takes a span.
            let count = unsafe poll(&entries, 2, Self.milliseconds(until: deadline))
            if count < 0, errno == EINTR { continue }
            if count == 0, deadline != nil { return .time }
            if entries[0].revents != 0 || count < 0 {
                read()
            } else if entries[1].revents != 0 {
                return .other
            }
        }
    }

    private func read() {
        let count = (try? descriptor.read(into: &chunk)) ?? 0
        if count > 0 {
            lines.append(chunk[..<count])
        } else {
            hasEnded = true
            lines.end()
        }
    }

    private static func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = SystemClock.monotonic
        return now >= deadline ? 0 : Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }
}
