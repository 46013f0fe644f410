// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
package import ClaimsProtocol
package import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream

/// `try`: asks an upstream by the files of a definition, and changes nothing.
enum TryHandler {
    static func answer(
        _ parameters: TryParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        try peer.requireRole(of: .attempt)
        let views = context.served.seen.known.views
        let known = views.first { $0.definition.singular == parameters.collection }?.definition.name
        let name = known ?? parameters.collection
        if context.served.hides(name) { throw .recordsHidden(name) }
        if views.contains(where: { $0.definition.name == name && $0.limit != nil }) { throw .limitedView(name) }
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
        return .watched(cancellation) { report, done in
            var watched = order
            watched.watcher = { report(RefreshProgressNotification.method, RefreshHandler.members(of: $1, $0)) }
            perform(watched, done)
        }
    }
}

/// Writes the result of `try` as JSON, for clients and for `claimsd --try`.
package struct TrialText {
    private let language: String
    private var writer = JSONWriter()

    private init(_ language: String) { self.language = language }

    /// The result as an object.
    package static func text(_ result: TrialResult, language: String) -> [UInt8] {
        switch result {
        case .made(let report): text(report, problems: [], language)
        case .invalid(let problems): text(TrialReport(.invalid), problems: problems, language)
        }
    }

    private static func text(
        _ report: TrialReport, problems: [ConfigurationProblem], _ language: String
    ) -> [UInt8] {
        var text = TrialText(language)
        text.writer.beginObject()
        text.writer.member(TryResult.outcome, report.outcome.rawValue)
        if let site = report.site { text.writer.member(TryResult.site, site) }
        text.write(problems)
        text.write(report.requests)
        text.writeError(of: report)
        text.writeCounts(of: report)
        text.write(report.fields)
        text.write(report.quarantined)
        text.writer.key(TryResult.drift)
        DriftWriter.write(report.drift, confirmedAt: nil, to: &text.writer)
        text.writer.member(TryResult.shrinkGuard, report.guardReason?.text(language))
        text.writer.key(TryResult.sample)
        text.writer.beginArray()
        for record in report.sample { text.writer.raw(record) }
        text.writer.endArray()
        text.writer.key(TryResult.changes)
        text.writer.beginObject()
        text.writer.member(TryResult.Changes.added, report.added)
        text.writer.member(TryResult.Changes.updated, report.updated)
        text.writer.member(TryResult.Changes.removed, report.removed)
        text.writer.endObject()
        text.writer.endObject()
        return text.writer.bytes
    }

    private mutating func write(_ problems: [ConfigurationProblem]) {
        writer.key(TryResult.problems)
        ProblemWriter.write(problems, to: &writer)
    }

    private mutating func write(_ requests: [TrialReport.Request]) {
        typealias Request = TryResult.Request
        writer.key(TryResult.requests)
        writer.beginArray()
        for request in requests {
            writer.beginObject()
            writer.member(Request.method, request.entry.method.rawValue)
            writer.member(Request.url, request.entry.url)
            if let status = request.entry.status { writer.member(Request.status, status) }
            writer.member(Request.time, request.entry.duration.wholeMilliseconds)
            writer.member(Request.bytes, request.entry.bytes)
            if let elements = request.elements { writer.member(Request.elements, elements) }
            writer.endObject()
        }
        writer.endArray()
    }

    private mutating func writeError(of report: TrialReport) {
        typealias Refusal = TryResult.Refusal
        writer.key(TryResult.error)
        guard let failure = report.failure else { return writer.null() }
        writer.beginObject()
        writer.member(Refusal.kind, failure.kind.rawValue)
        if let reason = failure.reason { writer.member(Refusal.reason, reason.rawValue) }
        if let status = failure.status { writer.member(Refusal.status, status) }
        writer.member(Refusal.message, failure.message.text(language))
        if let body = report.refusal { writer.member(Refusal.body, body) }
        writer.endObject()
    }

    private mutating func writeCounts(of report: TrialReport) {
        writer.key(TryResult.counts)
        writer.beginObject()
        writer.member(TryResult.Counts.records, report.counts.records)
        writer.member(TryResult.Counts.added, report.counts.added)
        writer.member(TryResult.Counts.updated, report.counts.updated)
        writer.member(TryResult.Counts.removed, report.counts.removed)
        writer.member(TryResult.Counts.quarantined, report.counts.quarantined)
        writer.endObject()
    }

    private mutating func write(_ fields: [TrialReport.Filled]) {
        writer.key(TryResult.fields)
        writer.beginObject()
        for field in fields {
            writer.key(field.name)
            writer.beginObject()
            writer.member(TryResult.Field.filled, field.filled)
            writer.member(TryResult.Field.wrong, field.wrong)
            writer.endObject()
        }
        writer.endObject()
    }

    private mutating func write(_ quarantined: [TrialReport.Refused]) {
        writer.key(TryResult.quarantined)
        writer.beginArray()
        for element in quarantined {
            writer.beginObject()
            writer.member(TryResult.Refused.pointer, element.pointer)
            writer.member(TryResult.Refused.reason, element.reason)
            writer.member(TryResult.Refused.excerpt, element.excerpt)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension RequestError {
    /// The error of `try` for a definition that is not tried.
    package init(_ refusal: TrialRefusal) {
        switch refusal {
        case .busy:
            self.init(
                .busy, TranslatedText(en: "another trial is under way", pl: "trwa już inna próba"),
                hint: TranslatedText(en: "there is one at a time", pl: "naraz może być jedna"),
                details: [RequestError.detail("retry_after_ms", 1_000 as Int64)])
        case .ended: self.init(.timeout, TranslatedText(en: "the trial was ended", pl: "próbę przerwano"))
        case .noFile(let name, let names):
            let list = names.joined(separator: ", ")
            let others =
                names.isEmpty
                ? TranslatedText(
                    en: "write collections.d/\(name).json5 in the configuration folder",
                    pl: "napisz plik collections.d/\(name).json5 w folderze konfiguracji")
                : TranslatedText(en: "the collections are \(list)", pl: "kolekcje to \(list)")
            self.init(
                .unknownCollection,
                TranslatedText(en: "no file defines '\(name)'", pl: "żaden plik nie definiuje kolekcji „\(name)”"),
                hint: Suggestion.question(name, among: names) ?? others,
                details: [RequestError.detail("collection", name)])
        case .noSite(let name, let sites):
            let list = sites.joined(separator: ", ")
            self.init(
                TryParameters.site,
                sites.isEmpty
                    ? TranslatedText(en: "\(name) has no sites", pl: "kolekcja \(name) nie ma oddziałów")
                    : TranslatedText(en: "the sites are \(list)", pl: "oddziały to \(list)"))
        case .noSince(let name):
            self.init(
                TryParameters.incremental,
                TranslatedText(en: "\(name) has no 'since'", pl: "kolekcja \(name) nie ma „since”"))
        case .noPosition(let name):
            self.init(
                .conflict,
                TranslatedText(
                    en: "it is not known since when \(name) is to be asked for changes: "
                        + "no good answer to this request yet",
                    pl: "nie wiadomo, od kiedy pytać o zmiany kolekcji \(name): "
                        + "nie było jeszcze dobrej odpowiedzi na to żądanie"),
                hint: TranslatedText(
                    en: "reload the definition and refresh \(name), or try it without incremental",
                    pl: "przeładuj definicję i odśwież kolekcję \(name) albo wypróbuj ją bez incremental"))
        }
    }
}
