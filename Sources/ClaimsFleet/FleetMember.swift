// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream

/// This host as a member of one fleet: reads the addresses of the leaders, takes newer records, and publishes the
/// records that this host has asked for. Every call may be made on any thread.
final class FleetMember: HeadIssuer {
    private struct State {
        var newest: [SourceID: NewestEntry] = [:]
        var permits: [SourceID: GivenPermit] = [:]
        var retries: [SourceID: FleetRetry] = [:]
        /// The sources whose records are fetched, and are not taken in yet.
        var fetched: Set<SourceID> = []
        /// The time of the last large base, in milliseconds since the boot.
        var largeAt: [SourceID: Int64] = [:]
        var lastPermit: UInt64 = 0
        /// The sources that the process before asked for, and that no other host has taken over: state.db has their
        /// records.
        var resumed: Set<SourceID> = []
        /// The own collections of this host, as they were when they were last ordered to be published.
        var published: [String: RecordHomes.Mark] = [:]
        /// The failure of the last publication, for people; nil after a good one.
        var folderProblem: String?
    }

    let definition: FleetDefinition
    private let services: FleetServices
    private let leadership: Leadership
    private let homes: RecordHomes
    private let erased: ErasedIDs
    /// The reason, for people, why this host never asks although it is one of the leaders; nil if it may ask.
    private let obstacle: String?
    private let state: Monitor<State>
    private let addresses: AddressWatch
    /// nil: this host never publishes.
    private let folder: FleetFolder?
    private let publishing: FleetPublishing?
    private let collections: Set<String>
    private let accessHashes: [String: String]
    /// The time since the boot at which this member began, in milliseconds.
    private let began: Int64

    /// - Parameters:
    ///   - key: reads the private key; nil if this host never publishes.
    ///   - accessHashes: the hashes of the rules of access, by collection.
    /// - Throws: if no thread can be had.
    init(
        _ definition: FleetDefinition, _ services: FleetServices, folder: FleetFolder?,
        key: (@Sendable () throws(FleetError) -> SigningKey)?, obstacle: String?, accessHashes: [String: String]
    ) throws(SystemError) {
        self.definition = definition
        self.services = services
        erased = ErasedIDs(store: services.store)
        homes = RecordHomes(store: services.store, host: services.host)
        self.obstacle = obstacle
        self.folder = folder
        self.accessHashes = accessHashes
        collections = Set(definition.collections)
        let rank = key == nil ? nil : definition.leaders.firstIndex { $0.host == services.host }
        let own = Issuer(host: services.host, epoch: services.epoch)
        leadership = Leadership(own: own, hosts: definition.leaders.map(\.host), rank: rank)
        began = SystemClock.millisecondsSinceBoot
        addresses = try AddressWatch(definition, services, rank: rank)
        var state = State()
        guard let rank, let key, let folder else {
            publishing = nil
            self.state = Monitor(state)
            return
        }
        let earlier = EarlierHead(of: rank, in: definition, folder, services, leadership: leadership)
        (state.newest, state.resumed) = (earlier.newest, earlier.resumed)
        let head = HeadWriter(folder, fleet: definition.name, issuer: own, earlier: earlier.entries, key: key)
        publishing = try FleetPublishing(head) { cancellation in
            FleetPublisher(
                services.store, folder: folder, head: head, version: services.version, clock: services.clock,
                cancellation: cancellation)
        }
        self.state = Monitor(state)
    }

    /// Begins to read the addresses, and to publish.
    func start() {
        KeptFiles.removeAll(butOf: sources, in: services.spool)
        reportProblems()
        addresses.start(
            accept: { [self] in accept($0, from: $1, isClockTrusted: $2, isFirst: $3) },
            ended: { [self] in
                reportProblems()
                rouse()
            })
        publishing?.start(for: self)
    }

    func stop() {
        addresses.stop()
        publishing?.stop()
        folder?.close()
    }

    /// The start of this member by the clock as it is now, in milliseconds since 1970.
    private var startedAt: Int64 { services.clock.now() - SystemClock.millisecondsSinceBoot + began }

