// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures the cost of a fleet: a leader and a follower, compared with a single host without `fleet.json5`.
struct FleetPart {
    enum Role: String {
        case alone, leader, follower
        /// A host that is alone, and has asked its upstream over HTTP since its start.
        case asking
    }

    let stage: Stage

    static let allTime = "fleet, all records: processor time"
    static let allMemory = "fleet, all records: anonymous"
    static let allServed = "fleet, all records, start to the first answer that has them"
    static let changedTime = "fleet, 1 % changed: processor time"
    static let publishingTime = "fleet, 1 % changed: processor time of publishing"
    static let changedMemory = "fleet, 1 % changed: anonymous above idle"
    static let commit = "fleet, 1 % changed, until committed"
    static let published = "fleet, 1 % changed, commit to the head that tells it"
    static let taken = "fleet, 1 % changed, commit to the follower's first answer that has it"
    static let baseSize = "fleet, published: all records"
    static let deltaSize = "fleet, published: 1 % changed"
    static let idleMemory = "fleet, idle: anonymous"
    static let idleTime = "fleet, idle: processor time of a minute"
    static let requests = "fleet, idle: requests a poll"
    static let otherRequests = "fleet, idle: requests that were not answered with 304"

    /// The maximal time of any step.
    static let maxWait = Duration.seconds(900)
    /// The time after which a daemon is asked again, and its processor time looked at again.
    private static let interval = Duration.milliseconds(20)
    private static let quietInterval = Duration.milliseconds(1500)
    /// The processor time in such an interval at which a daemon counts as idle, in nanoseconds.
    private static let quiet = 20e6
    /// The time that an idle daemon is watched, in seconds; a multiple of ``MeasuredFleet/poll``.
    private var watched: UInt32 { stage.options.isQuick ? 20 : 60 }

    init(_ stage: Stage) {
        self.stage = stage
    }

    var bench: Bench { stage.bench }
    private var shape: CollectionShape { stage.shape }
    /// The number of rounds, of which each changes one record in a hundred twice.
    private var rounds: Int { shape.records >= 500_000 ? min(3, stage.rounds) : stage.rounds }

    func run() throws {
        BenchConsole.note("fleet")
        try stage.replaceDaemon()
        let home = Paths.join(stage.home, "fleet")
        guard let fleet = try MeasuredFleet(home: home, program: bench.claimsd, serving: stage.daemon.home) else {
            bench.results.note("fleet: nginx or openssl is not installed")
            return try stage.load()
        }
        defer { fleet.stop() }
        try loadAll(fleet)
        for round in 0..<rounds {
            BenchConsole.note("fleet, round \(round + 1)")
            // Others in each round: a file with the same content is written once.
            for isBack in [false, true] { try change(oneIn: 100 + round, isBack: isBack, fleet) }
        }
        try idle(fleet)
        try FleetForgeries(self, fleet).run()
        try FleetMarksPart(self, fleet).run()
        fleet.stop()
        try stage.replaceDaemon()
        try stage.load()
    }

    func add(_ what: String, _ role: Role, _ value: Double?, in unit: Unit) {
        bench.results.add(what, of: role.rawValue, on: shape, value, unit: unit)
    }

    func add(_ what: String, _ role: Role, _ duration: Duration) {
        bench.results.add(what, of: role.rawValue, on: shape, duration)
    }

    // MARK: - All records

    private func loadAll(_ fleet: MeasuredFleet) throws {
        let file = try bench.files.path(shape, .array)
        for daemon in [stage.daemon, fleet.leader] { try daemon.control.feed(file) }
        try load(stage.daemon, .alone) { true }
        try load(fleet.leader, .leader) { fleet.entry?["state"] != nil }
        add(Self.baseSize, .leader, size(of: fleet), in: .bytes)
        try load(fleet.follower, .follower) { true }
    }

