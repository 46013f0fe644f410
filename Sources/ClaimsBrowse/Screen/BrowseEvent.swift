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

/// The reason of a request of the model, by which its answer finds the right decision.
enum RequestPurpose: Equatable, Sendable {
    case hello
    case describe
    case status
    /// The records that a list jumps to.
    case jump(String)
    /// The page before these, so that the selection can stay on its line.
    case jumpBefore(String)
    /// The page after the rows of a list.
    case forward(String)
    /// The page before them.
    case backward(String)
    /// The rows of a list once more, from the one of an id on.
    case comparison(String, from: String)
    /// The record whose id a list was searched for in vain.
    case namesake(String, id: String)
    /// The changes of a list, for the question of that number.
    case subscribe(String, question: Int)
    case unsubscribe
    /// A refresh of a collection, or of all; `isAsked` is whether a notice tells its outcome.
    case refresh(String?, isAsked: Bool)
}

/// The collection and the query that browse begins with, from the command line.
struct BrowseStart: Sendable {
    /// The name of a collection or its singular; nil for the first one.
    var collection: String?
    var query = ListQuery()
}
