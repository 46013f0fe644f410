// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
public import ClaimsStore
public import ClaimsUpstream

/// Makes the requests of a definition, and reports the effects that a refresh would have, on the calling thread.
///
///     let run = TrialRun(definition, settings: settings, fetcher: fetcher, trace: trace)
///     print(run.report(comparedWith: view, cancellation: cancellation).outcome)
///
/// The requests are those of a refresh; nothing is stored.
public struct TrialRun: Sendable {
    private let definition: Definition
    private let site: String?
    private let settings: Settings
    private let fetcher: SourceFetcher
    private let trace: RequestTrace
    private let clock: WallClock
    /// Whether only the changes are requested.
    public var isIncremental = false
    /// Gets the progress of the trial.
    var meter = RefreshMeter()

    /// - Parameters:
    ///   - fetcher: its requests are recorded in `trace`.
    ///   - site: the site to ask; nil in a collection without sites.
    public init(
        _ definition: Definition, site: String? = nil, settings: Settings, fetcher: SourceFetcher, trace: RequestTrace,
        clock: WallClock = .system
    ) {
        self.definition = definition
        self.site = site
        self.settings = settings
        self.fetcher = fetcher
        self.trace = trace
        self.clock = clock
    }

    /// Whether the definition has an upstream to ask.
    public var isConfigured: Bool { SourceRequests(definition, site: site, limits: settings.transfer) != nil }

    /// Whether the position for a request for changes is known: the source has answered this request before.
    ///
    /// - Parameter view: the served collection; nil if nothing is served.
    public func hasPosition(in view: CollectionView?) -> Bool {
        guard let requests = SourceRequests(definition, site: site, limits: settings.transfer) else { return false }
        return change(of: requests, in: view) != nil
    }

    /// The target of the position in the request, and its value.
    private func change(
        of requests: SourceRequests, in view: CollectionView?
    ) -> (target: ParameterTarget, value: JSONValue)? {
        guard let view, let plan = IncrementalPlan(definition, share: 0) else { return nil }
        let known = view.condition.source(of: SourceID(definition.name, site: site))
        return plan.position(of: known, key: requests.records.key).map { (plan.target, $0) }
    }

    /// Asks, reads and compares.
    ///
    /// - Parameter view: the served collection; nil if nothing is served.
    /// - Returns: nil if `cancellation` has ended it, or there is no upstream to ask.
    public func report(comparedWith view: CollectionView?, cancellation: HTTPCancellation) -> TrialReport? {
        guard let requests = SourceRequests(definition, site: site, limits: settings.transfer) else { return nil }
        for secret in requests.ownSecrets { trace.record(secret: Array(secret.utf8)) }
        do throws(FetchFailure) {
            return try report(requests, comparedWith: view, cancellation)
        } catch {
            if error.isCancelled { return nil }
            var report = TrialReport(.failed)
            report.failure = error
            report.refusal = refusal(of: error)
            complete(&report, elements: [])
            return report
        }
    }

    /// The body with which the upstream refused the last request; nil if there was none.
    private func refusal(of failure: FetchFailure) -> String? {
        guard failure.status != nil || [.reported, .notJSON].contains(failure.kind), !trace.refusal.bytes.isEmpty else {
            return nil
        }
        return String(decoding: trace.refusal.bytes, as: UTF8.self)
    }

