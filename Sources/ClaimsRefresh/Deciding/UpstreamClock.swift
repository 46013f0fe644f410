// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The clock of an upstream as a walk began, by which positions are bounded. Pure.
struct UpstreamClock: Equatable {
    /// The `Date` of the first page, plus its `Age`; without one, our clock as the walk began. In milliseconds since 1970.
    let time: Int64
    /// Whether the upstream has told the time.
    let isTold: Bool
    /// The time after which the walk may lack changes: earlier than ``time`` where a cache kept one of several pages.
    let bound: Int64

    init(time: Int64, isTold: Bool = true, lag: Int64 = 0) {
        self.time = time
        self.isTold = isTold
        bound = time - lag
    }

    /// - Parameter answer: the pages of the first walk.
    init(_ answer: FetchedPages, _ moment: AnswerMoment) {
        let date = answer.dates.first ?? nil
        var lag: Int64 = 0
        if answer.pages.count > 1, let began = answer.began, let oldest = answer.oldest { lag = began - oldest }
        self.init(time: date ?? moment.began, isTold: date != nil, lag: lag)
    }
}