    /// The newest head entry of a source, with the time when it was seen by the clock as it is now: a clock that is set
    /// makes nothing late.
    private func newest(of source: SourceID) -> NewestEntry? {
        let difference = services.clock.now() - SystemClock.millisecondsSinceBoot
        return state.read { $0.newest[source] }?.shifted(by: difference)
    }

    /// The sources that are shared.
    var sources: [SourceID] {
        definition.collections.flatMap { services.store.catalog.current()[$0]?.definition.sharedSources ?? [] }
    }

    var report: FleetReport {
        let (now, uptime) = (services.clock.now(), SystemClock.millisecondsSinceBoot)
        let states = addresses.states.map { (state: $0, contactAt: $0.readAt.map { now - (uptime - $0) }) }
        let newest = state.read { $0.newest }.keys.reduce(into: [:]) { $0[$1] = self.newest(of: $1) }
        return FleetReport(
            definition, host: services.host, addresses: states, newest: newest, leadership: leadership,
            catalog: services.store.catalog.current(), accessHashes: accessHashes, now: now)
    }

    // MARK: - Questions of refreshes

    func shares(_ source: SourceID) -> Bool { collections.contains(source.collection) }

    func permission(toAsk source: SourceID) -> AskPermission {
        // No upstream has the records of a home.
        guard homes.home(of: source.collection) == nil, let request = requestHash(of: source) else { return .never }
        return leadership.permission(after: newest(of: source), request: request, startedAt: startedAt)
    }

    func step(for question: SharedQuestion) -> SharedStep {
        let source = question.source
        let isTakenOnly = homes.home(of: source.collection) != nil
        if homes.isRetained(source.collection) { return .nothing(question.known.lastError) }
        let isForced = question.options.force && leadership.rank != nil && !isTakenOnly
        // A state.db that was restored from a copy is behind what this host has published.
        let isRestored = !isForced && !isTakenOnly && isBehindOwnHead(source, question.known)
        if !isRestored, isForced || mayAsk(question) {
            readBeforeRequest()
            if isForced || mayAsk(question) { return .ask(permit(for: question)) }
        } else if !hasNews(of: source, known: question.known) {
            readBeforeRequest()
        }
        return answer(question)
    }

    private func permit(for question: SharedQuestion) -> AskPermit {
        if let taken = FollowedState(question.known.position, fleet: definition.name) {
            ContinuedState.keep(taken, of: question.source, question.known, in: services.store.database)
        }
        return state.update { state in
            state.lastPermit += 1
            let newest = state.newest[question.source]
            let floor = GivenPermit.floor(newest: newest, known: question.known.asOf, now: question.now)
            let permit = AskPermit(number: state.lastPermit, floor: floor)
            state.permits[question.source] = GivenPermit(
                permit: permit, newest: newest?.order,
                clock: services.clock.now() - SystemClock.millisecondsSinceBoot)
            return permit
        }
    }

    /// Whether this host's earlier head has newer records than state.db, and they can be had.
    private func isBehindOwnHead(_ source: SourceID, _ known: SourceRow) -> Bool {
        let (newest, isTried) = state.read { ($0.newest[source], $0.retries[source] != nil) }
        guard let newest, newest.issuer.host == services.host, newest.issuer != leadership.own, !isTried,
            newest.entry.request == requestHash(of: source)
        else { return false }
        return known.asOf.map { $0 < newest.entry.asOf } ?? true
    }

    func accepts(_ permit: AskPermit, of source: SourceID) -> Bool {
        let clock = services.clock.now() - SystemClock.millisecondsSinceBoot
        return state.read { state in
            guard let given = state.permits[source], given.permit == permit else { return false }
            return given.holds(with: state.newest[source], own: leadership.own, clock: clock)
        }
    }

    func ended(_ report: RefreshReport) {
        let source = report.source
        guard shares(source) else { return }
        var isTaken = false
        let permit = state.update { state in
            if state.fetched.remove(source) != nil {
                switch report.outcome {
                case .updated, .unchanged, .held:
                    state.retries[source] = nil
                    isTaken = true
                case .failed, .skipped:
                    state.retries[source, default: FleetRetry()].add(at: SystemClock.millisecondsSinceBoot)
                case .started: break
                }
            }
            return state.permits.removeValue(forKey: source)
        }
        if isTaken { KeptFiles(source, in: services.spool).removeAll() }
        guard let permit else { return }
        switch report.outcome {
        case .updated, .unchanged: publishing?.add(.init(readsRecords: true, permit: permit), of: source)
        case .failed, .held: publishing?.add(.init(), of: source)
        case .started, .skipped: break
        }
    }

