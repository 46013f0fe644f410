// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsServer
import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Tries definitions for clients, one at a time: reads the files as a reload would, asks, and stores nothing.
final class TrialBridge: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], RequestError>) -> Void

    /// The time that a trial may take.
    private static let maxDuration = Duration.seconds(600)

    private let folders: Folders
    private let catalogs: CatalogPublisher
    private let fetcher: SourceFetcher
    private let loop: EventLoop
    private let worker: WorkerPool
    /// The trial that is under way.
    private let current = Mutex<HTTPCancellation?>(nil)

    /// - Parameter loop: ends a trial that takes too long.
    init(
        _ folders: Folders, catalogs: CatalogPublisher, fetcher: SourceFetcher, loop: EventLoop
    ) throws(SystemError) {
        self.folders = folders
        self.catalogs = catalogs
        self.fetcher = fetcher
        self.loop = loop
        worker = try WorkerPool(name: "try", threads: 1, urgency: .background)
    }

    /// Begins a trial, and calls `done` once with its result, on any thread.
    func perform(_ order: TrialOrder, done: @escaping Completion) {
        let cancellation = HTTPCancellation()
        let isFree = current.withLock { current in
            guard current == nil else { return false }
            current = cancellation
            return true
        }
        guard isFree else { return done(.failure(.tryingAlready)) }
        order.whenCancelled { cancellation.cancel() }
        loop.post { [loop] in _ = loop.schedule(after: Self.maxDuration) { cancellation.cancel() } }
        worker.post { [self] in
            let result = result(of: order, cancellation)
            current.withLock { $0 = nil }
            done(result)
        }
    }

    /// Ends the trial under way. Any thread may call it.
    func cancel() { current.withLock { $0 }?.cancel() }

    /// Ends the trial under way, and waits for that.
    func stop() {
        cancel()
        worker.stop()
    }

    private func result(of order: TrialOrder, _ cancellation: HTTPCancellation) -> Result<[UInt8], RequestError> {
        do throws(RequestError) { return .success(try text(of: order, cancellation)) } catch { return .failure(error) }
    }

    private func text(of order: TrialOrder, _ cancellation: HTTPCancellation) throws(RequestError) -> [UInt8] {
        let configuration = ConfigurationReader.read(folders)
        let name = order.collection
        guard configuration.names.contains(name) else { throw .noFile(name, among: configuration.names) }
        let problems = configuration.problems.filter { $0.collection == name }
        guard problems.isEmpty, let definition = configuration.definition(named: name) else {
            return TrialText.text(problems, language: order.language)
        }
        try definition.checkTrial(site: order.site, isIncremental: order.isIncremental)
        let trace = RequestTrace()
        var run = TrialRun(
            definition, site: order.site ?? definition.firstSite, settings: configuration.settings,
            fetcher: fetcher.traced(by: trace), trace: trace)
        run.isIncremental = order.isIncremental
        let view = catalogs.current()[name]
        if order.isIncremental, !run.hasPosition(in: view) { throw .noPosition(of: name) }
        guard let report = run.report(comparedWith: view, cancellation: cancellation) else {
            throw .trialEnded
        }
        return TrialText.text(report, language: order.language)
    }
}

extension Definition {
    /// The site that is tried where none is named; nil without sites.
    var firstSite: String? { source.sites?.sites.first?.name }

    /// Checks that there is something to ask.
    func checkTrial(site: String?, isIncremental: Bool) throws(RequestError) {
        guard source.isConfigured else {
            throw RequestError(
                .conflict,
                ErrorText(en: "\(name) has no source to try", pl: "kolekcja \(name) nie ma źródła do wypróbowania"),
                hint: ErrorText(
                    en: "name one in collections.d/\(name).json5: source.url",
                    pl: "podaj je w collections.d/\(name).json5: source.url"))
        }
        let sites = source.sites?.sites.map(\.name) ?? []
        let list = sites.joined(separator: ", ")
        if let site, !sites.contains(site) {
            throw RequestError(
                TryParameters.site,
                sites.isEmpty
                    ? ErrorText(en: "\(name) has no sites", pl: "kolekcja \(name) nie ma oddziałów")
                    : ErrorText(en: "the sites are \(list)", pl: "oddziały to \(list)"))
        }
        if isIncremental, source.since == nil {
            throw RequestError(
                TryParameters.incremental,
                ErrorText(en: "\(name) has no 'since'", pl: "kolekcja \(name) nie ma „since”"))
        }
    }
}

extension RequestError {
    fileprivate static let tryingAlready = RequestError(
        .busy, ErrorText(en: "another trial is under way", pl: "trwa już inna próba"),
        hint: ErrorText(en: "there is one at a time", pl: "naraz może być jedna"),
        details: [RequestError.detail("retry_after_ms", 1_000 as Int64)])

    fileprivate static let trialEnded = RequestError(
        .timeout, ErrorText(en: "the trial was ended", pl: "próbę przerwano"))

    fileprivate static func noPosition(of name: String) -> RequestError {
        RequestError(
            .conflict,
            ErrorText(
                en: "it is not known since when \(name) is to be asked for changes: no good answer to this request yet",
                pl: "nie wiadomo, od kiedy pytać o zmiany kolekcji \(name): "
                    + "nie było jeszcze dobrej odpowiedzi na to żądanie"),
            hint: ErrorText(
                en: "reload the definition and refresh \(name), or try it without incremental",
                pl: "przeładuj definicję i odśwież kolekcję \(name) albo wypróbuj ją bez incremental"))
    }

    fileprivate static func noFile(_ name: String, among names: [String]) -> RequestError {
        let list = names.joined(separator: ", ")
        return RequestError(
            .unknownCollection,
            ErrorText(en: "no file defines '\(name)'", pl: "żaden plik nie definiuje kolekcji „\(name)”"),
            hint: Suggestion.question(name, among: names)
                ?? ErrorText(en: "the collections are \(list)", pl: "kolekcje to \(list)"),
            details: [RequestError.detail("collection", name)])
    }
}
