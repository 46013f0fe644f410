// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsRefresh
import ClaimsStore
import ClaimsTestSupport

@testable import ClaimsFleet

/// Hosts that ask, publish and take, on clocks, disks and addresses of the test's making. Their decisions are those of the
/// fleet; what is between two of them goes step by step, so that a host can die there.
struct SimulatedFleet {
    static let interval: Int64 = 60_000
    static let poll: Int64 = 5_000
    static let leaders = ["a", "b", "c"]
    static let names = leaders + ["d", "e"]
    static let fleet = "north"
    /// By how much requests take longer than what clocks tell, in milliseconds.
    static let slack: Int64 = 10_000

    var random: SeededGenerator
    var hosts = names.map { _ in SimulatedHost() }
    /// Whether a host reaches the address of another.
    var isReachable = [[Bool]](repeating: [Bool](repeating: true, count: names.count), count: names.count)
    /// True time, in milliseconds.
    var now: Int64 = 10_000_000
    /// The number of requests that the upstream has answered.
    var requests = 0
    var upstream: SimulatedRecords = [0: 0]
    /// The upstream's answers, by their numbers, and the true times of the first and the last request that got each.
    var answers: [Int: (records: SimulatedRecords, first: Int64, last: Int64)] = [:]
    var isUpstreamAlive = true
    /// Whether some answers are slow.
    var isUpstreamSlow = true
    var changesUpstream = true
    /// The bounds of the differences between leaders' clocks and the true time so far.
    var clocks: ClosedRange<Int64> = 0...0
    var backups: [Int: (disk: SimulatedDisk, folder: SimulatedFolder)] = [:]
    var copies: [Int: SimulatedFolder] = [:]
    /// The broken rules, in words.
    var faults: [String] = []
    private(set) var story: [String] = []
    private(set) var taken = (deltas: 0, bases: 0)
    private var lastNumber = 0
    private let plain: Definition

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        plain = Definition(
            name: "units", source: Source(), fields: [Field(name: "id", type: .id, from: [try JSONPointer("/id")])])
        for id in 1...20 { upstream[id] = 1 }
        for host in hosts.indices { restart(host) }
    }

    // MARK: - Time

    func time(_ host: Int) -> Int64 { now + hosts[host].clock }

    func issuer(_ host: Int) -> Issuer { Issuer(host: Self.names[host], epoch: "\(hosts[host].epoch)") }

    private mutating func unique(_ prefix: String) -> String {
        lastNumber += 1
        return "\(prefix)\(lastNumber)"
    }

    mutating func note(_ text: String) { story.append("\(now / 1000): \(text)") }

    /// A second goes by.
    mutating func second() throws {
        now += 1000
        if changesUpstream, random.oneIn(15) { changeUpstream() }
        for host in hosts.indices where hosts[host].isAlive {
            let (disk, newest) = (hosts[host].disk, hosts[host].newest?.entry)
            try step(host)
            judge(host, after: disk)
            judgeTimes(host, after: newest, disk.row)
        }
    }

    private mutating func changeUpstream() {
        upstream[0, default: 0] += 1
        let number = upstream[0] ?? 0
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let id = Int.random(in: 1...30, using: &random)
            upstream[id] = random.oneIn(3) ? nil : number
        }
    }

    // MARK: - One host

    private func newest(_ host: Int) -> NewestEntry? {
        hosts[host].newest?.shifted(by: hosts[host].clock)
    }

    func taken(_ host: Int) -> FollowedState? { FollowedState(hosts[host].disk.row.position, fleet: Self.fleet) }

    mutating func step(_ host: Int) throws {
        if let work = hosts[host].work { try proceed(work, host) }
        guard now / 1000 % (Self.poll / 1000) == Int64(host) % (Self.poll / 1000) else { return }
        look(host)
        beat(host)
        guard hosts[host].work == nil, hasNews(host) || isBehindOwnHead(host) || mayAsk(host) else { return }
        if !isBehindOwnHead(host), mayAsk(host) {
            look(host)
            if mayAsk(host) { return ask(host) }
        }
        try take(host)
    }

    private func mayAsk(_ host: Int) -> Bool {
        let leadership = Leadership(
            own: issuer(host), hosts: Self.leaders, rank: Self.leaders.firstIndex(of: Self.names[host]))
        let (disk, time) = (hosts[host].disk, time(host))
        let isDue = disk.due <= time || disk.endedAt.map { $0 > time + 2_000 } ?? false
        switch leadership.permission(
            after: newest(host), request: "r", startedAt: hosts[host].startedAt + hosts[host].clock)
        {
        case .bySchedule: return isDue
        case .from(let start): return start <= time && (disk.failures == 0 || isDue)
        case .never: return false
        }
    }

    /// Reads all addresses that can be reached.
    private mutating func look(_ host: Int) {
        for address in Self.leaders.indices where isReachable[host][address] {
            guard let head = hosts[address].served.head else { continue }
            accept(head.entry, of: head.issuer, at: address, host)
        }
        hosts[host].hasLooked = true
    }

    private mutating func accept(_ entry: HeadEntry, of issuer: Issuer, at address: Int, _ host: Int) {
        let time = time(host)
        guard !HeadJudgement.isAhead(entry, now: time) else { return }
        let isTrusted = abs(time - self.time(address)) <= HeadJudgement.maxClockDifference
        let next = NewestEntry(
            issuer: issuer, leader: address, entry: entry, seenAt: now, isSeenFresh: hosts[host].hasLooked,
            isClockTrusted: isTrusted)
        let taken = taken(host)
        let isOld = taken.map { next.order < $0.order } ?? false
        guard !isOld || EntryJudgement.isNews(next, after: taken, now: time),
            HeadJudgement.isNewer(next, than: newest(host), now: time)
        else { return }
        hosts[host].newest = next.replacing(hosts[host].newest)
        if issuer.host != Self.names[host] { drop(host) }
    }

    /// Deletes what a leader has published, as another one asks now.
    private mutating func drop(_ host: Int) {
        hosts[host].disk.published?.manifest = nil
        hosts[host].folder = SimulatedFolder()
        hosts[host].isResumed = false
    }

    private func hasNews(_ host: Int) -> Bool {
        guard let newest = newest(host), newest.issuer != issuer(host) else { return false }
        if newest.issuer.host == Self.names[host], (hosts[host].disk.row.asOf ?? .min) >= newest.entry.asOf {
            return false
        }
        return EntryJudgement.isNews(newest, after: taken(host), now: time(host))
    }

    private func isBehindOwnHead(_ host: Int) -> Bool {
        guard let newest = newest(host), newest.issuer.host == Self.names[host], newest.issuer != issuer(host),
            !hosts[host].hasFailed
        else { return false }
        return (hosts[host].disk.row.asOf ?? .min) < newest.entry.asOf
    }

    // MARK: - Asking

    private mutating func ask(_ host: Int) {
        let (time, newest) = (time(host), newest(host))
        if let taken = taken(host) {
            let mark = ExportMark(number: 1, generation: 0, seq: 0, key: 0)
            let isWhole = hosts[host].records == hosts[host].disk.elements
            hosts[host].disk.continued = (
                ContinuedState(taken, joinHash: nil, mark: mark, isWhole: isWhole), hosts[host].records
            )
        }
        let floor = GivenPermit.floor(newest: newest, known: hosts[host].disk.row.asOf, now: time)
        let permit = GivenPermit(
            permit: AskPermit(number: 0, floor: floor), newest: newest?.order, clock: hosts[host].clock)
        let left = Int.random(in: 0...(isUpstreamSlow && random.oneIn(4) ? 40 : 4), using: &random)
        hosts[host].work = .asking(permit, begun: now, upstream, left: left)
    }

    private func leads(_ host: Int) -> Bool {
        guard let newest = hosts[host].newest else { return false }
        return newest.issuer == issuer(host) || newest.issuer.host == Self.names[host] && hosts[host].isResumed
    }

    private mutating func proceed(_ work: SimulatedHost.Work, _ host: Int) throws {
        hosts[host].work = nil
        switch work {
        case .asking(let permit, let begun, let records, let left):
            if left > 0 {
                hosts[host].work = .asking(permit, begun: begun, records, left: left - 1)
            } else {
                answer(records, permit, begun, host)
            }
        case .committed(let permit):
            guard issueTime(permit, host) != nil, let published = write(host) else { return }
            hosts[host].work = .written(permit, published)
        case .written(let permit, let published): publish(published, permit, host)
        }
    }

    /// Takes the upstream's answer, as of the time at which it was asked.
    private mutating func answer(
        _ records: SimulatedRecords, _ permit: GivenPermit, _ begun: Int64, _ host: Int
    ) {
        let time = time(host)
        hosts[host].disk.endedAt = time
        guard hosts[host].reachesUpstream, isUpstreamAlive else {
            hosts[host].disk.failures += 1
            // The longest wait is shorter than a real one, so that the calm may be short.
            let bound = Int64(2_000) << Int64(min(hosts[host].disk.failures - 1, 5))
            hosts[host].disk.due = time + Int64.random(in: 100...bound, using: &random)
            if leads(host), hosts[host].disk.published?.manifest != nil, let published = hosts[host].disk.published {
                hosts[host].work = .written(nil, published)
            }
            return
        }
        requests += 1
        hosts[host].disk.due = time + Self.interval
        hosts[host].disk.failures = 0
        guard permit.holds(with: hosts[host].newest, own: issuer(host), clock: hosts[host].clock) else { return }
        let asOf = max(time - (now - begun), permit.permit.floor + 1)
        if let known = hosts[host].disk.row.asOf, known <= time, known - asOf > 2_000 { return }
        let number = records[0] ?? 0
        answers[number] = (
            records, min(answers[number]?.first ?? begun, begun), max(answers[number]?.last ?? begun, begun)
        )
        if let newest = hosts[host].newest, newest.issuer != issuer(host), newest.order != permit.newest {
            faults.append("\(now / 1000) \(Self.names[host]) takes its answer after a head of \(newest.issuer.host)")
        }
        hosts[host].disk.elements = records
        hosts[host].disk.row.asOf = asOf
        hosts[host].disk.row.position = nil
        hosts[host].disk.row.lastError = nil
        hosts[host].work = .committed(permit)
    }

    // MARK: - Publishing

    private func issueTime(_ permit: GivenPermit?, _ host: Int) -> Int64? {
        let newest = hosts[host].newest
        guard leads(host) || permit?.isFree(with: newest) == true else { return nil }
        return HeadJudgement.issueTime(time(host), after: newest?.entry.issuedAt)
    }

    private mutating func file(_ records: SimulatedRecords, gone: [Int], in host: Int) -> FileReference {
        let list = records.sorted { $0.key < $1.key }.map { "{\"id\":\($0.key),\"n\":\($0.value)}" }
        let ids = gone.sorted().map { "\"\($0)\"" }
        let content = Array(
            "{\"records\":[\(list.joined(separator: ","))],\"deleted\":[\(ids.joined(separator: ","))]}".utf8)
        let file = FileReference(sha256: unique("f"), size: content.count)
        hosts[host].folder.files[file.sha256] = content
        return file
    }

    /// The files of what has changed since some records were published; none where nothing has.
    private mutating func changes(since before: SimulatedRecords, _ host: Int) -> [FileReference] {
        let records = hosts[host].records
        let changed = records.filter { before[$0.key] != $0.value }
        let gone = before.keys.filter { records[$0] == nil }
        return changed.isEmpty && gone.isEmpty ? [] : [file(changed, gone: gone, in: host)]
    }

    /// Writes files and manifest as a publication does, and notes them on the disk; no head names them yet.
    private mutating func write(_ host: Int) -> SimulatedDisk.Published? {
        let (disk, records) = (hosts[host].disk, hosts[host].records)
        let before = disk.published?.manifest.flatMap { hosts[host].folder.manifests[$0.sha256] }
        let continued = disk.continued
        var start = continued?.state.state == disk.published?.continued ? nil : continued
        if start?.state.isGood(definition: hosts[host].definition, version: "1") == false { start = nil }
        // The log reaches back as far as is needed, mostly.
        let reaches = !random.oneIn(10)
        var next: (state: String, manifest: FleetManifest)
        if let known = disk.published, let before, start == nil, isGoodBase(before, host), reaches {
            let files = changes(since: known.records, host)
            if files.isEmpty {
                next = (known.state, before)
            } else {
                next = (unique("s"), before)
                next.manifest.deltas.append(.init(from: known.state, to: next.state, files: files))
            }
        } else {
            let base = file(records, gone: [], in: host)
            let earlier = start.map { ($0.state.state, $0.records) } ?? disk.published.map { ($0.state, $0.records) }
            next.state = unique("s")
            var deltas: [FleetManifest.Delta] = []
            if let earlier, reaches {
                let files = changes(since: earlier.1, host)
                if files.isEmpty {
                    next.state = earlier.0
                } else {
                    deltas = [.init(from: earlier.0, to: next.state, files: files)]
                }
            }
            next.manifest = FleetManifest(base: .init(state: next.state, records: records.count, files: [base]))
            next.manifest.deltas = deltas
        }
        let manifest = FileReference(sha256: unique("m"), size: 100)
        hosts[host].folder.manifests[manifest.sha256] = next.manifest
        let published = SimulatedDisk.Published(
            state: next.state, records: records, manifest: manifest, continued: continued?.state.state)
        hosts[host].disk.published = published
        return published
    }

    private func isGoodBase(_ manifest: FleetManifest, _ host: Int) -> Bool {
        let size = manifest.base.files.reduce(0) { $0 + $1.size }
        let changes = manifest.deltas.flatMap(\.files).reduce(0) { $0 + $1.size }
        return (changes * 2 <= size || manifest.deltas.isEmpty)
            && manifest.files.allSatisfy { hosts[host].folder.has($0) }
    }

    /// Writes a head.
    private mutating func publish(_ published: SimulatedDisk.Published, _ permit: GivenPermit?, _ host: Int) {
        guard let time = issueTime(permit, host), let manifest = published.manifest,
            let asOf = hosts[host].disk.row.asOf
        else { return }
        let disk = hosts[host].disk
        let error =
            disk.failures == 0
            ? nil
            : HeadEntry.Fault(
                kind: "unreachable", reason: nil, status: nil, at: time, failures: disk.failures)
        let next = HeadJudgement.nextRefresh(disk.due, issuedAt: time, now: self.time(host))
        write(
            HeadEntry(
                issuedAt: time, asOf: asOf, fullAsOf: nil, state: published.state, manifest: manifest, request: "r",
                definition: hosts[host].definition, access: "a", version: "1", error: error, nextRefresh: next,
                retryAfter: nil), host)
    }

    private mutating func write(_ entry: HeadEntry, _ host: Int) {
        var entry = entry
        entry.issuedAt = HeadJudgement.issueTime(entry.issuedAt, after: hosts[host].folder.head?.entry.issuedAt)
        hosts[host].folder.head = (issuer(host), entry)
        let next = NewestEntry(
            issuer: issuer(host), leader: host, entry: entry, seenAt: now, isSeenFresh: true, isClockTrusted: true)
        if HeadJudgement.isNewer(next, than: newest(host), now: entry.issuedAt) { hosts[host].newest = next }
    }

    /// Repeats the head while a request or a publication is under way.
    private mutating func beat(_ host: Int) {
        guard hosts[host].work != nil, leads(host), now / 1000 % 10 < 5, var entry = hosts[host].folder.head?.entry,
            let time = issueTime(nil, host)
        else { return }
        (entry.issuedAt, entry.nextRefresh) = (time, time + 10_000)
        write(entry, host)
    }

    // MARK: - Taking

    /// The state that this host has published itself, if its records are as they were, and none is in the quarantine.
    private func published(_ host: Int) -> FollowedState? {
        guard hasNews(host), let published = hosts[host].disk.published, published.records == hosts[host].records,
            hosts[host].records == hosts[host].disk.elements
        else { return nil }
        return FollowedState(
            state: published.state, issuedAt: 0, host: Self.names[host], join: nil,
            definition: hosts[host].definition, version: "1")
    }

    private mutating func take(_ host: Int) throws {
        let taken = taken(host) ?? published(host)
        guard let newest = newest(host), newest.issuer != issuer(host), taken != nil || hasNews(host) else { return }
        let judgement = EntryJudgement(
            newest: newest, taken: taken, known: hosts[host].disk.row, hasData: hosts[host].disk.hasData,
            isForced: false, now: time(host))
        switch judgement.outcome(nil, in: Self.fleet) {
        case .nothing: break
        case .confirmed(let state): note(state, isNew: false, host)
        case .refused(let failure): hosts[host].disk.row.lastError = failure
        case .wanted:
            let start = hosts[host].disk.hasData ? taken?.state : nil
            guard let elements = try fetch(newest, from: start, host) else {
                hosts[host].hasFailed = true
                return
            }
            hosts[host].hasFailed = false
            hosts[host].disk.elements = elements
            note(judgement.state(nil, join: nil, in: Self.fleet), isNew: true, host)
        }
    }

    private mutating func note(_ state: SharedState, isNew: Bool, _ host: Int) {
        hosts[host].disk.row.asOf = state.asOf
        hosts[host].disk.row.position = state.position
        hosts[host].disk.row.lastError = nil
        // A host whose own request has failed waits for its next one, if the host that asks has failed as well.
        if isNew || hosts[host].disk.failures == 0 || hosts[host].newest?.entry.error == nil {
            hosts[host].disk.failures = 0
            if let next = state.next { hosts[host].disk.due = next }
        }
        hosts[host].disk.endedAt = time(host)
    }

    /// The elements that an entry leads to; nil where a file is missing.
    private mutating func fetch(
        _ newest: NewestEntry, from start: String?, _ host: Int
    ) throws -> SimulatedRecords? {
        guard isReachable[host][newest.leader] else { return nil }
        let folder = hosts[newest.leader].served
        guard let manifest = folder.manifests[newest.entry.manifest.sha256] else { return nil }
        var elements: SimulatedRecords = [:]
        var way: [FleetManifest.Delta]?
        if let start { way = manifest.way(from: start, to: newest.entry.state) }
        let size = manifest.base.files.reduce(0) { $0 + $1.size }
        let isDelta = way.map { $0.flatMap(\.files).reduce(0) { $0 + $1.size } < size } ?? false
        if isDelta { elements = hosts[host].disk.elements }
        var merge = DeltaMerge(plain)
        var pages: [[UInt8]] = []
        let steps = isDelta ? way : manifest.way(from: manifest.base.state, to: newest.entry.state)
        guard let steps else {
            faults.append("\(now / 1000) \(Self.names[host]) finds no way to the head's state")
            return nil
        }
        for file in steps.reversed().flatMap(\.files) {
            guard let content = folder.files[file.sha256] else { return nil }
            try merge.add(content)
        }
        pages.append(merge.readPage())
        if !isDelta {
            var count = 0
            for file in manifest.base.files {
                guard let content = folder.files[file.sha256] else { return nil }
                pages.append(try merge.rest(of: content, counting: &count))
            }
        }
        for page in pages {
            let value = try JSONValue.parse(page)
            for record in value["records"]?.array ?? [] {
                if let id = record["id"]?.integer, let version = record["n"]?.integer {
                    elements[Int(id)] = Int(version)
                }
            }
            for id in value["deleted"]?.array ?? [] { elements[Int(id.string ?? "") ?? -1] = nil }
        }
        if isDelta { taken.deltas += 1 } else { taken.bases += 1 }
        return elements
    }
}