    /// Starts a daemon, and waits until it serves all records and is idle.
    private func load(_ daemon: MeasuredDaemon, _ role: Role, until isDone: () -> Bool) throws {
        Disk.settle()
        let start = ContinuousClock.now
        try daemon.start()
        let (served, peak) = try MemorySampler.peak(of: daemon.pid) {
            let last = RecordGenerator.id(shape.records - 1)
            try Self.wait("\(role): records") { try price(of: last, daemon) != nil }
            let served = ContinuousClock.now - start
            try Self.wait("\(role): publication", isDone)
            try settle(daemon)
            return served
        }
        add(Self.allServed, role, served)
        add(Self.allMemory, role, Double(peak), in: .bytes)
        add(Self.allTime, role, try time(daemon), in: .nanoseconds)
    }

    // MARK: - Changes

    /// Makes one record out of a number change on each host, or change back.
    private func change(oneIn share: Int, isBack: Bool, _ fleet: MeasuredFleet) throws {
        var changed = shape
        changed.changedOneIn = isBack ? 0 : share
        let file = try bench.files.path(changed, .array)
        // The second one finds the file in the page cache.
        if !isBack { try refresh(stage.daemon, as: .alone, file) {} }
        let (before, state, id) = (fleet.files, fleet.entry?["state"], try changedID(share))
        let (idle, time) = (fleet.follower.anonymousBytes ?? 0, try self.time(fleet.follower))
        let publishing = publishingTime(fleet)
        let (_, peak) = try MemorySampler.peak(of: fleet.follower.pid) {
            try refresh(fleet.leader, as: .leader, file) {
                let start = ContinuousClock.now
                let wanted = try price(of: id, fleet.leader)
                var published: Duration?
                try Self.wait("follower: what has changed") {
                    if published == nil, fleet.entry?["state"] != state { published = ContinuousClock.now - start }
                    return try published != nil && price(of: id, fleet.follower) == wanted
                }
                add(Self.taken, .follower, ContinuousClock.now - start)
                if let published { add(Self.published, .leader, published) }
            }
            try settle(fleet.follower)
        }
        add(Self.changedMemory, .follower, Double(max(0, peak - idle)), in: .bytes)
        add(Self.changedTime, .follower, try self.time(fleet.follower) - time, in: .nanoseconds)
        add(Self.publishingTime, .leader, publishingTime(fleet) - publishing, in: .nanoseconds)
        add(Self.deltaSize, .leader, size(of: fleet, but: before), in: .bytes)
        if isBack { try refresh(stage.daemon, as: .alone, file) {} }
    }

    /// The processor time of the threads that publish, so far, in nanoseconds.
    private func publishingTime(_ fleet: MeasuredFleet) -> Double {
        BackgroundProcess.processorTime(fleet.leader.pid, ofThreads: "publish")
    }

    /// The size of the published files, without the manifest and earlier files, in bytes.
    private func size(of fleet: MeasuredFleet, but before: [String: Int] = [:]) -> Double {
        let manifest = fleet.entry?["manifest"]?.array?.first?.string
        let sizes = fleet.files.filter { before[$0.key] == nil && $0.key != manifest }.values
        return Double(sizes.reduce(0, +))
    }

    /// Refreshes, and waits until the daemon is idle.
    ///
    /// - Parameter followUp: called once the records are committed.
    private func refresh(
        _ daemon: MeasuredDaemon, as role: Role, _ file: String, _ followUp: () throws -> Void
    ) throws {
        try daemon.control.feed(file)
        Disk.settle()
        let (idle, before) = (daemon.anonymousBytes ?? 0, try time(daemon))
        let (_, peak) = try MemorySampler.peak(of: daemon.pid) {
            add(Self.commit, role, try daemon.control.refresh())
            try followUp()
            try settle(daemon)
        }
        add(Self.changedMemory, role, Double(max(0, peak - idle)), in: .bytes)
        add(Self.changedTime, role, try time(daemon) - before, in: .nanoseconds)
    }

