// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of one connection, and the event lines among the bytes that wait to be sent. Pure.
struct ConnectionSubscriptions {
    private var live: Set<Int> = []
    private var last = 0
    /// The size of the event lines that wait, as they are accounted, in bytes. Answers that wait behind them count as
    /// lines, so that it is an upper bound.
    private(set) var waiting = 0

    /// The number of subscriptions.
    var count: Int { live.count }

    /// Begins a subscription.
    ///
    /// - Returns: its number, which no other subscription of the connection has had.
    mutating func begin() -> Int {
        last += 1
        live.insert(last)
        return last
    }

    /// Ends a subscription.
    ///
    /// - Returns: false where there is none of this number.
    mutating func end(_ number: Int) -> Bool { live.remove(number) != nil }

    /// Ends all subscriptions.
    ///
    /// - Returns: their number.
    mutating func endAll() -> Int {
        defer { live = [] }
        return live.count
    }

    /// Whether lines of a subscription may be sent.
    func isLive(_ number: Int) -> Bool { live.contains(number) }

    /// Adds lines that were written, in bytes.
    mutating func noteWritten(_ size: Int) {
        waiting += size
    }

    /// Notes a send.
    ///
    /// - Parameter left: the number of bytes that wait to be sent, those of answers included.
    /// - Returns: the size of the lines that have left.
    mutating func noteSent(left: Int) -> Int {
        let taken = max(0, waiting - left)
        waiting -= taken
        return taken
    }
}