    private func report(
        _ requests: SourceRequests, comparedWith view: CollectionView?, _ cancellation: HTTPCancellation
    ) throws(FetchFailure) -> TrialReport {
        meter.begin()
        let join = JoinFetch(
            fetcher: fetcher, definition: definition, target: requests.join, known: SourceRow(), isForced: true,
            cancellation: cancellation, meter: meter
        ).run()
        if let failure = join.failure, failure.isCancelled { throw failure }
        let joinRefusal = join.failure.flatMap { refusal(of: $0) }
        let joinRequests = trace.count
        var target = requests.records
        if isIncremental, let change = change(of: requests, in: view) {
            target = target.setting(change.target, to: change.value)
        }
        var walks = FetchedWalks(
            begin: fetcher.uptime,
            first: try fetcher.fetch(target, validators: nil, cancellation: cancellation, meter: meter))
        if requests.records.url.hasPrefix("file:") {
            trace.record(
                .init(
                    method: .get, url: requests.records.url, status: nil, duration: .zero,
                    bytes: walks.first.size, isGood: true))
        }
        let hasData = view.map { $0.condition.row.hasData && !$0.condition.row.isBundle } ?? false
        try requireRecent(walks, view, requests)
        var joined: JoinTable?
        if case .changed(let table, _) = join { joined = table }
        let empty = TrialIntake(
            definition: definition, site: site, joined: joined, base: hasData ? view?.committed : nil,
            ownDeletions: view?.condition.ownDeletions ?? [],
            hasPages: requests.records.paging != nil, isIncremental: isIncremental)
        let prefix = site.map { Array("\($0):".utf8) } ?? []
        var intake = empty
        var elements = try read(walks.first, requests.records, into: &intake, cancellation)
        let doubt = SecondWalk(requests.records.request, end: walks.first.end, isWhole: !isIncremental)
        if doubt.isPossible, doubt.isNeeded(lacking: intake.lacking(prefix: prefix)) {
            meter.begin()
            let second = try fetcher.fetchAgain(
                requests.records, after: walks.first, cancellation: cancellation, meter: meter)
            walks.second = second
            intake = empty
            intake.isSecondWalk = true
            elements += try read(second, requests.records, into: &intake, cancellation)
            intake.beginEarlierWalk()
            _ = try read(walks.first, requests.records, into: &intake, cancellation)
        }
        intake.finish(isWhole: !isIncremental, prefix: prefix)
        var report = TrialReport(.wouldUpdate)
        add(intake, to: &report)
        report.failure = join.failure
        report.refusal = joinRefusal
        if hasData, let view {
            report.guardReason = objection(to: intake, against: view, requests, walks.latest)
            if report.guardReason != nil {
                report.outcome = .held
            } else if intake.counts.isUnchanged {
                report.outcome = .unchanged
            }
        }
        complete(&report, elements: elements, after: joinRequests)
        return report
    }

    /// Fails with `late` if a refresh would not accept the answer, because the data here is newer.
    private func requireRecent(
        _ walks: FetchedWalks, _ view: CollectionView?, _ requests: SourceRequests
    ) throws(FetchFailure) {
        let source = SourceID(definition.name, site: site)
        guard let view, view.hasData(of: source) else { return }
        let now = clock.now()
        let moment = AnswerMoment(now: now, uptime: fetcher.uptime, begin: walks.begin, oldest: walks.oldest)
        let known = view.condition.source(of: source)
        if let lag = known.lag(of: moment, key: requests.records.key, now: now) { throw FetchFailure(older: lag) }
    }

    /// Reads all pages of a walk, and returns the number of elements of each.
    private func read(
        _ pages: FetchedPages, _ target: FetchTarget, into intake: inout TrialIntake, _ cancellation: HTTPCancellation
    ) throws(FetchFailure) -> [Int] {
        var elements: [Int] = []
        for page in pages.pages {
            do throws(IntakeError) {
                elements.append(
                    try intake.read(
                        page, root: target.root, maxRecords: target.limits.records,
                        isCancelled: { cancellation.isCancelled }))
            } catch {
                if case .notJSON = error { page.withBytes { trace.refusal.keep($0) } }
                throw FetchFailure(error, root: target.root)
            }
            meter.read(intake.counts.records + intake.counts.quarantined)
        }
        return elements
    }

    /// Why the guard would hold the answer back; nil if it would not.
    private func objection(
        to intake: TrialIntake, against view: CollectionView, _ requests: SourceRequests, _ pages: FetchedPages
    ) -> Message? {
        let source = SourceID(definition.name, site: site)
        guard view.hasData(of: source) else { return nil }
        let (extent, known) = (intake.extent, view.condition.source(of: source))
        let candidate = ShrinkGuard.Candidate(
            before: extent.before, after: extent.after, missing: extent.missing, quarantined: extent.quarantined,
            move: ShrinkGuard.Move(from: known.origin, to: requests.records.origin),
            bodyHash: pages.hash(key: requests.records.key))
        let verdict = ShrinkGuard(settings.shrinkGuard).verdict(candidate, held: known.held?.sighting, now: clock.now())
        if case .hold(_, _, let reason) = verdict { return reason }
        return nil
    }

