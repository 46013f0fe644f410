// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream

/// This host as a member of one fleet: reads the addresses of the leaders, takes what is newer, and publishes what this host
/// has asked for. Every call may be made on any thread.
final class FleetMember: Sendable {
    /// A permit that was given, as the fleet was then.
    private struct GivenPermit {
        let permit: AskPermit
        let newest: Int64?
        /// The wall clock less the clock since the boot, in milliseconds.
        let clock: Int64
    }

    /// Attempts to take an entry that have failed.
    private struct Retry {
        var failures: Int
        /// By the clock since the boot, in milliseconds.
        var next: Int64
    }

    /// What is to be done with the files of a source.
    private enum Order {
        /// The records are published, or that they could not be had.
        case records, failure
        /// Records were erased.
        case erasure
    }

    private struct State {
        var isStopping = false
        var addresses: [AddressLook]
        var newest: [SourceID: NewestEntry] = [:]
        var permits: [SourceID: GivenPermit] = [:]
        var retries: [SourceID: Retry] = [:]
        /// The orders to publish, in their order.
        var orders: [(source: SourceID, kind: Order)] = []
        var lastPermit: UInt64 = 0
        /// Why the last publication failed.
        var folderProblem: String?
        /// When this host has published first, in milliseconds since the boot.
        var publishedAt: Int64?
    }

    let definition: FleetDefinition
    private let services: Fleet.Services
    private let leadership: Leadership
    private let key: SigningKey?
    /// Why this host, one of the leaders, never asks; nil where it may.
    private let obstacle: String?
    private let state: Monitor<State>
    private let cancellation = HTTPCancellation()
    private let threads: WorkerPool
    private let collections: Set<String>
    private let accessHashes: [String: String]
    /// The time since the boot at which this member began, in milliseconds.
    private let began: Int64

    /// The longest time for a look at an address.
    private static let lookTimeout = Duration.seconds(5)
    /// The interval at which a head is repeated while a request is under way.
    private static let heartbeat = Duration.seconds(10)
    /// By how many milliseconds the clock may be slewed during a request.
    private static let maxStep: Int64 = 2_000

    /// - Parameter accessHashes: the hashes of the rules of access, by collection.
    /// - Throws: if no thread can be had.
    init(
        _ definition: FleetDefinition, _ services: Fleet.Services, key: SigningKey?, folder: FleetFolder?,
        obstacle: String?,
        accessHashes: [String: String]
    ) throws(SystemError) {
        self.definition = definition
        self.services = services
        self.key = key
        self.obstacle = obstacle
        self.accessHashes = accessHashes
        collections = Set(definition.collections)
        let rank = key == nil ? nil : definition.leaders.firstIndex { $0.host == services.host }
        leadership = Leadership(
            own: Issuer(host: services.host, epoch: services.epoch), hosts: definition.leaders.map(\.host), rank: rank,
            startedAt: services.clock.now())
        state = Monitor(State(addresses: definition.leaders.map { _ in AddressLook() }))
        began = Self.uptime
        threads = try WorkerPool(name: "fleet", threads: definition.leaders.count + 1, urgency: .background)
        if let rank, let key, let folder {
            let now = services.clock.now()
            if let head = folder.head(of: definition.leaders[rank], in: definition.name, now: now) {
                accept(head, from: rank, date: nil)
            }
            threads.post { [self] in
                publish(
                    with: FleetPublisher(
                        services.store, folder: folder, key: key, fleet: definition.name, issuer: leadership.own,
                        version: services.version, clock: services.clock, sources: { [self] in sources }))
            }
        }
    }

    /// Begins to look at the addresses.
    func start() {
        tellProblems()
        for index in definition.leaders.indices { threads.post { [self] in watch(index) } }
    }

    func stop() {
        cancellation.cancel()
        state.update { $0.isStopping = true }
        threads.stop()
    }

