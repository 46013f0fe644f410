// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides whether an answer that came in pages is asked for once more. Pure.
///
/// Pages by number or offset are cut from data that moves: where a record of a page before goes meanwhile, the first one of
/// the next page moves to a page that has been read. What one walk lacks may be there; what both lack is gone.
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
    ///   - end: of the walk. A page that is not there (404) may be any page, however the set is.
    ///   - isWhole: whether the answer has all records. One with what has changed takes away nothing that it lacks.
    init(_ request: ReadRequest, end: WalkEnd, isWhole: Bool) {
        isPossible = isWhole && request.next?.isCounted == true && (!request.hasStablePages || end != .told)
    }

    /// - Parameter count: the number of records that are here and that the first walk lacks without a reason.
    func isNeeded(lacking count: Int) -> Bool { isPossible && count > 0 }
}
