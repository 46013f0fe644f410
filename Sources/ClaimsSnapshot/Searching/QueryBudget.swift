// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The time that a query may run, and a way to cancel it.
public struct QueryBudget: Sendable {
    /// The end, in nanoseconds of the monotonic clock.
    private let end: UInt64
    private let isCancelled: (@Sendable () -> Bool)?

    /// Makes a budget that ends `limit` from now, or as soon as `isCancelled` returns true.
    ///
    /// - Parameter isCancelled: called every few thousand steps, on the thread that runs the query.
    public init(limit: Duration, isCancelled: (@Sendable () -> Bool)? = nil) {
        let (seconds, attoseconds) = limit.components
        let nanoseconds = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let length = nanoseconds.overflow ? .max : nanoseconds.partialValue
        let sum = SystemClock.monotonic.addingReportingOverflow(length)
        let fraction = UInt64(clamping: attoseconds / 1_000_000_000)
        end = sum.overflow ? .max : sum.partialValue.addingReportingOverflow(fraction).partialValue
        self.isCancelled = isCancelled
    }

    private init(end: UInt64) {
        self.end = end
        isCancelled = nil
    }

    /// A budget without an end, which cannot be cancelled.
    public static let unlimited = QueryBudget(end: .max)

    /// Throws once the budget is used up or the query is cancelled.
    public func check() throws(QueryInterruption) {
        if let isCancelled, isCancelled() { throw .cancelled }
        if end != .max, SystemClock.monotonic >= end { throw .outOfTime }
    }
}

/// The reason why a query ended without a result. The caller may run it again with another budget.
public enum QueryInterruption: Error, Equatable, Sendable {
    /// The time of the budget is used up.
    case outOfTime
    case cancelled
}

/// Counts a query's steps, and checks its budget every few thousand of them.
struct QuerySteps {
    /// The number of steps between two checks, which take about 10 µs.
    private static let between = 1 << 12

    private let budget: QueryBudget
    private var left = QuerySteps.between

    init(_ budget: QueryBudget) {
        self.budget = budget
    }

    @inline(__always)
    mutating func spend(_ steps: Int = 1) throws(QueryInterruption) {
        left &-= steps
        if left < 0 { try check() }
    }

    private mutating func check() throws(QueryInterruption) {
        left = Self.between
        try budget.check()
    }
}

/// Memory that queries reuse, for one thread. Each thread that runs queries has its own instance.
public final class QueryScratch {
    /// The maximal number of bitmaps that are kept.
    private static let retainedBitmaps = 8
    /// The number of words from which on a bitmap is kept. A smaller one is made as fast as it is found.
    private static let minRetained = 256

    private var bitmaps: [[UInt64]] = []
    private var bytes: [UInt8] = []

    /// Makes an instance without memory, which the first queries allocate.
    public init() {}

    /// A bitmap of a number of words, all zero.
    func bitmap(_ count: Int) -> [UInt64] {
        // A query over several layers needs bitmaps of several sizes. The sizes change with each new file.
        if let index = bitmaps.lastIndex(where: { $0.count == count }) {
            var bitmap = bitmaps.remove(at: index)
            for index in bitmap.indices { bitmap[index] = 0 }
            return bitmap
        }
        return [UInt64](repeating: 0, count: count)
    }

    /// A number of bytes, all zero.
    func zeros(_ count: Int) -> [UInt8] {
        guard bytes.count == count else { return [UInt8](repeating: 0, count: count) }
        var zeros: [UInt8] = []
        swap(&zeros, &bytes)
        return zeros
    }

    /// Keeps bytes that are all zero again.
    func keep(zeros: consuming [UInt8]) { bytes = zeros }

    /// Keeps a bitmap for a later query, in the place of the one that was kept longest.
    func keep(_ bitmap: consuming [UInt64]) {
        guard bitmap.count >= Self.minRetained else { return }
        if bitmaps.count == Self.retainedBitmaps { bitmaps.removeFirst() }
        bitmaps.append(bitmap)
    }
}
