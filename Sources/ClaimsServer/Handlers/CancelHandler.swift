// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol

/// `cancel`: takes back a request of the same connection.
enum CancelHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ session: Session, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        guard let id = arguments.raw(.request) else { throw arguments.missing(.request) }
        try session.cancel(id)
        writer.beginObject()
        writer.endObject()
        return .answered
    }
}
