// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsRefresh
import ClaimsStore

/// `try`: asks an upstream by the files of a definition, and changes nothing.
enum TryHandler {
    static func answer(
        _ parameters: TryParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        try peer.requireRole(of: .attempt)
        let views = context.served.catalog.views
        let known = views.first { $0.definition.singular == parameters.collection }?.definition.name
        let cancellation = Cancellation()
        let order = TrialOrder(
            known ?? parameters.collection, site: parameters.site, isIncremental: parameters.isIncremental,
            whenCancelled: { cancellation.whenCancelled($0) })
        let language = parameters.language ?? context.configuration.language
        let services = context.services
        let perform = { @Sendable (order: TrialOrder, done: @escaping @Sendable (RequestResult) -> Void) in
            services.trials.perform(order) { result in
                done(result.map { TrialText.text($0, language: language) }.mapError { RequestError($0) })
            }
        }
        guard parameters.isWatching else { return .later(cancellation: cancellation) { done in perform(order, done) } }
        return .watched(cancellation) { tell, done in
            var watched = order
            watched.watcher = { tell(RefreshProgressNotification.method, RefreshHandler.members(of: $1, $0)) }
            perform(watched, done)
        }
    }
}
