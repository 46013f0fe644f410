// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsProtocol

/// The requests of a connection that have no answer yet, and the decision whether they may be asked once more.
///
/// Pure: it has no socket. A connection that ends before the first byte of an answer has done nothing for a method that
/// only reads, so that the request can be sent again on a new one. A request that changes something may have been done.
struct PendingRequests {
    private struct Entry {
        let method: Method
        let line: [UInt8]
        /// Whether it was sent on a second connection already.
        var isRepeated = false
        /// Whether a part of its answer has come.
        var hasBegun = false
    }

    private var entries: [Int64: Entry] = [:]
    /// Whether the connection has a subscription, which a new one would not have.
    private var isSubscribed = false
    /// Whether lines were sent that nobody has read.
    private var hasRawLines = false

    /// Records a request with its line, newline included.
    mutating func add(_ id: Int64, _ method: Method, line: [UInt8]) {
        entries[id] = Entry(method: method, line: line)
    }

    /// Records that a line was sent as it is.
    mutating func addRawLine() { hasRawLines = true }

    /// The method of a request that has no answer yet; nil for none.
    func method(of id: Int64) -> Method? { entries[id]?.method }

    /// Records that the answer has come.
    mutating func answered(_ id: Int64) {
        if entries.removeValue(forKey: id)?.method == .subscribe { isSubscribed = true }
    }

    /// Records that a part of the answer has come, such as the `records` of a stream.
    mutating func begun(_ id: Int64) { entries[id]?.hasBegun = true }

    /// Whether something may have been changed for which no answer has come.
    var mayChange: Bool { hasRawLines || entries.values.contains { $0.method.hasEffect } }

    /// The lines to send on a new connection, in their order; nil where that must not be done.
    mutating func beginRepeat() -> [UInt8]? {
        guard !entries.isEmpty, !isSubscribed, !mayChange else { return nil }
        guard entries.values.allSatisfy({ !$0.isRepeated && !$0.hasBegun }) else { return nil }
        var lines: [UInt8] = []
        for id in entries.keys.sorted() {
            lines += entries[id]?.line ?? []
            entries[id]?.isRepeated = true
        }
        return lines
    }
}

/// The time that a call may take, from now on.
public struct TimeLimit: Sendable {
    private let span: Duration?
    /// The end, in nanoseconds of the monotonic clock; nil for none.
    public private(set) var deadline: UInt64?

    /// Begins to count.
    ///
    /// - Parameter span: nil for no limit.
    public init(_ span: Duration?) {
        self.span = span
        deadline = span.map { SystemClock.monotonic(after: $0) }
    }

    /// Does something whose time does not count.
    mutating func pausing(_ body: () -> Void) {
        let start = SystemClock.monotonic
        body()
        guard let end = deadline else { return }
        let (later, isBeyond) = end.addingReportingOverflow(SystemClock.monotonic - start)
        deadline = isBeyond ? .max : later
    }

    /// Ends a call whose time is over.
    ///
    /// - Throws: `ClientError.timedOut`.
    public func check() throws(ClientError) {
        guard let deadline, SystemClock.monotonic >= deadline else { return }
        throw passed
    }

    /// The error of a call whose time is over.
    var passed: ClientError { .timedOut(span ?? .zero) }
}