    private static var uptime: Int64 { Int64(clamping: SystemClock.sinceBoot / 1_000_000) }
    private var isStopping: Bool { state.read { $0.isStopping } }

    /// The sources that are shared.
    private var sources: [SourceID] {
        definition.collections.flatMap { services.store.catalog.current()[$0]?.definition.sources ?? [] }
    }

    var report: FleetReport {
        let (now, uptime) = (services.clock.now(), Self.uptime)
        let (addresses, newest) = state.read { ($0.addresses, $0.newest) }
        let looks = addresses.map { (readAt: $0.readAt.map { now - (uptime - $0) }, failure: $0.failure) }
        return FleetReport(
            definition, host: services.host, looks: looks, newest, services.store.catalog.current(), accessHashes)
    }

    // MARK: - What refreshes ask

    func shares(_ source: SourceID) -> Bool { collections.contains(source.collection) }

    func permission(toAsk source: SourceID) -> AskPermission {
        guard let request = requestHash(of: source) else { return .never }
        return leadership.permission(after: state.read { $0.newest[source] }, request: request)
    }

    func step(for question: SharedQuestion) -> SharedStep {
        let source = question.source
        let isForced = question.options.force && leadership.rank != nil
        if isForced || mayAsk(source, now: question.now) {
            lookBeforeRequest()
            if isForced || mayAsk(source, now: question.now) {
                return state.update { state in
                    state.lastPermit += 1
                    let newest = state.newest[source]
                    let permit = AskPermit(
                        number: state.lastPermit, floor: newest.map { min($0.entry.asOf, question.now) } ?? 0)
                    state.permits[source] = GivenPermit(
                        permit: permit, newest: newest?.entry.issuedAt,
                        clock: services.clock.now() - Self.uptime)
                    return .ask(permit)
                }
            }
        } else if !hasNews(of: source, known: question.known) {
            lookBeforeRequest()
        }
        return take(question)
    }

    func accepts(_ permit: AskPermit, of source: SourceID) -> Bool {
        let clock = services.clock.now() - Self.uptime
        return state.read { state in
            guard let given = state.permits[source], given.permit == permit else { return false }
            if abs(given.clock - clock) > Self.maxStep { return false }
            guard let newest = state.newest[source], newest.issuer != leadership.own else { return true }
            return newest.entry.issuedAt <= given.newest ?? .min
        }
    }

    func ended(_ report: RefreshReport) {
        guard shares(report.source) else { return }
        state.update { state in
            guard state.permits.removeValue(forKey: report.source) != nil else { return }
            switch report.outcome {
            case .updated, .unchanged: state.orders.append((report.source, .records))
            case .failed, .held: state.orders.append((report.source, .failure))
            case .started, .skipped: break
            }
        }
    }

    func forgot(in collection: String) {
        state.update { state in
            state.orders += sources.filter { $0.collection == collection }.map { ($0, .erasure) }
        }
    }

    func otherLeader(of collection: String) -> String? {
        state.read { state in
            state.newest.first { $0.key.collection == collection && $0.value.issuer.host != services.host }
        }?.value.issuer.host
    }

    private func mayAsk(_ source: SourceID, now: Int64) -> Bool {
        switch permission(toAsk: source) {
        case .bySchedule: true
        case .from(let start): start <= now
        case .never: false
        }
    }

    private func requestHash(of source: SourceID) -> String? {
        services.store.catalog.current()[source.collection].flatMap { RequestHash.of($0.definition, site: source.site) }
    }

    // MARK: - Looking at addresses

    /// Looks at one address again and again.
    private func watch(_ index: Int) {
        while !isStopping {
            let number = state.read { $0.addresses[index].wanted }
            look(at: index)
            state.update { $0.addresses[index].ended = max($0.addresses[index].ended, number) }
            rouse()
            let wait = state.read { $0.addresses[index] }.wait(
                poll: definition.poll.wholeMilliseconds, random: services.random())
            _ = state.wait(upTo: .milliseconds(wait)) { state in
                state.isStopping || state.addresses[index].wanted > state.addresses[index].ended ? true : nil
            }
        }
    }

