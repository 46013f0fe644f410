// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// Asks what collections hold.
enum DescribeRequest {
    /// Notes the request for one collection, or, without one, for all.
    static func send(_ collection: String?, _ session: Session, on connection: Connection) -> Connection.RequestID {
        connection.request("describe") { writer in
            if let collection { writer.member("collection", collection) }
            if let language = session.language { writer.member("lang", language) }
        }
    }

    /// The collections in an answer.
    static func collections(in answer: AnswerValue) -> [CollectionDescription] {
        if let list = answer["collections"] { return list.elements.compactMap { CollectionDescription($0) } }
        return (answer["collection"].flatMap { CollectionDescription($0) } ?? CollectionDescription(answer)).map {
            [$0]
        } ?? []
    }
}