    // MARK: - Telling

    private func add(_ intake: TrialIntake, to report: inout TrialReport) {
        report.counts = intake.counts
        report.drift = intake.drift
        report.fields = definition.fields.indices.map { index in
            let name = definition.fields[index].name
            let changes = intake.drift.typeChanges.filter { $0.field == name && !$0.isAhead }
            let wrong = changes.reduce(0) { $0 + $1.sight.count }
            return TrialReport.Filled(name: name, filled: intake.filled[index], wrong: wrong)
        }
        report.sample = intake.sample
        report.added = intake.addedIDs.map { String(decoding: $0, as: UTF8.self) }
        report.updated = intake.updatedIDs.map { String(decoding: $0, as: UTF8.self) }
        report.removed = intake.removedIDs.map { String(decoding: $0, as: UTF8.self) }
        report.quarantined = intake.refused.map {
            TrialReport.Refused(
                pointer: $0.pointer, reason: $0.reason, excerpt: String(decoding: $0.excerpt, as: UTF8.self))
        }
    }

    /// Adds the requests, and hides every secret.
    ///
    /// - Parameters:
    ///   - elements: the numbers of elements of the pages.
    ///   - skipped: the number of requests before the first page, which are the join's.
    private func complete(_ report: inout TrialReport, elements: [Int], after skipped: Int = 0) {
        report.site = site
        let mask = SecretMask(trace.secrets)
        var pages = elements[...]
        report.requests = trace.entries.enumerated().map { index, entry in
            let shown = RequestTrace.Entry(
                method: entry.method, url: mask.address(entry.url), status: entry.status,
                duration: entry.duration, bytes: entry.bytes, isGood: entry.isGood)
            let isPage = entry.isGood && index >= skipped
            return TrialReport.Request(entry: shown, elements: isPage ? pages.popFirst() : nil)
        }
        report.hide(mask)
    }
}

extension TrialReport {
    /// Hides secrets that the upstream has echoed, and cuts long values.
    fileprivate mutating func hide(_ mask: SecretMask) {
        func short(_ text: String) -> String { mask.text(text, upTo: SecretMask.maxValue) }
        failure = failure?.hiding(mask)
        refusal = refusal.map { mask.text($0, upTo: TrialIntake.maxExcerpt) }
        added = added.map(short)
        updated = updated.map(short)
        removed = removed.map(short)
        quarantined = quarantined.map {
            Refused(pointer: short($0.pointer), reason: short($0.reason), excerpt: short($0.excerpt))
        }
        sample = sample.map { document in
            var tape = JSONTape()
            guard (try? tape.parse(document.rawSpan, depth: JSONElements.bodyDepth)) != nil,
                case .object(let record) = JSONValue(tape, 0, in: document.rawSpan)
            else { return Array("{}".utf8) }
            var writer = JSONWriter()
            let members = record.members.map { JSONObject.Member($0.key, mask.value($0.value)) }
            JSONValue.object(JSONObject(members)).write(to: &writer)
            return writer.bytes
        }
        drift = drift.masked(short)
    }
}

extension DriftReport {
    /// The same report with other texts of the upstream.
    fileprivate func masked(_ mask: (String) -> String) -> DriftReport {
        var report = self
        report.newValues = newValues.map { entry in
            var sight = entry.sight
            sight.example = sight.example.map(mask)
            return NewValue(field: entry.field, value: mask(entry.value), sight: sight)
        }
        report.newMembers = newMembers.map { entry in
            var sight = entry.sight
            sight.example = sight.example.map(mask)
            return NewMember(name: mask(entry.name), sight: sight)
        }
        for index in report.typeChanges.indices {
            report.typeChanges[index].sight.example = report.typeChanges[index].sight.example.map(mask)
        }
        return report
    }
}
