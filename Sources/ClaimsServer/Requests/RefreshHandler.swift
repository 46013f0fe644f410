// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsSnapshot
import ClaimsStore
import Synchronization

/// `refresh`: fetches from the upstream now.
enum RefreshHandler {
    static func answer(
        _ parameters: RefreshParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let language = parameters.language
        let order = try order(parameters, from: peer, context)
        let services = context.services
        let configured = context.configuration.language
        let clock = context.configuration.clock
        let isNamed = parameters.collection != nil
        let finish = { @Sendable (order: RefreshOrder, done: @escaping @Sendable (RequestResult) -> Void) in
            order.perform(with: services, for: peer) { reports in
                let now = clock.now()
                let seen = services.catalog(for: peer)
                let catalog = seen.known
                if isNamed, let error = reports.lazy.compactMap({ error(of: $0, catalog) }).first {
                    return done(.failure(error))
                }
                // The rules may have changed meanwhile.
                let visible = seen.isWhole ? reports : reports.filter { catalog[$0.collection] != nil }
                done(.success(text(of: visible, catalog, language: language ?? configured, now: now)))
            }
        }
        guard parameters.isWatching else { return .later(cancellation: Cancellation()) { done in finish(order, done) } }
        return .watched(Cancellation()) { report, done in
            var watched = order
            watched.watcher = { source, progress in
                // The rules may have changed meanwhile.
                let seen = services.catalog(for: peer)
                guard seen.isWhole || seen.known[source.collection] != nil else { return }
                let isLimited = !seen.isWhole && !seen.seesAllFigures(of: source.collection)
                report(RefreshProgressNotification.method, members(of: progress, source, isLimited: isLimited))
            }
            finish(watched, done)
        }
    }

