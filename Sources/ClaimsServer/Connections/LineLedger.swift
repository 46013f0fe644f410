// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The memory of all connections that holds received lines which are not read, and the connections that yield when it is short.
///
/// The user with the most bytes in half lines yields first, so that users with fewer bytes never wait for a user who
/// never ends a line. Of this user's half lines that are longer than a share, the oldest one yields. Shorter half lines
/// yield only if half lines alone use up the memory. A whole line counts too, but it is read soon, so it never yields.
///
/// Pure: the caller ends the connections whose half lines yield, and records that they hold no more bytes.
struct LineLedger: Sendable {
    /// The bytes that a connection holds.
    struct Holding: Equatable, Sendable {
        /// All that it has received and not read, in bytes.
        let bytes: Int
        /// Whether they are the beginning of a line, and no whole one.
        let isHalfLine: Bool

        static let nothing = Holding(bytes: 0, isHalfLine: false)
    }

    private struct Entry {
        let user: UInt32
        var holding: Holding
        /// Rises with each half line that begins.
        var begin: UInt64
        /// Whether it is to yield, and will hold nothing soon.
        var isYielding = false

        /// The bytes that count for its user, which can yield.
        var halfBytes: Int { holding.isHalfLine && !isYielding ? holding.bytes : 0 }
        var isShort: Bool { holding.bytes <= BufferBudget.share }
    }

    private let maxBytes: Int
    private var entries: [UInt64: Entry] = [:]
    /// The bytes of half lines, by user.
    private var halfBytes: [UInt32: Int] = [:]
    /// The bytes of all entries, without those that are to yield.
    private var used = 0
    private var begins: UInt64 = 0

    /// - Parameter maxBytes: the bytes from which on a connection yields.
    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Records what a connection holds now.
    ///
    /// - Returns: the connections that are to yield, which may include this one.
    mutating func record(_ holding: Holding, of connection: UInt64, user: UInt32) -> [UInt64] {
        begins += 1
        var entry = entries[connection] ?? Entry(user: user, holding: .nothing, begin: begins)
        count(entry, times: -1)
        // There are fewer bytes than before, so a line was read and another one has begun.
        if holding.bytes < entry.holding.bytes { (entry.begin, entry.isYielding) = (begins, false) }
        // The line has come whole before it could yield.
        if !holding.isHalfLine { entry.isYielding = false }
        entry.holding = holding
        entries[connection] = holding.bytes > 0 ? entry : nil
        count(entry, times: 1)
        var yielding: [UInt64] = []
        while used >= maxBytes, let next = next {
            yielding.append(next)
            guard var entry = entries[next] else { break }
            count(entry, times: -1)
            entry.isYielding = true
            entries[next] = entry
        }
        return yielding
    }

    /// Whether a connection is to yield the half line that it holds now.
    func isYielding(_ connection: UInt64) -> Bool { entries[connection]?.isYielding ?? false }

    private mutating func count(_ entry: Entry, times sign: Int) {
        guard !entry.isYielding else { return }
        used += sign * entry.holding.bytes
        guard entry.halfBytes > 0 else { return }
        let bytes = halfBytes[entry.user, default: 0] + sign * entry.halfBytes
        halfBytes[entry.user] = bytes == 0 ? nil : bytes
    }

    /// The connection that yields next.
    private var next: UInt64? {
        guard let user = halfBytes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { return nil }
        let candidates = entries.filter { $0.value.user == user && $0.value.halfBytes > 0 }
        let first = candidates.min { one, other in
            let isShort = (one.value.isShort, other.value.isShort)
            if isShort.0 != isShort.1 { return isShort.1 }
            return one.value.begin < other.value.begin
        }
        guard let first, first.value.isShort else { return first?.key }
        return halfBytes.values.reduce(0, +) >= maxBytes ? first.key : nil
    }
}
