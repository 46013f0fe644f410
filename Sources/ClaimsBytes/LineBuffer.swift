// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The bytes that a peer has sent and that have not been read yet, cut into lines.
///
/// Pure: it has no socket. Bytes go in with ``append(_:)``, lines come out with ``next()``. A line longer than the
/// bound is reported once and skipped to its end, so that memory stays bounded and the connection usable. A carriage
/// return before the newline belongs to the end of the line, and blank lines are left out.
///
/// ```swift
/// var input = LineBuffer(maxLength: 1 << 20)
/// input.append(received[..<count])
/// while case .line(let range) = input.next() { handle(input.bytes[range]) }
/// ```
public struct LineBuffer: Sendable {
    /// The outcome of one call of ``next()``.
    public enum Line: Sendable, Equatable {
        /// One line without its end, as a range of ``bytes``. The range is valid until the next mutating call.
        case line(Range<Int>)
        /// A line is longer than the bound. It is skipped up to its newline; the lines after it can be read.
        case tooLong
        /// The buffer holds no whole line. The caller appends more bytes before it asks again.
        case incomplete
    }

    /// The bytes in the buffer, read ones included; the ranges of lines are offsets into them.
    public private(set) var bytes: [UInt8] = []
    /// The offset of the first unread byte.
    private var head = 0
    /// The offset up to which the unread bytes are known to hold no newline.
    private var searched = 0
    private var isSkipping = false
    private let maxLength: Int

    /// An empty buffer.
    ///
    /// - Parameter maxLength: The longest line that is accepted, in bytes without the line's end.
    public init(maxLength: Int) {
        self.maxLength = maxLength
    }

    /// The number of bytes that have not been read.
    public var count: Int { bytes.count - head }

    /// Whether unread bytes remain that were not searched for a newline. If false, ``next()`` gives `incomplete`.
    public var mayHoldLine: Bool { searched < bytes.count }

    /// Whether the unread bytes contain a newline, including the newline of a blank line.
    public var hasLine: Bool { newline() != nil }

    /// Drops an unfinished line and skips the rest of it as it arrives; does nothing while a whole line is unread.
    public mutating func abandonLine() {
        guard newline() == nil else { return }
        isSkipping = true
        empty()
    }

    /// Adds received bytes at the end. Ranges from earlier calls of ``next()`` become invalid.
    public mutating func append(_ received: ArraySlice<UInt8>) {
        if head == bytes.count {
            empty()
        } else if head > Self.retainedCapacity {
            bytes.removeSubrange(..<head)
            searched -= head
            head = 0
        }
        bytes.append(contentsOf: received)
    }

    /// The next line that is not blank, or the reason why there is none.
    ///
    /// After `incomplete`, a buffer without unread bytes releases memory above a small fixed capacity.
    public mutating func next() -> Line {
        while true {
            guard let newline = newline() else {
                searched = bytes.count
                let isTooLong = !isSkipping && bytes.count - head - 1 > maxLength
                if isTooLong { isSkipping = true }
                if isSkipping { head = bytes.count }
                // An idle connection keeps no memory that others may need.
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
            if end - start > maxLength { return .tooLong }
            if isBlank(start..<end) { continue }
            return .line(start..<end)
        }
    }

    /// The bytes that have not been read, from the beginning of a line on; empty while the rest of a line is skipped.
    public var unread: RawSpan {
        @_lifetime(borrow self) get { bytes.rawSpan.extracting((isSkipping ? bytes.count : head)..<bytes.count) }
    }

    /// Drops the first `count` bytes of ``unread``. They must be whole lines, which is not checked.
    public mutating func consume(_ count: Int) {
        head += count
        searched = max(searched, head)
    }

    /// Ends the input: bytes behind the last newline become a line of their own.
    public mutating func end() {
        guard head < bytes.count, bytes.last != ASCII.newline, !isSkipping else { return }
        bytes.append(ASCII.newline)
    }

    private mutating func empty() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.retainedCapacity)
        head = 0
        searched = 0
    }

    private func newline() -> Int? { bytes.rawSpan.firstIndex(of: ASCII.newline, from: searched) }

    private func isBlank(_ range: Range<Int>) -> Bool {
        for index in range where bytes[index] != UInt8(ascii: " ") && bytes[index] != UInt8(ascii: "\t") {
            return false
        }
        return true
    }

    /// The capacity that an emptied buffer keeps, in bytes.
    private static let retainedCapacity = 1 << 16
}
