// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// Something that happens to the model.
enum BrowseEvent: Sendable {
    case input(InputEvent)
    case resized(ScreenSize)
    /// The time has come at which the model asked to be woken (`BrowseModel.wakeAt`).
    case woken
    /// A connection stands. The model asks for all that it needs; nothing is left of an earlier connection.
    case connected
    /// The connection is gone, or could not be made. The loop tries again by itself, after 0.2 to 5 s.
    case lost
    /// The daemon has sent nothing since a time of the monotonic clock although a request waits. The connection stands.
    case silent(since: UInt64)
    /// It has sent something again.
    case answering
    /// The result of a request.
    case answered(BrowseRequest.Tag, AnswerValue)
    /// The daemon refuses a request.
    case refused(BrowseRequest.Tag, Refusal)
    /// A notification: an event of a subscription, or progress of a refresh; the whole line.
    case notified(AnswerValue)
    /// A command that is no request is done.
    case performed(CommandOutcome)
}
