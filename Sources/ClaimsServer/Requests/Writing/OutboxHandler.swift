// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// `outbox`: what waits for upstreams, and what people decide about it. Workers read it, never a loop.
enum OutboxHandler {
    static func answer(
        _ parameters: OutboxParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let selection = try OutboxSelection(parameters, context.queries)
        let services = context.services
        switch parameters.action {
        case .list, .get:
            let operation = OutboxListOperation(
                selection: selection, isWhole: parameters.action == .get, peer: peer, services: services,
                timeout: context.configuration.limits.request)
            return context.runOnWorker(operation, for: peer)
        case .wait: return wait(selection, from: peer, context)
        case .retry, .hold, .drop, .resolve:
            try peer.requireWriting()
            let caller = OutboxCaller(user: peer.uid, isAdmin: peer.roles.has(.admin))
            var order = OutboxOrder(
                try decision(parameters), about: selection.unsettled(context.served.catalog), by: caller,
                calendar: CivilCalendar(now: context.served.now))
            order.fields = parameters.fields?.object ?? order.fields
            order.givenID = parameters.id?.text
            return .later(cancellation: nil) { done in
                services.outbox.decide(order) { result in
                    switch result {
                    case .success(let reply):
                        done(.success(OutboxText.text(of: reply, services.catalogs.current().revision)))
                    case .failure(.invalid(let problems)): done(.failure(.invalid(problems)))
                    case .failure(.store(let error)):
                        done(.failure(RequestError(error, collection: selection.collection ?? "outbox")))
                    }
                }
            }
        }
    }

    private static func decision(_ parameters: OutboxParameters) throws(RequestError) -> OperationDecision {
        let action = parameters.action
        if parameters.fields != nil, action != .retry || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.fields,
                ErrorText(
                    en: "fields correct one operation of retry", pl: "fields poprawiają jedną operację akcji retry"))
        }
        if parameters.resolution != nil, action != .resolve {
            throw RequestError(
                OutboxParameters.resolution,
                ErrorText(en: "only resolve takes as", pl: "parametr as dotyczy tylko akcji resolve"))
        }
        if parameters.id != nil, parameters.resolution != .done || parameters.ops?.names.count != 1 {
            throw RequestError(
                OutboxParameters.id,
                ErrorText(
                    en: "an id is for one operation that is resolved as done",
                    pl: "id dotyczy jednej operacji rozstrzyganej jako done"))
        }
        if let id = parameters.id?.text, IDForm.objection(to: Array(id.utf8).rawSpan) != nil {
            throw RequestError(
                OutboxParameters.id,
                ErrorText(
                    en: "no record can have this id",
                    pl: "żaden rekord nie może mieć tego identyfikatora"),
                hint: ErrorText(
                    en: "an id is a text of 1 to \(IDForm.maxLength) bytes without control characters",
                    pl: "identyfikator to tekst od 1 do \(IDForm.maxLength) bajtów bez znaków sterujących"))
        }
        guard let decision = parameters.decision else {
            throw RequestError(
                OutboxParameters.resolution, ErrorText(en: "resolve needs as", pl: "akcja resolve wymaga as"),
                hint: ErrorText(
                    en: "mine after a conflict; done or again after a doubt",
                    pl: "mine po konflikcie; done albo again w razie wątpliwości"))
        }
        return decision
    }

    private static func wait(
        _ selection: OutboxSelection, from peer: Peer, _ context: RequestContext
    ) -> Disposition {
        let cancellation = Cancellation()
        let services = context.services
        let operations = selection.unsettled(context.served.catalog)
        return .watched(cancellation) { [workers = context.workers] tell, done in
            services.watch.add(
                OutboxWait(
                    operations: operations, timeout: OutboxSelection.maxWait,
                    isCancelled: { cancellation.isCancelled },
                    progress: { tell(ProgressNotification.method, OutboxText.members(of: $0)) },
                    done: { isInTime in
                        guard isInTime else { return done(.failure(.outboxTimeout)) }
                        let operation = OutboxListOperation(
                            selection: selection.only(operations), isWhole: false, peer: peer, services: services,
                            timeout: OutboxSelection.maxWait)
                        workers.run(operation, for: peer.requester, cancellation: cancellation, done: done)
                    }))
        }
    }
}

extension RequestError {
    fileprivate static let outboxTimeout = RequestError(
        .timeout,
        ErrorText(
            en: "some operations are still queued after 10 minutes",
            pl: "po 10 minutach część operacji nadal czeka"),
        hint: ErrorText(
            en: "list tells what they wait for; wait again to go on",
            pl: "akcja list podaje, na co czekają; wywołaj wait ponownie, aby czekać dalej"))
}

extension Peer {
    /// Checks that the peer may write to some collection.
    ///
    /// - Throws: `forbidden`, naming the role.
    fileprivate func requireWriting() throws(RequestError) {
        if scopes.isEmpty { try require(.write, for: ErrorText(en: "to change operations", pl: "zmiana operacji")) }
    }
}