    /// The order that the parameters describe, if the peer may give it.
    static func order(
        _ parameters: RefreshParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> RefreshOrder {
        if parameters.isForced { try peer.require(.admin, for: Self.withForce) }
        if parameters.isAccepted { try peer.require(.admin, for: Self.withAccept) }
        if parameters.isWatching, !parameters.isWaiting {
            throw RequestError(
                RefreshParameters.progress,
                TranslatedText(en: "progress needs wait", pl: "parametr progress wymaga parametru wait"))
        }
        let sources: [SourceID]
        if parameters.collection == nil, parameters.site != nil {
            throw RequestError(
                RefreshParameters.site,
                TranslatedText(en: "site needs collection", pl: "parametr site wymaga parametru collection"))
        }
        if let name = parameters.collection {
            let view = try context.served.knownView(named: name)
            guard view.definition.source.isConfigured else {
                guard view.snapshot == nil else {
                    throw RequestError(
                        .conflict,
                        TranslatedText(
                            en: "\(view.definition.name) has no source to refresh from",
                            pl: "kolekcja \(view.definition.name) nie ma źródła, z którego można ją odświeżyć"),
                        hint: view.definition.isLocal ? nil : context.configuration.sourceHint(view.definition.name))
                }
                throw .noData(view, language: parameters.language, context.served)
            }
            sources = try Self.sources(of: view.definition, site: parameters.site)
        } else {
            sources = context.served.seen.known.views.flatMap(\.definition.sources)
        }
        return RefreshOrder(
            sources: sources, waits: parameters.isWaiting, isForced: parameters.isForced,
            isAccepted: parameters.isAccepted)
    }

    /// The sources that are asked: all of the collection, or one site.
    private static func sources(of definition: Definition, site: String?) throws(RequestError) -> [SourceID] {
        guard let site else { return definition.sources }
        let names = definition.sources.compactMap(\.site)
        guard !names.contains(site) else { return [SourceID(definition.name, site: site)] }
        let hint =
            names.isEmpty
            ? TranslatedText(
                en: "\(definition.name) has one source, and no sites",
                pl: "kolekcja \(definition.name) ma jedno źródło i nie ma oddziałów")
            : Suggestion.question(site, among: names)
        throw RequestError(
            RefreshParameters.site,
            TranslatedText(
                en: "\(definition.name) has no site called '\(site)'",
                pl: "kolekcja \(definition.name) nie ma oddziału „\(site)”"),
            hint: hint)
    }

    /// The members of a `progress` notification after `request`.
    ///
    /// - Parameter isLimited: whether the peer does not see the total.
    static func members(of progress: RefreshProgress, _ source: SourceID, isLimited: Bool = false) -> [UInt8] {
        typealias Notification = RefreshProgressNotification
        return JSONWriter.members { writer in
            writer.member(Notification.collection, source.collection)
            if let site = source.site { writer.member(Notification.site, site) }
            writer.member(Notification.phase, progress.phase.rawValue)
            if !isLimited {
                writer.member(Notification.bytes, progress.bytes)
                if let expected = progress.expected { writer.member(Notification.expected, expected) }
                writer.member(Notification.pages, progress.pages)
                writer.member(Notification.records, progress.records)
            }
            if let wait = progress.wait {
                writer.key(Notification.wait)
                writer.beginObject()
                writer.member(Notification.Wait.host, wait.host)
                writer.member(Notification.Wait.reason, wait.reason.rawValue)
                writer.key(Notification.Wait.until)
                writer.instant(wait.until)
                writer.endObject()
            }
        }
    }

    private static let withForce = TranslatedText(en: "refresh with force", pl: "refresh z parametrem force")
    private static let withAccept = TranslatedText(en: "refresh with accept", pl: "refresh z parametrem accept")

    /// The error about a collection that cannot be refreshed any more, although it could when that was asked for.
    private static func error(of report: RefreshReport, _ catalog: Catalog) -> RequestError? {
        guard report.isGone || catalog[report.collection] == nil else { return nil }
        let name = report.collection
        if catalog[name] != nil {
            return RequestError(
                .conflict,
                TranslatedText(
                    en: "\(name) has lost its source while it was being refreshed",
                    pl: "kolekcja \(name) straciła źródło w trakcie odświeżania"),
                hint: TranslatedText(
                    en: "name one in collections.d/\(name).json5 in the configuration folder",
                    pl: "podaj je w pliku collections.d/\(name).json5 w folderze konfiguracji"))
        }
        return RequestError(
            .unknownCollection,
            TranslatedText(
                en: "\(name) was removed while it was being refreshed",
                pl: "kolekcja \(name) została usunięta w trakcie odświeżania"),
            hint: TranslatedText(
                en: "its definition is gone; status tells until when its records are kept",
                pl: "jej definicji już nie ma; status podaje, do kiedy są przechowywane jej rekordy"),
            details: [RequestError.detail("collection", name)])
    }

    private static func text(
        of reports: [RefreshReport], _ catalog: Catalog, language: String, now: Int64
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(RefreshResult.collections)
        writer.beginArray()
        for report in reports {
            writer.beginObject()
            writer.member(RefreshResult.Outcome.collection, report.collection)
            if let site = report.source.site { writer.member(RefreshResult.Outcome.site, site) }
            writer.member(RefreshResult.Outcome.outcome, report.outcome.rawValue)
            if catalog[report.collection]?.limit == nil {
                writer.member(RefreshResult.Outcome.added, report.counts.added)
                writer.member(RefreshResult.Outcome.updated, report.counts.updated)
                writer.member(RefreshResult.Outcome.removed, report.counts.removed)
                writer.member(RefreshResult.Outcome.volatile, report.counts.volatile)
                writer.member(RefreshResult.Outcome.quarantined, report.counts.quarantined)
            }
            if report.outcome == .skipped, let until = report.next {
                writer.key(RefreshResult.Outcome.until)
                writer.instant(until)
            }
            writer.key(RefreshResult.Outcome.meta)
            if let view = catalog[report.collection] {
                MetaText(view, catalog.revision, language: language, now: now).write(now: now, to: &writer)
            } else {
                writer.null()
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

/// A client's order to refresh sources.
struct RefreshOrder: Sendable {
    /// The sources, in the order of the outcomes.
    var sources: [SourceID]
    /// Whether the completion waits until the refreshes have ended.
    var waits: Bool
    /// Whether backoff, Retry-After (RFC 9110, section 10.2.3) and validators are ignored.
    var isForced: Bool
    /// Whether changes are accepted that the guard holds or would hold.
    var isAccepted: Bool
    /// Receives the progress of the refresh of a source, on any thread, before the completion.
    typealias Watcher = @Sendable (SourceID, RefreshProgress) -> Void

    /// Receives the progress of each refresh; nil if it is not wanted.
    var watcher: Watcher?
}

extension RefreshOrder {
    /// The same order after a reload. If its collection has got or lost sites, all sources are asked.
    func renewed(_ catalog: Catalog) -> RefreshOrder {
        var order = self
        order.sources = []
        for source in sources {
            let current = catalog[source.collection]?.definition.sources ?? []
            let isSame = current.isEmpty || current.contains { ($0.site == nil) == (source.site == nil) }
            for next in isSame ? [source] : current where !order.sources.contains(next) { order.sources.append(next) }
        }
        return order
    }
}

extension RefreshOrder {
    /// Receives the reports on refreshes, in the order of the sources; called once, on any thread.
    typealias Completion = @Sendable ([RefreshReport]) -> Void

    /// Performs the order, see ``start(with:done:)``.
    ///
    /// An order that accepts a body waits for the reloads that were requested before it: the body belongs to their
    /// configuration.
    func perform(with services: ServerServices, for peer: Peer, done: @escaping Completion) {
        guard isAccepted else { return start(with: services.refresher, done: done) }
        services.reloads.afterReloads {
            renewed(services.catalog(for: peer).known).start(with: services.refresher, done: done)
        }
    }

    /// Starts refreshes. It calls `done` once: after all have ended, or, if the order does not wait, after all have
    /// started.
    private func start(with refresher: Refresher, done: @escaping Completion) {
        guard !sources.isEmpty else { return done([]) }
        let gathering = RefreshGathering(sources.count, done: done)
        let watching = watcher.map { RefreshWatching(sources, $0) }
        for (index, source) in sources.enumerated() {
            let options = RefreshOptions(force: isForced, accept: isAccepted)
            let completion: @Sendable (RefreshReport) -> Void = { report in
                watching?.finish(source)
                gathering.set(index, report)
            }
            let watcher = watching.map { watching in
                { @Sendable (progress: RefreshProgress) in watching.record(progress, of: source) }
            }
            switch refresher.refresh(source, options, completion: waits ? completion : nil, watcher: watcher) {
            case .started, .joined:
                if !waits { gathering.set(index, RefreshReport(source, outcome: .started)) }
            case .leftAlone(let until): gathering.set(index, .skipped(source, until: until))
            case .unconfigured: gathering.set(index, .gone(source))
            case .stopping: gathering.set(index, RefreshReport(source, outcome: .skipped))
            }
        }
    }
}

/// Collects the outcomes of several sources until all have arrived.
private final class RefreshGathering: Sendable {
    private struct State {
        var reports: [RefreshReport?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let done: @Sendable ([RefreshReport]) -> Void

    init(_ count: Int, done: @escaping @Sendable ([RefreshReport]) -> Void) {
        state = Mutex(State(reports: Array(repeating: nil, count: count), missing: count))
        self.done = done
    }

    func set(_ index: Int, _ report: RefreshReport) {
        let complete = state.withLock { state -> [RefreshReport]? in
            guard state.reports[index] == nil else { return nil }
            state.reports[index] = report
            state.missing -= 1
            return state.missing == 0 ? state.reports.compactMap(\.self) : nil
        }
        if let complete { done(complete) }
    }
}

/// Reports the progress of refreshes: of the sites of a collection all together, of another source by itself.
private final class RefreshWatching: Sendable {
    private let collections: Mutex<[String: SiteProgress]>
    private let report: RefreshOrder.Watcher

    init(_ sources: [SourceID], _ report: @escaping RefreshOrder.Watcher) {
        let counts = Dictionary(sources.map { ($0.collection, 1) }, uniquingKeysWith: +)
        collections = Mutex(counts.filter { $0.value > 1 }.mapValues { _ in SiteProgress() })
        self.report = report
    }

    func record(_ progress: RefreshProgress, of source: SourceID) {
        // Reported under the lock, so that the lines of several sites come in their order.
        collections.withLock { collections in
            guard collections[source.collection] != nil else { return report(source, progress) }
            let whole = collections[source.collection]?.record(progress, of: source, at: SystemClock.monotonic)
            if let whole { report(SourceID(source.collection), whole) }
        }
    }

    func finish(_ source: SourceID) { collections.withLock { $0[source.collection]?.finish(source) } }
}
