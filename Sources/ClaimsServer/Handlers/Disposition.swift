// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// What became of a request.
enum Disposition {
    /// The result has been written.
    case answered
    /// The answer comes later: `start` begins the work, which must call its argument exactly once, on any thread.
    ///
    /// Without a `cancellation` the work cannot be taken back, and `cancel` is refused.
    case later(cancellation: Cancellation?, start: (@escaping @Sendable (Outcome) -> Void) -> Void)
    /// The answer comes in several messages, a part each time the peer has room.
    case stream(RecordStream)
    /// The request with this id is to be taken back, and the answer says no more than that it was.
    case cancellation(id: [UInt8])

    /// How work that went on elsewhere ended: a finished JSON value, or why there is none.
    typealias Outcome = Result<[UInt8], RequestError>
}