    func forgot(in collection: String) {
        for source in sources where source.collection == collection {
            KeptFiles(source, in: services.spool).removeAll()
            publishing?.add(.init(erases: true), of: source)
        }
    }

    func postponed(_ ids: [[UInt8]], of source: SourceID) { erased.done(but: ids, of: source) }

    func otherLeader(of collection: String) -> String? {
        state.read { state in
            state.newest.first { $0.key.collection == collection && $0.value.issuer.host != services.host }
        }?.value.issuer.host
    }

    private func mayAsk(_ question: SharedQuestion) -> Bool {
        switch permission(toAsk: question.source) {
        case .bySchedule: true
        case .from(let start): start <= question.now && question.isFreeToAsk
        case .never: false
        }
    }

    private func requestHash(of source: SourceID) -> String? {
        services.store.catalog.current()[source.collection].flatMap { RequestHash.of($0.definition, site: source.site) }
    }

    // MARK: - Looking at addresses

    /// Reports the obstacle to this host's part; nil if there is none.
    private func reportProblems() {
        let (folder, problem) = (state.read { $0.folderProblem }, addresses.problem)
        services.daemon.report(
            fleetObstacle: folder ?? problem ?? obstacle ?? homes.obstacle(among: definition.collections))
    }

    /// Records the newer entries of a head.
    ///
    /// - Parameter isFirst: whether it is the first head that this process reads from the address.
    /// - Returns: false if something is dated too far ahead of this clock.
    private func accept(_ head: FleetHead, from leader: Int, isClockTrusted: Bool, isFirst: Bool) -> Bool {
        let (now, catalog) = (services.clock.now(), services.store.catalog.current())
        let issuer = Issuer(host: head.host, epoch: head.epoch)
        var (isSound, followed) = (true, [SourceID]())
        for (source, entry) in head.sources where shares(source) {
            if homes.ignores(entry, of: source, from: head.host, now: now) { continue }
            if HeadJudgement.isAhead(entry, now: now) {
                isSound = false
                continue
            }
            let known = catalog[source.collection]?.condition.source(of: source.site)
            let taken = FollowedState(known?.position, fleet: definition.name)
            state.update { state in
                let before = state.newest[source]
                let newest = NewestEntry(
                    issuer: issuer, leader: leader, entry: entry, seenAt: SystemClock.millisecondsSinceBoot,
                    isSeenFresh: !isFirst, isClockTrusted: isClockTrusted)
                // After a start, the head of a former leader may be older than the data that was taken.
                let isOld = taken.map { newest.order < $0.order } ?? false
                guard !isOld || EntryJudgement.isNews(newest, after: taken, now: now),
                    HeadJudgement.isNewer(newest, than: before, now: now)
                else { return }
                state.newest[source] = newest.replacing(before)
                if issuer.host != services.host, before?.issuer.host != issuer.host { followed.append(source) }
            }
        }
        for source in followed {
            let hasHome = homes.home(of: source.collection) != nil
            services.daemon.record(hasHome ? .isFromHome(source, host: head.host) : .follows(source, host: head.host))
        }
        return isSound
    }

    /// Requests refreshes of sources with news, and of sources whose state differs from the published one.
    private func rouse() {
        let (catalog, uptime) = (services.store.catalog.current(), SystemClock.millisecondsSinceBoot)
        for source in sources {
            if homes.isRetained(source.collection) {
                let isDue = state.read { $0.retries[source] }.map { $0.next <= uptime } ?? true
                if homes.isCleared(source.collection), isDue {
                    services.daemon.settle(source.collection)
                    if homes.isRetained(source.collection) {
                        state.update { $0.retries[source, default: FleetRetry()].add(at: uptime) }
                    }
                }
                continue
            }
            guard let known = catalog[source.collection]?.condition.source(of: source.site) else { continue }
            let (newest, retry) = state.read { ($0.newest[source], $0.retries[source]) }
            if retry.map({ $0.next > uptime }) == true || newest?.issuer == leadership.own { continue }
            var isBehind = hasNews(of: source, known: known)
            if let held = known.held, held.bodyHash == newest?.entry.state {
                // The same records are judged again once a host may confirm them.
                isBehind = isBehind && known.due.map { $0 <= services.clock.now() } ?? true
            }
            let fault = fault(of: source, known)
            let isOther = !FleetFault.isSame(fault, known.lastError) && (fault != nil || known.failures == 0)
            if isBehind || isOther { services.daemon.refresh(source) }
        }
        if leadership.rank != nil { services.daemon.wakeSchedule() }
    }

