// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The times of an answer by the wall clock at the moment when the answer is here, in milliseconds since 1970. Pure.
///
/// The wall clock may step while a request is under way, but the clock since the boot may not. So a begin is the time
/// now minus the time that has passed since.
struct AnswerMoment: Equatable {
    /// When the refresh began.
    let began: Int64
    /// The time up to which the answer knows the upstream: when it was asked for, less the time for which a cache had
    /// kept it.
    let asOf: Int64

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - uptime: the clock since the boot at the same moment, in milliseconds, by which the other times are.
    ///   - begin: when the refresh began.
    ///   - oldest: the time of the answer's oldest page; nil if none is known.
    ///   - floor: the time after which the refresh counts as begun, whatever the clock says; nil: there is none.
    init(now: Int64, uptime: Int64, begin: Int64, oldest: Int64?, floor: Int64? = nil) {
        let began = max(now - (uptime - begin), floor.map { $0 + 1 } ?? .min)
        self.began = began
        asOf = began - (begin - min(begin, oldest ?? begin))
    }
}

/// The clock of an upstream at the beginning of a walk, which bounds positions. Pure.
struct UpstreamClock: Equatable {
    /// The `Date` of the first page, plus its `Age`; without one, our clock as the walk began. In milliseconds since 1970.
    let time: Int64
    /// Whether the upstream has said the time.
    let isKnown: Bool
    /// The time after which the walk may lack changes: earlier than ``time`` if a cache kept one of several pages, or if the
    /// clock was set back during the walk.
    let bound: Int64

    init(time: Int64, isKnown: Bool = true, lag: Int64 = 0) {
        self.time = time
        self.isKnown = isKnown
        bound = time - lag
    }

    /// - Parameters:
    ///   - dates: the times at which the pages came by the upstream's clock, at least one; nil for a page without a `Date`.
    ///   - began: when the walk began by our clock.
    ///   - duration: the time that the walk took, in milliseconds.
    ///   - lag: the time for which a cache had kept one of several pages.
    init(_ dates: [Int64?], began: Int64, lasting duration: Int64, lag: Int64 = 0) {
        let first = dates.first ?? nil
        var lag = lag
        if let first, let earliest = dates.compactMap(\.self).min(), earliest < first {
            // The clock was ahead, and a later page is of the right time: the largest value of that page says nothing about
            // the pages before.
            lag = max(lag, first - earliest + duration)
        }
        self.init(time: first ?? began, isKnown: first != nil, lag: lag)
    }

    /// - Parameter answer: the pages of the first walk.
    init(_ answer: FetchedPages, _ moment: AnswerMoment) {
        var (lag, duration): (Int64, Int64) = (0, 0)
        if let began = answer.began {
            if answer.pages.count > 1, let oldest = answer.oldest { lag = began - oldest }
            if let ended = answer.ended { duration = ended - began }
        }
        self.init(answer.dates, began: moment.began, lasting: duration, lag: lag)
    }
}

/// Decides whether an answer that came in pages is asked for once more. Pure.
///
/// Pages by number or offset are cut from data that moves: if a record of an earlier page disappears meanwhile, the
/// first record of the next page moves to a page that has been read. A record that one walk lacks may be there; a
/// record that both lack is gone.
///
///     let doubt = SecondWalk(target.request, end: pages.end, isWhole: true)
///     if doubt.isNeeded(lacking: intake.lacking) { walkAgain() }
struct SecondWalk: Sendable, Equatable {
    /// Whether the walk may have passed over records.
    let isPossible: Bool

    /// After the second walk there is no doubt left.
    static let none = SecondWalk(isPossible: false)

    private init(isPossible: Bool) { self.isPossible = isPossible }

    /// - Parameters:
    ///   - end: the end of the walk. A page that is not there (404) may be any page.
    ///   - isWhole: whether the answer has all records. An answer with what has changed does not remove the records
    ///     that it lacks.
    init(_ request: ReadRequest, end: WalkEnd, isWhole: Bool) {
        isPossible = isWhole && request.next?.isCounted == true && (!request.hasStablePages || end != .said)
    }

    /// - Parameter count: the number of records that are here and that the first walk lacks without a reason.
    func isNeeded(lacking count: Int) -> Bool { isPossible && count > 0 }
}
