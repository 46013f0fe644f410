// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox

/// An operation on record 7 of the collection books; `number` is also its id.
func operation(
    _ number: Int64, _ action: OperationAction = .update, on record: String = "7", state: OperationState = .queued,
    fill: (inout Operation) -> Void = { _ in }
) -> Operation {
    let id = OperationID(time: number, random: (0, 0))
    var operation = Operation(
        id, action, on: record, of: "books", number: number, state: state, submittedAt: 1, submittedBy: 1000)
    fill(&operation)
    return operation
}

extension SendingRules {
    static let post = SendingRules(method: .post, url: "https://x.example/books")
    static let put = SendingRules(method: .put, url: "https://x.example/books/7")
    static let keyed = SendingRules(method: .post, url: "https://x.example/books", keyLife: 86_400_000)
}