    // MARK: - Taking

    private func hasNews(of source: SourceID, known: SourceRow) -> Bool {
        guard let newest = state.read({ $0.newest[source] }), newest.issuer != leadership.own else { return false }
        // The head of this host's earlier process describes state.db, unless state.db was restored from a copy.
        if newest.issuer.host == services.host, known.asOf.map({ $0 >= newest.entry.asOf }) ?? false { return false }
        let taken = FollowedState(known.position, fleet: definition.name)
        return EntryJudgement.isNews(newest, after: taken, now: services.clock.now())
    }

    /// The state that this host has published, if its records are here still, and another host has gone on from it.
    private func published(_ question: SharedQuestion) -> FollowedState? {
        let source = question.source
        guard hasNews(of: source, known: question.known) else { return nil }
        return hashes(of: source).flatMap { FollowedState(publishedOf: source, $0.definition, services) }
    }

    private func answer(_ question: SharedQuestion) -> SharedStep {
        let (source, known) = (question.source, question.known)
        let taken = FollowedState(known.position, fleet: definition.name) ?? published(question)
        state.update { state in
            // The entry that could not be taken is not needed any more.
            if let taken, state.newest[source]?.entry.state == taken.state { state.retries[source] = nil }
        }
        let fault = fault(of: source, known)
        guard let newest = newest(of: source), newest.issuer != leadership.own,
            taken != nil || hasNews(of: source, known: known)
        else {
            let isFaultOfOthers = fault != nil || known.failures == 0 && known.held == nil
            if isFaultOfOthers, !FleetFault.isSame(fault, known.lastError) { return .failed(fault) }
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

    /// The newest failure of a read; nil if all addresses have answered.
    private var newestFailure: Failure? { addresses.states.compactMap(\.failure).max { $0.at < $1.at } }

    /// Fetches the records that an entry leads to.
    private func fetch(_ judgement: EntryJudgement, _ question: SharedQuestion) -> SharedStep {
        let (source, newest, taken, known) = (question.source, judgement.newest, judgement.taken, question.known)
        do throws(FetchFailure) {
            let download = try FleetDownload(
                definition.leaders[newest.leader], access: services.access, spool: services.spool, requester: source,
                cancellation: question.cancellation)
            let records = try download.records(
                of: newest.entry, from: question.hasData && !judgement.isForced ? taken?.state : nil,
                join: taken?.join, isLargeAllowed: !question.hasData || judgement.isForced || isLargeAllowed(source),
                question.definition)
            guard let records else { return .nothing(known.lastError) }
            if records.isLarge { state.update { $0.largeAt[source] = SystemClock.millisecondsSinceBoot } }
            state.update { _ = $0.fetched.insert(source) }
            let forgotten = try erased.news(in: records.forgotten, of: source)
            return .answer(
                SharedAnswer(
                    state: judgement.state(
                        fault(of: source, known), join: records.join, in: definition.name),
                    isIncremental: records.isIncremental, pages: records.pages, records: records.records,
                    joined: records.joined,
                    forgotten: forgotten.map { source.recordID($0) }))
        } catch {
            if error.isCancelled { return .cancelled }
            state.update { $0.retries[source, default: FleetRetry()].add(at: SystemClock.millisecondsSinceBoot) }
            var failure = error.at(question.now)
            failure.host = newest.issuer.host
            return .failed(failure)
        }
    }

    private func isLargeAllowed(_ source: SourceID) -> Bool {
        let last = state.read { $0.largeAt[source] }
        return last.map { SystemClock.millisecondsSinceBoot - $0 >= Self.largeInterval } ?? true
    }

    /// The shortest time between two large bases that replace the data here, in milliseconds.
    private static let largeInterval: Int64 = 600_000

    /// The reason why the data of a source is not newer; nil if nothing is wrong.
    private func fault(of source: SourceID, _ known: SourceRow) -> Failure? {
        let (states, retry) = (addresses.states, state.read { $0.retries[source] })
        let newest = newest(of: source)
        if newest?.issuer.host == services.host { return known.lastError }
        let answered = states.compactMap(\.readAt).max() ?? began
        return FleetFault(
            newest: newest, failures: states.compactMap(\.failure),
            silence: SystemClock.millisecondsSinceBoot - answered,
            age: SystemClock.millisecondsSinceBoot - began,
            own: retry != nil || known.held != nil ? known.lastError : nil,
            request: known.failures > 0 ? known.lastError : nil
        ).failure(now: services.clock.now())
    }

    // MARK: - Publishing

    var asked: [SourceID] { state.read { Array($0.permits.keys) } }
    var resumed: [SourceID] { state.read { Array($0.resumed) } + sources.filter { isHome(of: $0) } }

    func isHome(of source: SourceID) -> Bool { homes.isHere(source.collection) }

    /// Publishes the records that were written on this host.
    func changed(_ catalog: Catalog) {
        guard let publishing else { return }
        for name in definition.collections {
            guard let view = catalog[name], view.definition.isLocal else { continue }
            let mark = RecordHomes.Mark(view)
            let isNew = state.update(waking: .none) { $0.published.updateValue(mark, forKey: name) != mark }
            if isNew { publishing.add(.init(readsRecords: true), of: SourceID(name)) }
        }
    }

    func leads(_ source: SourceID) -> Bool {
        if let home = homes.home(of: source.collection) { return home == services.host }
        return state.read { leads(source, $0) }
    }

    private func leads(_ source: SourceID, _ state: State) -> Bool {
        guard let newest = state.newest[source] else { return false }
        return newest.issuer == leadership.own
            || newest.issuer.host == services.host && state.resumed.contains(source)
    }

    func follows(_ source: SourceID) -> Bool {
        state.read { $0.newest[source].map { $0.issuer.host != services.host } ?? false }
    }

    func issueTime(of source: SourceID, after permit: GivenPermit?) -> Int64? {
        let now = services.clock.now()
        let home = homes.home(of: source.collection)
        if let home, home != services.host { return nil }
        return state.read { state in
            let newest = state.newest[source]
            if home != nil { return homes.issueTime(of: source, now, after: newest?.entry.issuedAt) }
            guard leads(source, state) || permit?.isFree(with: newest) == true else { return nil }
            return HeadJudgement.issueTime(now, after: newest?.entry.issuedAt)
        }
    }

    func hashes(of source: SourceID) -> FleetPublisher.Hashes? {
        guard let request = requestHash(of: source),
            let definition = services.store.catalog.current()[source.collection]?.definition
        else { return nil }
        return FleetPublisher.Hashes(
            request: request, definition: RequestHash.ofDecoding(definition),
            access: accessHashes[source.collection] ?? "", isHome: definition.isLocal)
    }

    func record(_ entry: HeadEntry, of source: SourceID) {
        guard let rank = leadership.rank else { return }
        let isNew = state.update { state in
            let before = state.newest[source]
            let next = NewestEntry(
                issuer: leadership.own, leader: rank, entry: entry, seenAt: SystemClock.millisecondsSinceBoot,
                isSeenFresh: true, isClockTrusted: true)
            // A head that came meanwhile may be newer.
            guard HeadJudgement.isNewer(next, than: before, now: entry.issuedAt) else { return false }
            state.newest[source] = next
            return before?.issuer.host != services.host
        }
        addresses.published(entry.issuedAt, at: rank)
        if isNew { services.daemon.record(isHome(of: source) ? .isHome(source) : .leads(source)) }
        services.daemon.wakeSchedule()
    }

    func readBeforeRequest() { addresses.readBeforeRequest() }

    func report(publishing problem: String?) {
        state.update { $0.folderProblem = problem }
        // A collection without a source is served, too.
        if problem == nil, let rank = leadership.rank { addresses.published(0, at: rank) }
        reportProblems()
    }
}
