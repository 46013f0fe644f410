// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsStore

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
                ForgetParameters.ids, ErrorText(en: "no ids are given", pl: "nie podano identyfikatorów"),
                hint: ErrorText(
                    en: "name 1 to \(ForgetParameters.maxIDs) records",
                    pl: "wymień od 1 do \(ForgetParameters.maxIDs) rekordów"))
        }
        guard ids.count <= ForgetParameters.maxIDs else {
            throw RequestError(
                .tooLarge,
                ErrorText(
                    en: "\(ids.count) ids in one request",
                    pl: "zbyt wiele identyfikatorów w jednym żądaniu: \(ids.count)"),
                hint: ErrorText(
                    en: "send at most \(ForgetParameters.maxIDs) at a time",
                    pl: "wyślij naraz co najwyżej \(ForgetParameters.maxIDs)"))
        }
        guard !view.condition.row.isBundle else { throw .bundleForgetsNothing(name) }
        var seen: Set<[UInt8]> = []
        let unique = ids.map { view.currentID(Array($0.utf8)) }.filter { seen.insert($0).inserted }
        let order = ForgetOrder(
            collection: name, ids: unique, isDryRun: parameters.isDryRun, uid: peer.uid, at: context.served.now)
        return .later(cancellation: nil) { [services = context.services] done in
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
                case .success(let outcome): done(.success(text(of: outcome)))
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
            writer.beginArray()
            for id in ids { writer.string(utf8: id.rawSpan) }
            writer.endArray()
        }
        writer.member(ForgetResult.clock, outcome.revision.text)
        writer.endObject()
        return writer.bytes
    }
}

extension RequestError {
    /// The error of `forget` where the records come from a bundle.
    fileprivate static func bundleForgetsNothing(_ name: String) -> RequestError {
        RequestError(
            .conflict,
            ErrorText(
                en: "the records of \(name) come from a bundle, which is a file of the package",
                pl: "rekordy kolekcji \(name) pochodzą z pliku dołączonego do pakietu"),
            hint: ErrorText(
                en: "a reload after a change of the bundle reads it again",
                pl: "po zmianie tego pliku przeładowanie usługi wczyta go ponownie"))
    }
}