    /// Looks at one address.
    private func look(at index: Int) {
        let leader = definition.leaders[index]
        let requester = SourceID(definition.collections[0])
        do throws(FetchFailure) {
            let download = try FleetDownload(
                leader, access: services.access, spool: services.spool, requester: requester,
                cancellation: cancellation)
            let response = try download.head(state.read { $0.addresses[index].validators }, within: Self.lookTimeout)
            var ahead = false
            if !response.isNotModified {
                var file: [UInt8] = []
                response.body.withBytes { file.append(bytes: $0) }
                let head: FleetHead
                do throws(FleetError) { head = try FleetHead(file, of: leader, in: definition.name) } catch {
                    throw FetchFailure(.integrity, Message(.fleetDamaged, leader.host, error.message))
                }
                ahead = !accept(head, from: index, date: response.pace.date.map { $0 * 1000 })
            }
            if ahead { throw FetchFailure(.clock, Message(.fleetAhead, leader.host)) }
            let (now, validators) = (services.clock.now(), response.isNotModified ? nil : response.validators)
            state.update {
                $0.addresses[index].succeeded(
                    validators, date: response.pace.date.map { $0 * 1000 }, now: now, uptime: Self.uptime)
            }
        } catch {
            if error.isCancelled { return }
            var failure = error.at(services.clock.now())
            failure.host = leader.host
            state.update { $0.addresses[index].failed(failure, uptime: Self.uptime) }
        }
        tellProblems()
    }

    /// Tells what keeps this host from its part, or that nothing does.
    private func tellProblems() {
        let problem = state.read { state -> String? in
            if let problem = state.folderProblem { return problem }
            let problems = zip(definition.leaders, state.addresses).enumerated().map { index, pair in
                pair.1.problem(
                    pair.0, unservedFor: index == leadership.rank ? state.publishedAt.map { Self.uptime - $0 } : nil)
            }
            return problems.compactMap(\.self).first
        }
        services.report(problem ?? obstacle)
    }

    /// Takes note of what is newer in a head.
    ///
    /// - Parameter date: the clock of the address, in milliseconds since 1970.
    /// - Returns: false if something is dated too far ahead of this clock.
    @discardableResult
    private func accept(_ head: FleetHead, from leader: Int, date: Int64?) -> Bool {
        let now = services.clock.now()
        let isTrusted = date.map { abs($0 - now) <= HeadJudgement.maxClockDifference } ?? false
        let issuer = Issuer(host: head.host, epoch: head.epoch)
        return state.update { state in
            var isSound = true
            let isFirst = state.addresses[leader].readAt == nil
            for (source, entry) in head.sources where shares(source) {
                if HeadJudgement.isAhead(entry, now: now) {
                    isSound = false
                    continue
                }
                let known = state.newest[source]
                guard HeadJudgement.isNewer(entry, than: known, now: now, isClockTrusted: isTrusted) else { continue }
                state.newest[source] = NewestEntry(
                    issuer: issuer, leader: leader, entry: entry, seenAt: now,
                    isSeenFresh: !isFirst)
            }
            return isSound
        }
    }

    /// Has each address looked at that was not looked at just now, and waits for it.
    private func lookBeforeRequest() {
        let now = Self.uptime
        let wanted = state.update { state in
            var wanted: [Int: UInt64] = [:]
            for index in state.addresses.indices where definition.leaders[index].host != services.host {
                guard state.addresses[index].isDueBeforeRequest(now) else { continue }
                state.addresses[index].wanted += 1
                wanted[index] = state.addresses[index].wanted
            }
            return wanted
        }
        if wanted.isEmpty { return }
        _ = state.wait(upTo: Self.lookTimeout) { state in
            state.isStopping || wanted.allSatisfy { state.addresses[$0.key].ended >= $0.value } ? true : nil
        }
    }

