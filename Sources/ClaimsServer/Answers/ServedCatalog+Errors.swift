// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

extension RequestError {
    /// The `not_found` error of `detail`, with the id and the collection's meta.
    static func recordNotFound(
        id: String, in view: CollectionView, language: String?, _ served: ServedCatalog
    ) -> RequestError {
        var error = RequestError(
            .notFound,
            TranslatedText(
                en: "no \(view.definition.singular) has this id",
                pl: "w kolekcji \(view.definition.name) nie ma rekordu o tym identyfikatorze"),
            details: [
                RequestError.detail("id", id),
                ("meta", served.meta(view, language: language)),
            ])
        error.look = .missed(view.definition.name)
        return error
    }

    /// The `no_data` error of a collection without a snapshot: its state, and what to do about it.
    static func noData(_ view: CollectionView, language: String?, _ served: ServedCatalog) -> RequestError {
        let name = view.definition.name
        let meta = view.meta(now: served.now, revision: served.catalog.revision)
        let text: TranslatedText
        let hint: TranslatedText
        switch meta.state {
        case .unconfigured:
            text = TranslatedText(en: "\(name) has no source", pl: "kolekcja \(name) nie ma źródła")
            hint = served.configuration.sourceHint(name)
        case .failed where !view.definition.source.isConfigured:
            text = TranslatedText(
                en: "\(name) has no records that can be served, and no source",
                pl: "kolekcja \(name) nie ma rekordów, które można podać, ani źródła")
            hint = served.configuration.sourceHint(name)
        case .failed:
            let failed = TranslatedText(
                en: "\(name) could not be fetched", pl: "nie udało się pobrać kolekcji \(name)")
            text = meta.lastError.map { failed.joined(": ", TranslatedText($0.message)) } ?? failed
            hint = TranslatedText(
                en: "refresh with wait to try again", pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie")
        case .withheld: (text, hint) = withheld(view, meta)
        default:
            text = TranslatedText(
                en: "\(name) is being fetched for the first time",
                pl: "kolekcja \(name) jest pobierana po raz pierwszy")
            hint = TranslatedText(
                en: "refresh with wait to hear when it is there",
                pl: "wywołaj refresh z parametrem wait, żeby się dowiedzieć, kiedy będzie gotowa")
        }
        return RequestError(
            .noData, text, hint: hint, details: [("meta", served.meta(view, language: language))])
    }

    /// Why the records of a collection are withheld, and the remedy.
    private static func withheld(_ view: CollectionView, _ meta: CollectionMeta) -> (
        text: TranslatedText, hint: TranslatedText
    ) {
        let name = view.definition.name
        let refresh = TranslatedText(
            en: "refresh with wait to try again", pl: "wywołaj refresh z parametrem wait, żeby spróbować ponownie")
        if meta.asOf == nil {
            let text = TranslatedText(
                en: "\(name) is withheld: nobody knows how old it is",
                pl: "kolekcja \(name) nie jest pokazywana: nie wiadomo, z kiedy są dane")
            return (text, refresh)
        }
        if meta.freshness != .expired {
            let text = TranslatedText(
                en: "\(name) is withheld: it is newer than this host's clock",
                pl: "kolekcja \(name) nie jest pokazywana: dane są z przyszłości według zegara tego komputera")
            let hint = TranslatedText(
                en: "set the clock, or refresh with wait", pl: "ustaw zegar albo wywołaj refresh z wait")
            return (text, hint)
        }
        let span = TranslatedText(span: view.definition.source.withhold ?? .zero)
        let old = TranslatedText(
            en: "\(name) is withheld: older than \(span.english)",
            pl: "kolekcja \(name) nie jest pokazywana: dane mają ponad \(span.polish)")
        return (old, refresh)
    }
}

extension TranslatedText {
    /// A span of time as in definitions, with a blank before each unit; days are written out.
    fileprivate init(span: Duration) {
        let day: Int64 = 86_400
        let seconds = span.components.seconds
        guard seconds % day == 0, seconds > day else {
            let text = TimeSpan.text(of: span).reduce(into: "") { text, character in
                if character.isLetter, text.last?.isNumber ?? false { text += " " }
                text.append(character)
            }
            self.init(en: text, pl: text)
            return
        }
        self = Plural.days.text(seconds / day)
    }
}