    /// The id of a record that differs if one out of a number has changed.
    private func changedID(_ share: Int) throws -> Int {
        var changed = shape
        changed.changedOneIn = share
        let other = RecordGenerator(shape: changed, lexicon: bench.lexicon)
        let record = (0..<shape.records).first { other.price($0) != stage.generator.price($0) }
        guard let record else { throw BenchError("no record changes") }
        return RecordGenerator.id(record)
    }

    // MARK: - Idle

    private func idle(_ fleet: MeasuredFleet) throws {
        BenchConsole.note("fleet, idle")
        for daemon in [stage.daemon, fleet.follower] {
            daemon.stop()
            try daemon.start()
        }
        for daemon in [stage.daemon, fleet.follower] { try settle(daemon) }
        let requests = fleet.requests.count
        let before = [try time(stage.daemon), try time(fleet.follower)]
        sleep(watched)
        let minutes = Double(watched) / 60
        for (index, (daemon, role)) in [(stage.daemon, Role.alone), (fleet.follower, .follower)].enumerated() {
            add(Self.idleTime, role, (try time(daemon) - before[index]) / minutes, in: .nanoseconds)
            add(Self.idleMemory, role, daemon.anonymousBytes.map(Double.init), in: .bytes)
        }
        let new = fleet.requests[requests...]
        let polls = Double(watched) / Double(MeasuredFleet.poll.components.seconds)
        add(Self.requests, .follower, Double(new.count) / polls, in: .count)
        add(Self.otherRequests, .follower, Double(new.count { $0 != "304 /head" }), in: .count)
        try idleOverHTTP(fleet)
    }

    /// Measures the memory of a host that has asked for itself, and has loaded what that needs, like a follower.
    private func idleOverHTTP(_ fleet: MeasuredFleet) throws {
        let name = Paths.name(stage.daemon.control.source)
        stage.daemon.stop()
        try stage.daemon.define(source: "{ url: \"\(fleet.otherAddress)\(name)\", interval: \"1d\" }")
        try stage.daemon.start()
        try stage.daemon.control.refresh()
        try settle(stage.daemon)
        add(Self.idleMemory, .asking, stage.daemon.anonymousBytes.map(Double.init), in: .bytes)
    }

    // MARK: - Asking daemons

    /// Waits until something is so.
    static func wait(_ what: String, _ isSo: () throws -> Bool) throws {
        let start = ContinuousClock.now
        while try !isSo() {
            guard ContinuousClock.now - start < maxWait else { throw BenchError("not so in time: \(what)") }
            _ = Monitor(false).wait(upTo: interval) { $0 ? true : nil }
        }
    }

    /// Waits until a daemon does nothing any more.
    func settle(_ daemon: MeasuredDaemon) throws {
        var last = try time(daemon)
        while true {
            _ = Monitor(false).wait(upTo: Self.quietInterval) { $0 ? true : nil }
            let now = try time(daemon)
            if now - last <= Self.quiet { return }
            last = now
        }
    }

    /// The processor time of a daemon, in nanoseconds.
    func time(_ daemon: MeasuredDaemon) throws -> Double {
        guard let time = BackgroundProcess.processorTime(daemon.pid) else { throw BenchError("claimsd is gone") }
        return time.total
    }

    /// The price of a record; nil while there is no such record.
    private func price(of id: Int, _ daemon: MeasuredDaemon) throws -> JSONValue? {
        try ask("detail", #""id":"\#(id)""#, daemon)["result"]?["record"]?["price"]
    }

    func ask(_ method: String, _ parameters: String, _ daemon: MeasuredDaemon) throws -> JSONValue {
        let request =
            #"{"id":1,"method":"\#(method)","params":{"collection":"\#(CollectionShape.collection)",\#(parameters)}}"#
        return try JSONValue.parse(
            try Load.ask(daemon.socket, Array((request + "\n").utf8), timeout: Self.maxWait))
    }
}
