// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
