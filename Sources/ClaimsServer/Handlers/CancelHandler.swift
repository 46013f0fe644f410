// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// `cancel`: takes back a request of the same connection.
enum CancelHandler {
    static func answer(_ arguments: borrowing Arguments) throws(RequestError) -> Disposition {
        guard let id = arguments.raw(.request) else { throw arguments.missing(.request) }
        return .cancellation(id: id)
    }
}
