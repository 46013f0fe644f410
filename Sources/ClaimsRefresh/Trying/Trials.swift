// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Tries definitions for clients, one at a time: reads the files as a reload would, asks, and stores nothing.
///
///     let trials = try Trials(catalogs: store.catalog, fetcher: fetcher, loop: loop) { configuration }
///     trials.perform(TrialOrder("books")) { result in print(result) }
///     trials.stop()
///
/// Every call may be made on any thread; `stop` waits for the trial to end, so it does not belong on a serving loop.
public final class Trials: Sendable {
    public typealias Completion = @Sendable (Result<TrialResult, TrialRefusal>) -> Void

    /// The maximal time of a trial.
    private static let maxDuration = Duration.seconds(600)

    private let catalogs: CatalogPublisher
    private let fetcher: SourceFetcher
    private let loop: EventLoop
    private let read: @Sendable () -> Configuration
    private let worker: WorkerPool
    /// The trial that is under way.
    private let current = Mutex<HTTPCancellation?>(nil)

    /// - Parameters:
    ///   - loop: ends a trial that takes too long.
    ///   - read: reads the current files of the configuration.
    public init(
        catalogs: CatalogPublisher, fetcher: SourceFetcher, loop: EventLoop,
        read: @escaping @Sendable () -> Configuration
    ) throws(SystemError) {
        self.catalogs = catalogs
        self.fetcher = fetcher
        self.loop = loop
        self.read = read
        worker = try WorkerPool(name: "try", threads: 1, urgency: .background)
    }

    /// Begins a trial, and calls `done` once with its result, on any thread.
    public func perform(_ order: TrialOrder, done: @escaping Completion) {
        let cancellation = HTTPCancellation()
        let isFree = current.withLock { current in
            guard current == nil else { return false }
            current = cancellation
            return true
        }
        guard isFree else { return done(.failure(.busy)) }
        order.whenCancelled { cancellation.cancel() }
        loop.post { [loop] in _ = loop.schedule(after: Self.maxDuration) { cancellation.cancel() } }
        worker.post { [self] in
            let result = result(of: order, cancellation)
            current.withLock { $0 = nil }
            done(result)
        }
    }

    /// Ends the trial under way. Any thread may call it.
    public func cancel() { current.withLock { $0 }?.cancel() }

    /// Ends the trial under way, and waits for that.
    public func stop() {
        cancel()
        worker.stop()
    }

    private func result(of order: TrialOrder, _ cancellation: HTTPCancellation) -> Result<TrialResult, TrialRefusal> {
        do throws(TrialRefusal) { return .success(try attempt(order, cancellation)) } catch { return .failure(error) }
    }

    private func attempt(_ order: TrialOrder, _ cancellation: HTTPCancellation) throws(TrialRefusal) -> TrialResult {
        let configuration = read()
        let name = order.collection
        guard configuration.names.contains(name) else { throw .noFile(name, among: configuration.names) }
        let problems = configuration.problems.filter { $0.collection == name }
        guard problems.isEmpty, let definition = configuration.definition(named: name) else {
            return .invalid(problems)
        }
        if let lack = configuration.lackOfSource(in: definition) { return .invalid([lack]) }
        try definition.checkTrial(site: order.site, isIncremental: order.isIncremental)
        let trace = RequestTrace()
        let site = order.site ?? definition.firstSite
        var run = TrialRun(
            definition, site: site, settings: configuration.settings, fetcher: fetcher.traced(by: trace), trace: trace)
        run.isIncremental = order.isIncremental
        if let watcher = order.watcher {
            let source = SourceID(name, site: site)
            run.meter = RefreshMeter { watcher(source, $0) }
        }
        let view = catalogs.current()[name]
        if order.isIncremental, !run.hasPosition(in: view) { throw .noPosition(name) }
        guard let report = run.report(comparedWith: view, cancellation: cancellation) else { throw .ended }
        return .made(report)
    }
}

extension Definition {
    /// The site that is tried if none is named; nil without sites.
    var firstSite: String? { source.sites?.sites.first?.name }

    /// Checks that the requested site and position exist.
    func checkTrial(site: String?, isIncremental: Bool) throws(TrialRefusal) {
        let sites = source.sites?.sites.map(\.name) ?? []
        if let site, !sites.contains(site) { throw .noSite(name, among: sites) }
        if isIncremental, source.since == nil { throw .noSince(name) }
    }
}

extension Configuration {
    /// The problem that a trial of a definition has nothing to ask; nil if there is a source.
    func lackOfSource(in definition: Definition) -> ConfigurationProblem? {
        guard !definition.source.isConfigured else { return nil }
        let origins = file(of: definition.name)?.origins ?? []
        let folder = folders.first { $0.layer == .site && $0.holdsDefinitions }
        guard let folder, !origins.contains(where: { $0.layer == .site }) else {
            return .noSource(in: origins.last?.path ?? definition.name, of: definition.name)
        }
        // The vendor's file has no address, and is not the site's to change.
        return ConfigurationProblem(
            location: ConfigurationLocation(file: "\(folder.path)/\(definition.name).json5"),
            message: "there is no such file, and so nothing to try: write { source: { url: \"https://…\" } } to it, "
                + "with auth if the upstream asks for a secret",
            collection: definition.name)
    }
}

extension ConfigurationProblem {
    /// The problem that the file of a definition names no source to try.
    static func noSource(in file: String, of collection: String) -> ConfigurationProblem {
        ConfigurationProblem(
            location: ConfigurationLocation(file: file, keyPath: "source"),
            message: "there is nothing to try without source.url; add auth if the upstream asks for a secret",
            collection: collection)
    }
}