    /// Has sources refreshed of which there is news, or whose state is another than is told.
    private func rouse() {
        let catalog = services.store.catalog.current()
        let uptime = Self.uptime
        for name in definition.collections {
            guard let view = catalog[name] else { continue }
            for source in view.definition.sources {
                let known = view.condition.source(of: source.site)
                if let retry = state.read({ $0.retries[source] }), retry.next > uptime { continue }
                let newest = state.read { $0.newest[source] }
                if newest?.issuer == leadership.own { continue }
                let isBehind = known.held == nil && hasNews(of: source, known: known)
                if isBehind || !FleetFault.isSame(fault(of: source, known), known.lastError) {
                    services.refresh(source)
                }
            }
        }
        services.wake()
    }

    // MARK: - Taking

    private func hasNews(of source: SourceID, known: SourceRow) -> Bool {
        guard let newest = state.read({ $0.newest[source] }), newest.issuer != leadership.own else { return false }
        guard let taken = TakenState(known.position, fleet: definition.name) else { return true }
        return newest.entry.issuedAt > taken.issuedAt
            || HeadJudgement.isAhead(taken.issuedAt, now: services.clock.now())
                && newest.entry.issuedAt != taken.issuedAt
    }

    private func take(_ question: SharedQuestion) -> SharedStep {
        let (source, known) = (question.source, question.known)
        let taken = TakenState(known.position, fleet: definition.name)
        state.update { state in
            // What could not be taken is not needed any more.
            if let taken, state.newest[source]?.entry.state == taken.state { state.retries[source] = nil }
        }
        let fault = fault(of: source, known)
        guard let newest = state.read({ $0.newest[source] }), newest.issuer != leadership.own else {
            if let fault, !FleetFault.isSame(fault, known.lastError) { return .failed(fault) }
            return .nothing
        }
        let entry = newest.entry
        let isForced = question.options.force
        var next = TakenState(
            state: entry.state, issuedAt: entry.issuedAt, host: newest.issuer.host, join: taken?.join)
        next.forgottenAt = taken?.forgottenAt ?? 0
        var shared = SharedState(
            position: next.position(in: definition.name), asOf: entry.asOf, fullAsOf: entry.fullAsOf,
            next: entry.nextRefresh, error: fault, join: taken?.join)
        if let taken, !isForced, !hasNews(of: source, known: known) || taken.state == entry.state {
            if taken == next, FleetFault.isSame(fault, known.lastError), known.due == entry.nextRefresh {
                return .nothing
            }
            if entry.asOf < known.asOf ?? .min { shared.asOf = known.asOf ?? entry.asOf }
            return .confirmed(shared)
        }
        if let asOf = known.asOf, question.hasData, entry.asOf < asOf, !HeadJudgement.isAhead(asOf, now: question.now) {
            var failure = FetchFailure(
                .late, reason: .older, Message(.answerOlder, "\((asOf - entry.asOf) / 1000)")
            ).at(question.now)
            failure.host = newest.issuer.host
            return FleetFault.isSame(failure, known.lastError) ? .nothing : .failed(failure)
        }
        do throws(FetchFailure) {
            let download = try FleetDownload(
                definition.leaders[newest.leader], access: services.access, spool: services.spool, requester: source,
                cancellation: question.cancellation)
            let start = question.hasData && !isForced ? taken?.state : nil
            let records = try download.records(of: entry, from: start, join: taken?.join, question.definition)
            next.join = records.join
            let forgotten = records.forgotten.filter { $0.at > taken?.forgottenAt ?? 0 }
            next.forgottenAt = forgotten.last?.at ?? taken?.forgottenAt ?? 0
            shared.join = records.join
            shared.position = next.position(in: definition.name)
            state.update { $0.retries[source] = nil }
            shared.error = self.fault(of: source, known)
            return .answer(
                SharedAnswer(
                    state: shared, isIncremental: records.isIncremental, pages: records.pages,
                    records: records.records, joined: records.joined,
                    forgotten: forgotten.map { source.recordID($0.id) }))
        } catch {
            if error.isCancelled { return .cancelled }
            state.update { state in
                let failures = (state.retries[source]?.failures ?? 0) + 1
                state.retries[source] = Retry(
                    failures: failures, next: Self.uptime + AddressLook.backoff(after: failures))
            }
            var failure = error.at(question.now)
            failure.host = newest.issuer.host
            return .failed(failure)
        }
    }

