// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsStore

@Suite struct LogBoundTests {
    private let mebibyte = 1 << 20
    private let second: UInt64 = 1_000_000_000

    /// A call that changes a value cannot stand in an expectation itself.
    private func check(_ found: Bool, _ expected: Bool, at location: SourceLocation = #_sourceLocation) {
        #expect(found == expected, sourceLocation: location)
    }

    @Test func `the bound is 64 MiB or twice the live data`() {
        var bound = LogBound()
        #expect(bound.bound == 64 * mebibyte && !bound.needsMeasure(32 * mebibyte))
        #expect(bound.needsMeasure(36 * mebibyte))
        bound.measure(live: 7 * mebibyte, at: 36 * mebibyte)
        #expect(bound.bound == 64 * mebibyte && !bound.needsMeasure(39 * mebibyte))
        bound.measure(live: 500 * mebibyte, at: 40 * mebibyte)
        #expect(bound.bound == 1000 * mebibyte)
    }

    @Test func `a copy begins before the bound while changes go on, and soon where nobody writes`() {
        var bound = LogBound()
        check(bound.beginsCopy(39 * mebibyte, isIdle: false, now: 0), false)
        check(bound.beginsCopy(3 * mebibyte, isIdle: true, now: 0), false)
        check(bound.beginsCopy(4 * mebibyte, isIdle: true, now: 0), true)
        check(bound.beginsCopy(60 * mebibyte, isIdle: false, now: 0), false)
        bound.copied(0, isEmpty: true, hasFailed: false, hasReaders: false, now: 0)
        check(bound.beginsCopy(40 * mebibyte, isIdle: false, now: 0), true)
    }

    @Test func `refreshes wait for a long log, but not for ever, and not for somebody else's transaction`() {
        var bound = LogBound()
        check(bound.holdsRefreshes(51 * mebibyte, now: 0), false)
        check(bound.holdsRefreshes(52 * mebibyte, now: 0), true)
        check(bound.holdsRefreshes(70 * mebibyte, now: 9 * second), true)
        check(bound.holdsRefreshes(70 * mebibyte, now: 11 * second), false)
        check(bound.holdsRefreshes(0, now: 12 * second), false)
        check(bound.beginsCopy(70 * mebibyte, isIdle: false, now: 12 * second), true)
        check(bound.holdsRefreshes(70 * mebibyte, now: 12 * second), true)
        bound.copied(70 * mebibyte, isEmpty: false, hasFailed: false, hasReaders: false, now: 12 * second)
        check(bound.holdsRefreshes(70 * mebibyte, now: 12 * second), false)
    }

    @Test func `a log that is kept is tried again, sooner where its reader is our own, and told where it is not`() {
        var bound = LogBound()
        _ = bound.beginsCopy(70 * mebibyte, isIdle: false, now: 0)
        bound.copied(70 * mebibyte, isEmpty: false, hasFailed: false, hasReaders: true, now: 0)
        #expect(bound.keptSize == 0)
        check(bound.holdsRefreshes(70 * mebibyte, now: 1), true)
        check(bound.beginsCopy(70 * mebibyte, isIdle: false, now: second / 20), false)
        #expect(bound.idleTime(70 * mebibyte, now: second / 20) == .milliseconds(50))
        check(bound.beginsCopy(70 * mebibyte, isIdle: false, now: second / 10), true)
        bound.copied(70 * mebibyte, isEmpty: false, hasFailed: false, hasReaders: false, now: second)
        #expect(bound.keptSize == 70 * mebibyte)
        check(bound.beginsCopy(70 * mebibyte, isIdle: false, now: second), false)
        check(bound.beginsCopy(70 * mebibyte, isIdle: false, now: 2 * second), true)
        bound.copied(70 * mebibyte, isEmpty: false, hasFailed: true, hasReaders: false, now: 2 * second)
        #expect(bound.keptSize == 0, "a full disk is not another program")
        _ = bound.beginsCopy(70 * mebibyte, isIdle: false, now: 3 * second)
        bound.copied(0, isEmpty: true, hasFailed: false, hasReaders: false, now: 3 * second)
        #expect(bound.keptSize == 0 && bound.idleTime(0, now: 3 * second) == nil)
    }

    @Test func `the thread rests without end while the log is short, and looks again at one that is worth copying`() {
        var bound = LogBound()
        #expect(bound.idleTime(0, now: 0) == nil && bound.idleTime(LogBound.minIdleCopy - 1, now: 0) == nil)
        #expect(bound.idleTime(LogBound.minIdleCopy, now: 0) == LogBound.rest)
        _ = bound.beginsCopy(LogBound.minIdleCopy, isIdle: true, now: 0)
        #expect(bound.idleTime(LogBound.minIdleCopy, now: 0) == nil, "the end of the copy is work")
        #expect(bound.idleTime(70 * mebibyte, now: 0) == LogBound.rest, "refreshes wait no longer than their bound")
    }
}
