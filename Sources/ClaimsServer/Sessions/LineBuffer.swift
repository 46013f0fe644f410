// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Glibc

/// What a peer has sent and nobody has read yet, cut into lines.
///
/// Pure: it has no socket. Bytes go in with ``append(_:)``, lines come out with ``next()``. A line longer than the
/// bound is reported once and skipped to its end, so that memory stays bounded and the connection usable.
struct LineBuffer: Sendable {
    /// The outcome of looking for a line.
    enum Line: Sendable, Equatable {
        /// The bytes of a line without its end, as a range of ``bytes``; they stay there until the next call.
        case line(Range<Int>)
        /// A line passed the bound; what comes up to its newline is thrown away.
        case tooLong
        /// No whole line is there.
        case incomplete
    }

    private(set) var bytes: [UInt8] = []
    /// Where the unread bytes begin.
    private var head = 0
    /// Up to where the unread bytes are known to hold no newline.
    private var searched = 0
    private var isSkipping = false
    private let longest: Int

    /// - Parameter longest: the longest line in bytes, without its newline.
    init(longest: Int) {
        self.longest = longest
    }

    /// How many bytes wait, whole lines or not.
    var count: Int { bytes.count - head }

    /// Whether a whole line may be there: false only when ``next()`` would answer `incomplete`.
    var mayHoldLine: Bool { searched < bytes.count }

    /// Whether a whole line is there, blank ones included.
    var hasLine: Bool { newline() != nil }

    /// Forgets the line that has begun, and skips the rest of it as it comes.
    mutating func abandonLine() {
        guard newline() == nil else { return }
        isSkipping = true
        empty()
    }

    /// Adds what was received.
    mutating func append(_ received: ArraySlice<UInt8>) {
        if head == bytes.count {
            empty()
        } else if head > Self.kept {
            bytes.removeSubrange(..<head)
            searched -= head
            head = 0
        }
        bytes.append(contentsOf: received)
    }

    /// The next line, blank ones left out.
    mutating func next() -> Line {
        while true {
            guard let newline = newline() else {
                searched = bytes.count
                let isTooLong = !isSkipping && bytes.count - head > longest + 1
                if isTooLong { isSkipping = true }
                if isSkipping { head = bytes.count }
                // A connection with nothing to say keeps no room that others may need.
                if head == bytes.count { empty() }
                return isTooLong ? .tooLong : .incomplete
            }
            let start = head
            head = newline + 1
            searched = head
            if isSkipping {
                isSkipping = false
                continue
            }
            var end = newline
            if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            if end - start > longest { return .tooLong }
            if isBlank(start..<end) { continue }
            return .line(start..<end)
        }
    }

    /// What has not been read, from the beginning of a line on; empty while the rest of a line is skipped.
    var unread: RawSpan {
        @_lifetime(borrow self) get { bytes.rawSpan.extracting((isSkipping ? bytes.count : head)..<bytes.count) }
    }

    /// Takes so many bytes of what is unread away: whole lines.
    mutating func consume(_ count: Int) {
        head += count
        searched = max(searched, head)
    }

    private mutating func empty() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
        head = 0
        searched = 0
    }

    private func newline() -> Int? {
        guard searched < bytes.count else { return nil }
        let from = searched
        // memchr reads only the `count - from` bytes of the array from `from` on.
        return unsafe bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress, let found = unsafe memchr(start + from, 0x0A, all.count - from) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - start
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        for index in range where bytes[index] != UInt8(ascii: " ") && bytes[index] != UInt8(ascii: "\t") {
            return false
        }
        return true
    }

    /// How many bytes of room an emptied buffer keeps.
    private static let kept = 1 << 16
}
