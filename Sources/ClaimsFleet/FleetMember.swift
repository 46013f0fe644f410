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
    /// Attempts to take an entry that have failed.
    private struct Retry {
        var failures: Int
        /// By the clock since the boot, in milliseconds.
        var next: Int64
    }

    /// The work on the files of a source that is asked for.
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
        /// The states that this host had published before it began, as far as state.db has their records.
        var ownStates: [SourceID: String] = [:]
        /// The failure of the last publication, for people; nil after a good one.
        var folderProblem: String?
        /// The time of the first publication, in milliseconds since the boot.
        var publishedAt: Int64?
    }

    let definition: FleetDefinition
    private let services: FleetServices
    private let leadership: Leadership
    /// The reason, for people, for which this host never asks although it is one of the leaders; nil where it may.
    private let obstacle: String?
    private let state: Monitor<State>
    private let cancellation = HTTPCancellation()
    private let threads: WorkerPool
    private let collections: Set<String>
    private let accessHashes: [String: String]
    /// The time since the boot at which this member began, in milliseconds.
    private let began: Int64

    private static let lookTimeout = Duration.seconds(5)
    /// The interval at which a head is repeated while a request is under way.
    private static let heartbeat = Duration.seconds(10)

    /// - Parameter accessHashes: the hashes of the rules of access, by collection.
    /// - Throws: if no thread can be had.
    init(
        _ definition: FleetDefinition, _ services: FleetServices, key: SigningKey?, folder: FleetFolder?,
        obstacle: String?, accessHashes: [String: String]
    ) throws(SystemError) {
        self.definition = definition
        self.services = services
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
            let head = earlierHead(in: folder, rank)
            threads.post { [self] in
                publish(
                    with: FleetPublisher(
                        services.store, folder: folder, key: key, fleet: definition.name, issuer: leadership.own,
                        version: services.version, clock: services.clock, earlier: head?.sources ?? [:],
                        sources: { [self] in sources }))
            }
        }
    }

    /// Accepts the head that this host has left. One that is dated far ahead is deleted: when its time came, it would count.
    private func earlierHead(in folder: FleetFolder, _ rank: Int) -> FleetHead? {
        guard let head = folder.head(of: definition.leaders[rank], in: definition.name) else { return nil }
        guard accept(head, from: rank, date: nil) else {
            folder.removeHead()
            return nil
        }
        let states = FleetPublisher.states(of: head.sources.keys, in: services.store)
        state.update { $0.ownStates = states }
        return head
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

    /// The newest head entry of a source, with the time when it was seen by the clock as it is now: a clock that is set
    /// makes nothing late.
    private func newest(of source: SourceID) -> NewestEntry? {
        guard var newest = state.read({ $0.newest[source] }) else { return nil }
        newest.seenAt += services.clock.now() - Self.uptime
        return newest
    }

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

    // MARK: - Questions of refreshes

    func shares(_ source: SourceID) -> Bool { collections.contains(source.collection) }

    func permission(toAsk source: SourceID) -> AskPermission {
        guard let request = requestHash(of: source) else { return .never }
        return leadership.permission(after: newest(of: source), request: request)
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
                    // Data that is dated far ahead was asked for under a wrong clock, and does not bind.
                    let floor = newest.flatMap {
                        HeadJudgement.isAhead($0.entry.asOf, now: question.now) ? nil : $0.entry.asOf
                    }
                    let permit = AskPermit(number: state.lastPermit, floor: floor ?? 0)
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
            return given.holds(with: state.newest[source], own: leadership.own, clock: clock)
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
        state.update { $0.orders += sources.filter { $0.collection == collection }.map { ($0, .erasure) } }
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

    /// Looks at one address again and again, over a connection that stays.
    private func watch(_ index: Int) {
        var download: FleetDownload?
        while !isStopping {
            let number = state.read { $0.addresses[index].wanted }
            look(at: index, &download)
            state.update { $0.addresses[index].ended = max($0.addresses[index].ended, number) }
            rouse()
            let wait = state.read { $0.addresses[index] }.wait(
                poll: definition.poll.wholeMilliseconds, random: services.random())
            _ = state.wait(upTo: .milliseconds(wait)) { state in
                state.isStopping || state.addresses[index].wanted > state.addresses[index].ended ? true : nil
            }
        }
    }

    private func look(at index: Int, _ connection: inout FleetDownload?) {
        let leader = definition.leaders[index]
        do throws(FetchFailure) {
            let download: FleetDownload
            if let earlier = connection.take() {
                download = earlier
            } else {
                download = try FleetDownload(
                    leader, access: services.access, spool: services.spool,
                    requester: SourceID(definition.collections[0]), cancellation: cancellation)
            }
            let response = try download.head(state.read { $0.addresses[index].validators }, within: Self.lookTimeout)
            connection = consume download
            if !response.isNotModified {
                var file: [UInt8] = []
                response.body.withBytes { file.append(bytes: $0) }
                let head: FleetHead
                do throws(FleetError) { head = try FleetHead(file, of: leader, in: definition.name) } catch {
                    throw FetchFailure(.integrity, Message(.fleetDamaged, leader.host, error.message))
                }
                guard accept(head, from: index, date: response.pace.date.map { $0 * 1000 }) else {
                    throw FetchFailure(.clock, Message(.fleetAhead, leader.host))
                }
            }
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

    /// Reports the obstacle to this host's part; nil where there is none.
    private func tellProblems() {
        let (folder, looks, publishedAt) = state.read { ($0.folderProblem, $0.addresses, $0.publishedAt) }
        let problem = AddressLook.problem(
            looks, of: definition.leaders, own: leadership.rank, publishedFor: publishedAt.map { Self.uptime - $0 })
        services.report(folder ?? problem ?? obstacle)
    }

    /// Takes note of what is newer in a head.
    ///
    /// - Parameter date: the clock of the address, in milliseconds since 1970.
    /// - Returns: false if something is dated too far ahead of this clock.
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
                    issuer: issuer, leader: leader, entry: entry, seenAt: Self.uptime, isSeenFresh: !isFirst)
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
        let (catalog, uptime) = (services.store.catalog.current(), Self.uptime)
        for source in sources {
            guard let known = catalog[source.collection]?.condition.source(of: source.site) else { continue }
            let (newest, retry) = state.read { ($0.newest[source], $0.retries[source]) }
            if retry.map({ $0.next > uptime }) == true || newest?.issuer == leadership.own { continue }
            let isBehind = known.held == nil && hasNews(of: source, known: known)
            if isBehind || !FleetFault.isSame(fault(of: source, known), known.lastError) { services.refresh(source) }
        }
        if leadership.rank != nil { services.wake() }
    }

    // MARK: - Taking

    private func hasNews(of source: SourceID, known: SourceRow) -> Bool {
        let (newest, own) = state.read { ($0.newest[source], $0.ownStates[source]) }
        guard let newest, newest.issuer != leadership.own else { return false }
        // The head of this host's earlier process tells what state.db has.
        if newest.issuer.host == services.host, newest.entry.state == own { return false }
        let taken = TakenState(known.position, fleet: definition.name)
        return EntryJudgement.isNews(newest.entry, after: taken, now: services.clock.now())
    }

    private func take(_ question: SharedQuestion) -> SharedStep {
        let (source, known) = (question.source, question.known)
        let taken = TakenState(known.position, fleet: definition.name)
        state.update { state in
            // The entry that could not be taken is not needed any more.
            if let taken, state.newest[source]?.entry.state == taken.state { state.retries[source] = nil }
        }
        let fault = fault(of: source, known)
        guard let newest = newest(of: source), newest.issuer != leadership.own,
            taken != nil || hasNews(of: source, known: known)
        else {
            if let fault, !FleetFault.isSame(fault, known.lastError) { return .failed(fault) }
            return .nothing(fault ?? (known.asOf == nil ? newestFailure : nil))
        }
        let judgement = EntryJudgement(
            newest: newest, taken: taken, known: known, hasData: question.hasData, isForced: question.options.force,
            now: question.now)
        switch judgement.outcome(fault, in: definition.name) {
        case .nothing: return .nothing(known.lastError)
        case .confirmed(let state): return .confirmed(state)
        case .refused(let failure): return .failed(failure)
        case .wanted: return fetch(judgement, question)
        }
    }

    /// The newest failure of a look; nil where all addresses have answered.
    private var newestFailure: Failure? { state.read { $0.addresses.compactMap(\.failure).max { $0.at < $1.at } } }

    /// Fetches the records that an entry leads to.
    private func fetch(_ judgement: EntryJudgement, _ question: SharedQuestion) -> SharedStep {
        let (source, newest, taken) = (question.source, judgement.newest, judgement.taken)
        do throws(FetchFailure) {
            let download = try FleetDownload(
                definition.leaders[newest.leader], access: services.access, spool: services.spool, requester: source,
                cancellation: question.cancellation)
            let records = try download.records(
                of: newest.entry, from: question.hasData && !judgement.isForced ? taken?.state : nil,
                join: taken?.join, question.definition)
            state.update { $0.retries[source] = nil }
            let forgotten = records.forgotten.filter { $0.at > taken?.forgottenAt ?? 0 }
            return .answer(
                SharedAnswer(
                    state: judgement.state(
                        fault(of: source, question.known),
                        forgottenAt: forgotten.last?.at ?? taken?.forgottenAt ?? 0, join: records.join,
                        in: definition.name),
                    isIncremental: records.isIncremental, pages: records.pages, records: records.records,
                    joined: records.joined, forgotten: forgotten.map { source.recordID($0.id) }))
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

    /// The reason for which the data of a source is not newer; nil where nothing is wrong.
    private func fault(of source: SourceID, _ known: SourceRow) -> Failure? {
        let (addresses, retry) = state.read { ($0.addresses, $0.retries[source]) }
        let newest = newest(of: source)
        if newest?.issuer.host == services.host { return known.lastError }
        let answered = addresses.compactMap(\.readAt).max() ?? began
        return FleetFault(
            newest: newest, failures: addresses.compactMap(\.failure), silence: Self.uptime - answered,
            own: retry != nil || known.held != nil ? known.lastError : nil
        ).failure(now: services.clock.now())
    }

    // MARK: - Publishing

    /// Publishes a head, and then each order, until the member stops.
    private func publish(with publisher: FleetPublisher) {
        publishing { () throws(FleetError) in try publisher.begin() }
        while true {
            let order = state.wait(upTo: Self.heartbeat) { state -> (source: SourceID, kind: Order)?? in
                if state.isStopping { return .some(nil) }
                return state.orders.isEmpty ? nil : .some(state.orders.removeFirst())
            }
            if isStopping { return }
            publishing { () throws(FleetError) in
                if let order, let order {
                    try publish(order.source, order.kind, with: publisher)
                } else if order == nil {
                    try repeatHead(with: publisher)
                }
            }
        }
    }

    /// Does work on the folder, and keeps how it ends.
    private func publishing(_ work: () throws(FleetError) -> Void) {
        var problem: String?
        do throws(FleetError) { try work() } catch {
            problem = "what this host asks for cannot be published: \(error.message)"
        }
        state.update { state in
            state.folderProblem = problem
            if problem == nil { state.publishedAt = state.publishedAt ?? Self.uptime }
        }
        tellProblems()
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
        state.update { state in
            state.newest[source] = NewestEntry(
                issuer: leadership.own, leader: rank, entry: entry, seenAt: Self.uptime, isSeenFresh: true)
        }
        services.wake()
    }

    /// A time for a head of a source: now, but after that of every head that was seen.
    private func issueTime(of source: SourceID) -> Int64 {
        max(services.clock.now(), (state.read { $0.newest[source]?.entry.issuedAt } ?? 0) + 1)
    }
}