    /// Why the data of a source is not newer; nil where nothing is wrong.
    private func fault(of source: SourceID, _ known: SourceRow) -> Failure? {
        let (newest, addresses, retry) = state.read { ($0.newest[source], $0.addresses, $0.retries[source]) }
        if newest?.issuer == leadership.own { return known.lastError }
        let answered = addresses.compactMap(\.readAt).max() ?? began
        return FleetFault(
            newest: newest, failures: addresses.compactMap(\.failure), silence: Self.uptime - answered,
            own: retry != nil || known.held != nil ? known.lastError : nil
        ).failure(now: services.clock.now())
    }

    // MARK: - Publishing

    /// Publishes what is asked for, until the member stops.
    private func publish(with publisher: FleetPublisher) {
        while true {
            let order = state.wait(upTo: Self.heartbeat) { state -> (source: SourceID, kind: Order)?? in
                if state.isStopping { return .some(nil) }
                return state.orders.isEmpty ? nil : .some(state.orders.removeFirst())
            }
            if isStopping { return }
            do throws(FleetError) {
                if let order, let order {
                    try publish(order.source, order.kind, with: publisher)
                } else if order == nil {
                    try repeatHead(with: publisher)
                }
                state.update { $0.folderProblem = nil }
            } catch {
                state.update { $0.folderProblem = "what this host asks for cannot be published: \(error.message)" }
            }
            tellProblems()
        }
    }

    private func publish(_ source: SourceID, _ kind: Order, with publisher: FleetPublisher) throws(FleetError) {
        let newest = state.read { $0.newest[source] }
        if kind == .erasure, newest?.issuer != leadership.own { return try publisher.erase(source) }
        // Failures of a host that does not ask for all are its own.
        guard kind == .records || newest?.issuer == leadership.own, let rank = leadership.rank,
            let request = requestHash(of: source),
            let definition = services.store.catalog.current()[source.collection]?.definition
        else { return }
        let order = FleetPublisher.Order(
            source: source, issuedAt: issueTime(of: source), request: request,
            definition: RequestHash.ofDecoding(definition), access: accessHashes[source.collection] ?? "",
            readsRecords: kind != .failure)
        guard let entry = try publisher.publish(order) else { return }
        record(entry, of: source, rank)
    }

    /// Says once more how the sources are whose request is under way.
    private func repeatHead(with publisher: FleetPublisher) throws(FleetError) {
        guard let rank = leadership.rank else { return }
        let asked = state.read { state in
            state.permits.keys.filter { state.newest[$0]?.issuer == leadership.own }
        }
        guard !asked.isEmpty else { return }
        let next = services.clock.now() + Self.heartbeat.wholeMilliseconds
        let entries = try publisher.repeatEntries(of: Set(asked), next: next) { issueTime(of: $0) }
        for (source, entry) in entries { record(entry, of: source, rank) }
    }

    private func record(_ entry: HeadEntry, of source: SourceID, _ rank: Int) {
        let now = services.clock.now()
        state.update { state in
            state.publishedAt = state.publishedAt ?? Self.uptime
            state.newest[source] = NewestEntry(
                issuer: leadership.own, leader: rank, entry: entry, seenAt: now, isSeenFresh: true)
        }
        services.wake()
    }

    /// A time for a head of a source: now, but after that of every head that was seen.
    private func issueTime(of source: SourceID) -> Int64 {
        max(services.clock.now(), (state.read { $0.newest[source]?.entry.issuedAt } ?? 0) + 1)
    }
}
