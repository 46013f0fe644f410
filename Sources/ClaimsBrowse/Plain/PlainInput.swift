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

    /// Records that no more bytes come.
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
            var entries = [Readiness.entry(0, .read), Readiness.entry(other ?? -1, .read)]
            do throws(SystemError) {
                guard try Readiness.wait(for: &entries, before: deadline) else { return .time }
                if entries[0].revents == 0 { return .other }
                let count = try descriptor.read(into: &chunk)
                if count > 0 { lines.append(chunk[..<count]) } else { endInput() }
            } catch {
                // An input that cannot be read has ended, such as a terminal that has been closed.
                endInput()
            }
        }
    }

    private func endInput() {
        hasEnded = true
        lines.end()
    }
}
