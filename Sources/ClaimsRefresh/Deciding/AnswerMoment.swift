// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The times of an answer by the wall clock as it is once the answer is here, in milliseconds since 1970. Pure.
///
/// The wall clock may step while a request is under way, and the clock since the boot may not. So a begin is the time
/// now, less what has passed since.
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
    ///   - oldest: the time of the answer's oldest page; nil where none is known.
    init(now: Int64, uptime: Int64, begin: Int64, oldest: Int64?) {
        began = now - (uptime - begin)
        asOf = now - (uptime - min(begin, oldest ?? begin))
    }
}
