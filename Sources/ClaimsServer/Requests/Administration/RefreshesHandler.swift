// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// `refreshes`: the last attempts to refresh collections. A worker reads the log, never a loop.
enum RefreshesHandler {
    static func answer(
        _ parameters: RefreshesParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try parameters.collection.map { name throws(RequestError) in
            try context.served.view(named: name)
        }
        let operation = RefreshesOperation(
            view: view, limit: parameters.limit.map { Int($0) } ?? RefreshesParameters.defaultLimit,
            timeout: context.configuration.limits.request)
        return context.runOnWorker(operation, for: peer)
    }
}
