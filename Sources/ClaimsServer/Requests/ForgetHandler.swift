// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsFleet
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsStore

/// `forget`: erases a removed collection, or records; answered when nothing of them is left.
enum ForgetHandler {
    static func answer(
        _ parameters: ForgetParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        try peer.requireRole(of: .forget)
        if let ids = parameters.ids { return try ForgetRecordsHandler.answer(parameters, ids, from: peer, context) }
        if parameters.isDryRun {
            throw RequestError(
                ForgetParameters.dryRun,
                TranslatedText(
                    en: "dry_run is for records, and no ids are given", pl: "dry_run dotyczy rekordów, a nie podano ids"
                ),
                hint: TranslatedText(en: "name them in ids", pl: "wymień je w ids"))
        }
        let name = parameters.collection
        let catalog = context.served.seen.known
        if let view = catalog.views.first(where: { $0.definition.name == name || $0.definition.singular == name }) {
            throw .stillDefined(view.definition.name)
        }
        // A definition with a mistake counts as a definition, too.
        if context.configuration.problems.all.contains(where: { $0.collection == name }) { throw .stillDefined(name) }
        let removed = catalog.removed.map(\.name)
        guard removed.contains(name) else {
            let list = removed.joined(separator: ", ")
            let others =
                removed.isEmpty
                ? TranslatedText(en: "no collection was removed", pl: "nie usunięto żadnej kolekcji")
                : TranslatedText(en: "the removed collections are \(list)", pl: "usunięte kolekcje to \(list)")
            throw .unknownCollection(name, hint: Suggestion.question(name, among: removed) ?? others)
        }
        let services = context.services
        let uid = peer.uid
        return .later(cancellation: nil) { done in
            services.refresher.erase(name) { result in
                services.report(.erased(collection: name, user: uid, result))
                switch result {
                case .success(let erased): done(.success(text(of: erased, services.revision)))
                case .failure(let error):
                    let isDefined = error.code == .mismatch
                    done(.failure(isDefined ? .stillDefined(name) : RequestError(error, collection: name)))
                }
            }
        }
    }

    private static func text(of erased: ErasedCollection, _ revision: Revision) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(ForgetResult.records, erased.records)
        writer.member(ForgetResult.clock, revision.text)
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// The error of `forget` for a collection that has a definition.
    fileprivate static func stillDefined(_ name: String) -> RequestError {
        RequestError(
            .conflict,
            TranslatedText(
                en: "\(name) is defined, and only a removed collection can be forgotten",
                pl: "kolekcja \(name) ma definicję, a zapomnieć można tylko usuniętą"),
            hint: TranslatedText(
                en: "remove its definition first: collections.d/\(name).json5, then reload",
                pl: "najpierw usuń jej definicję, collections.d/\(name).json5, i przeładuj usługę"),
            details: [RequestError.detail("collection", name)])
    }
}

/// `forget` with `ids`: erases records; answered when nothing of them is in any file.
enum ForgetRecordsHandler {
    static func answer(
        _ parameters: ForgetParameters, _ list: RecordIDList, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.view(named: parameters.collection)
        let name = view.definition.name
        let ids = list.texts
        guard !ids.isEmpty else {
            throw RequestError(
                ForgetParameters.ids, TranslatedText(en: "no ids are given", pl: "nie podano identyfikatorów"),
                hint: TranslatedText(
                    en: "name 1 to \(ForgetParameters.maxIDs) records",
                    pl: "wymień od 1 do \(ForgetParameters.maxIDs) rekordów"))
        }
        guard ids.count <= ForgetParameters.maxIDs else {
            throw .tooManyIDs(
                ids.count,
                hint: TranslatedText(
                    en: "send at most \(ForgetParameters.maxIDs) at a time",
                    pl: "wyślij naraz co najwyżej \(ForgetParameters.maxIDs)"))
        }
        guard !view.condition.row.isBundle else { throw .bundleForgetsNothing(name) }
        let leader = view.definition.home ?? context.services.fleet?.otherLeader(of: name)
        if !view.isLocal, let leader {
            throw .forgottenElsewhere(name, leader)
        }
        var order = ForgetOrder(
            collection: name, ids: view.currentIDs(ids), isDryRun: parameters.isDryRun, uid: peer.uid,
            at: context.served.now)
        order.sight = { peer.recordSight(of: $0) }
        return .later(cancellation: nil) { [services = context.services, order] done in
            services.refresher.forget(order) { result in
                let result = Result { () throws(StoreError) in
                    let outcome = try result.get()
                    if !order.isDryRun {
                        try services.store.sweep(services.attachments, now: SystemClock.wall, forgotten: outcome.files)
                    }
                    return outcome
                }
                services.report(.forgotten(order, result))
                switch result {
                case .success(let outcome):
                    peer.record(Look(.forget, misses: outcome.missing.count), of: view.definition)
                    done(.success(text(of: outcome)))
                case .failure(let error): done(.failure(RequestError(error, collection: name)))
                }
            }
        }
    }

    private static func text(of outcome: ForgetOutcome) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(ForgetResult.records, outcome.forgotten.count)
        for (member, ids) in [
            (ForgetResult.forgotten, outcome.forgotten), (ForgetResult.missing, outcome.missing),
            (ForgetResult.refused, outcome.refused), (ForgetResult.returns, outcome.returns),
        ] {
            writer.key(member)
            writer.array(ofIDs: ids)
        }
        writer.member(ForgetResult.clock, outcome.revision.text)
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// The error of `forget` on a host that gets the records from another host: they would come back.
    fileprivate static func forgottenElsewhere(_ name: String, _ leader: String) -> RequestError {
        RequestError(
            .conflict,
            TranslatedText(
                en: "\(leader) asks for \(name), and has all hosts of the fleet erase what it erases",
                pl: "o \(name) pyta \(leader), a wszystkie hosty floty usuwają to, co usunie ten"),
            hint: TranslatedText(
                en: "on that host: claimsctl forget --collection \(name)",
                pl: "na tym hoście: claimsctl forget --collection \(name)"),
            details: [detail("collection", name), detail("leader", leader)])
    }

    /// The error of `forget` if the records come from a bundle.
    fileprivate static func bundleForgetsNothing(_ name: String) -> RequestError {
        RequestError(
            .conflict,
            TranslatedText(
                en: "the records of \(name) come from a bundle, which is a file of the package",
                pl: "rekordy kolekcji \(name) pochodzą z pliku dołączonego do pakietu"),
            hint: .reloadReadsBundle)
    }
}
