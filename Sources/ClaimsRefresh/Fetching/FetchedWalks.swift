// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsUpstream

/// The pages of an answer: those of one walk, or of two where the first one lacked records that are here.
///
/// The records of the second walk count, and of the first those that it lacks. So the answer knows the upstream only up to
/// the time of the first, or of the oldest page of both.
struct FetchedWalks: Sendable {
    /// By how many milliseconds an answer may be older than it should be: `Age` is in whole seconds, and clocks are
    /// slewed.
    static let maxLag: Int64 = 2_000

    /// When the refresh began, by the clock since the boot, in milliseconds.
    let begin: Int64
    let first: FetchedPages
    var second: FetchedPages?

    /// The walk whose records count.
    var latest: FetchedPages { second ?? first }
    /// The bodies of both walks.
    var bodies: [FetchedBody] { first.pages + (second?.pages ?? []) }

    /// The time of the oldest page; see ``FetchedPages/oldest``.
    var oldest: Int64? { [first.oldest, second?.oldest].compactMap(\.self).min() }

    /// The time for which the upstream calls each page fresh, in milliseconds; nil where it does not say.
    var maxAge: Int64? { [first.maxAge, second?.maxAge].compactMap(\.self).min() }

    /// Whether both walks have the same bytes, so that they are one answer.
    func isSteady(key: UInt64) -> Bool { second.map { $0.hash(key: key) == first.hash(key: key) } ?? true }
}

extension SourceFetcher {
    /// Walks over the pages of an answer once more, past all caches. This walk has limits of its own.
    ///
    /// - Throws: `late` where a cache has kept a page in spite of that since before the first walk ended, because it may be
    ///   the page of that walk.
    func fetchAgain(
        _ target: FetchTarget, after first: FetchedPages, cancellation: HTTPCancellation,
        meter: RefreshMeter = RefreshMeter()
    ) throws(FetchFailure) -> FetchedPages {
        let second = try fetch(
            target.passingCaches(), validators: nil, cancellation: cancellation, meter: meter)
        // `Age` is in whole seconds, rounded down.
        if let copy = second.oldestCopy, let ended = first.ended, copy.time - 1000 <= ended {
            throw FetchFailure(older: copy.age)
        }
        return second
    }
}

extension FetchFailure {
    /// An answer that is too old to be taken, by `lag` milliseconds.
    init(older lag: Int64) {
        self.init(.late, reason: .older, Message(.answerOlder, "\(lag / 1000)"))
    }
}
