// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc
import Synchronization

/// Measures what a collection costs that changes each second, for minutes or for hours: its bytes written, its processor
/// time, and the 99th percentile of each of 64 readers, beside writers and feeds. Before and afterwards the same is measured
/// without changes of the upstream.
struct SteadyPart {
    private let stage: Stage

    private static let readers = 64
    private static let feeds = 16
    /// The time between two requests of a reader.
    private static let readInterval: Duration = .milliseconds(50)
    /// The time between two archive marks, and between two operations.
    private static let writeInterval: Duration = .milliseconds(250)
    /// The time that is left out at the begin of a state, in seconds.
    private static let settling: UInt32 = 3

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// The states of the upstream.
    fileprivate enum State: Int, CaseIterable {
        case unchanged, changing

        var name: String { self == .changing ? "100 changes a second" : "no changes" }
    }

    func run() throws {
        BenchConsole.note("steady")
        try stage.replaceDaemon()
        let shared = SteadyState()
        let generator = stage.generator
        let source = try IncrementalSource(try stage.bench.files.path(stage.shape, .array)) { written in
            shared.records(of: generator, written: written)
        }
        defer { source.stop() }
        try stage.daemon.define(
            source: source.definition(interval: "1s"),
            writes: """
                { to: "upstream", fields: { party: {} },
                  update: { method: "PATCH", url: "http://127.0.0.1:\(source.port)/items/{id}" } }
                """)
        try stage.daemon.start()
        try stage.daemon.control.refresh()
        try measureStates(shared)
        report(shared)
        try stage.replaceDaemon()
        try stage.load()
    }

    /// Measures all states, and returns when the threads have ended.
    private func measureStates(_ shared: SteadyState) throws {
        let threads = try startReaders(shared) + startWriters(shared) + startFeeds(shared)
        try withExtendedLifetime(threads) {
            defer { shared.stop() }
            let seconds = stage.options.minutes * 60
            let aside = max(10, seconds / 12)
            for (state, seconds) in [(State.unchanged, aside), (.changing, seconds), (.unchanged, aside)] {
                try measure(state, seconds, shared)
            }
        }
    }

    /// Lets everything run in one state, and adds what the daemon used meanwhile.
    private func measure(_ state: State, _ seconds: Int, _ shared: SteadyState) throws {
        BenchConsole.note("steady, \(state.name), \(seconds) s")
        shared.begin(state)
        sleep(Self.settling)
        shared.measure(state)
        let before = try usage()
        for _ in 0..<seconds {
            sleep(1)
            if let failure = shared.failure { throw BenchError(failure) }
        }
        let after = try usage()
        shared.measure(nil)
        add(
            "steady, \(state.name): processor time a second", (after.time - before.time) / Double(seconds), .nanoseconds
        )
        add("steady, \(state.name): bytes written a second", (after.written - before.written) / Double(seconds), .bytes)
        add("steady, \(state.name): anonymous memory", stage.daemon.anonymousBytes.map(Double.init), .bytes)
    }

    private func usage() throws -> (time: Double, written: Double) {
        guard let time = BackgroundProcess.processorTime(stage.daemon.pid)?.total,
            let written = BackgroundProcess.bytesWritten(stage.daemon.pid)
        else { throw BenchError("claimsd has ended: \(stage.daemon.logTail)") }
        return (time, Double(written))
    }

    private func report(_ shared: SteadyState) {
        for state in State.allCases {
            for (what, histograms) in shared.latencies(state) {
                let late = histograms.compactMap { $0.percentile(0.99) }
                for value in late { add("steady, \(state.name): p99 of a reader, \(what)", value, .nanoseconds) }
                add("steady, \(state.name): p99 of the slowest, \(what)", late.max(), .nanoseconds)
                let maximum = histograms.compactMap { $0.percentile(1) }.max()
                add("steady, \(state.name): maximum, \(what)", maximum, .nanoseconds)
                let count = histograms.reduce(0) { $0 + Double($1.count) }
                add("steady, \(state.name): requests, \(what)", count, .count)
            }
            add("steady, \(state.name): events", Double(shared.events(state)), .count)
        }
    }

    private func add(_ what: String, _ value: Double?, _ unit: Unit) {
        stage.bench.results.add(what, of: Results.claimsd, on: stage.shape, value, unit: unit)
    }

    // MARK: - Readers, writers, feeds

    private func startReaders(_ shared: SteadyState) throws -> [SteadyThread] {
        let sets = QueryMaker(generator: stage.generator).sets()
        func searches(_ kind: QueryClass) -> RequestScript {
            Requests.searches(sets.first { $0.kind == kind }?.queries ?? [Query()])
        }
        let scripts = [
            ("detail", Requests.details(stage.shape)), ("word", searches(.terms)),
            ("filter, other order", searches(.filterSort)), ("detail", Requests.details(stage.shape)),
        ]
        let socket = stage.daemon.socket
        return try (0..<Self.readers).map { reader in
            let (what, script) = scripts[reader % scripts.count]
            return try shared.start(what, every: Self.readInterval) {
                let connection = try LineConnection(socket)
                var index = reader * 977
                return {
                    index += 1
                    try connection.send(script.request(index % script.count))
                    if try connection.receiveBytes() == nil { throw BenchError("no answer came") }
                }
            }
        }
    }

    private func startWriters(_ shared: SteadyState) throws -> [SteadyThread] {
        let control = stage.daemon.control
        let records = stage.shape.records
        return [
            try shared.start("archive mark", every: Self.writeInterval) {
                var number = 0
                return {
                    number += 1
                    let id = RecordGenerator.id(number / 2 * 7919 % records)
                    try control.ask(number.isMultiple(of: 2) ? "archive" : "unarchive", #""ids":["\#(id)"]"#)
                }
            },
            try shared.start("submit", every: Self.writeInterval) {
                var number = 0
                return {
                    number += 1
                    let id = RecordGenerator.id(number * 104_729 % records)
                    let answer = try control.ask(
                        "submit", #""action":"update","id":"\#(id)","fields":{"party":"written \#(number)"}"#)
                    guard answer["result"]?["state"] != nil else {
                        let text = String(decoding: answer.compactBytes.prefix(300), as: UTF8.self)
                        throw BenchError("submit answered \(text)")
                    }
                }
            },
        ]
    }

    private func startFeeds(_ shared: SteadyState) throws -> [SteadyThread] {
        let socket = stage.daemon.socket
        return try (0..<Self.feeds).map { feed in
            let phase = RecordGenerator.phases[feed % RecordGenerator.phases.count]
            let filter = feed < Self.feeds / 2 ? "" : #","filter":"phase=\#(phase)""#
            return try shared.follow {
                let connection = try LineConnection(socket)
                try connection.send(
                    #"{"id":1,"method":"subscribe","params":{"collection":"\#(CollectionShape.collection)"\#(filter)}}"#
                )
                try connection.awaitAnswer()
                return connection
            }
        }
    }
}

/// A thread of the part. Its release waits until the thread ends.
private final class SteadyThread {
    private let thread: NamedThread

    init(_ name: String, _ body: @escaping @Sendable () -> Void) throws {
        thread = try NamedThread(name, body)
    }
}

/// The state that the threads of the part share.
private final class SteadyState: Sendable {
    private struct Contents {
        var state = SteadyPart.State.unchanged
        /// The state that latencies and events count for; nil between two.
        var measured: SteadyPart.State?
        var round = 0
        var random = Randomness(seed: CollectionShape.seed ^ 0x57EA)
        var failure: String?
        var isStopped = false
        /// One entry a thread.
        var latencies: [(what: String, histograms: [Histogram])] = []
        var events = SteadyPart.State.allCases.map { _ in 0 }
    }

    private let contents = Monitor(Contents())

    private static let changed = 100
    private static let eventPause: Duration = .milliseconds(200)

    var failure: String? { contents.read(\.failure) }

    func begin(_ state: SteadyPart.State) { contents.update { $0.state = state } }
    func measure(_ state: SteadyPart.State?) { contents.update { $0.measured = state } }
    func stop() { contents.update { $0.isStopped = true } }

    /// The records of the upstream's next answer: those that were written, and in one state some that changed by themselves.
    func records(of generator: RecordGenerator, written: [(id: String, body: [UInt8])]) -> [UInt8] {
        contents.update(waking: .none) { contents in
            contents.round += 1
            var text = RecordGenerator.Text()
            var parts = written.compactMap { id, body -> [UInt8]? in
                guard let number = Int(id), let party = try? JSONValue.parse(body)["party"]?.string else { return nil }
                return generator.document(number - CollectionShape.firstID, party: party, text: &text)
            }
            if contents.state == .changing {
                let party = "round \(contents.round)"
                parts.append(
                    RecordChanger.objects(Self.changed, party: party, of: generator, &contents.random).bytes)
            }
            return Array(parts.joined(separator: [UInt8(ascii: ",")]))
        }
    }

    /// Starts a thread that measures one request after the other.
    ///
    /// - Parameter prepare: makes the request, on the thread.
    func start(
        _ what: String, every interval: Duration, _ prepare: @escaping @Sendable () throws -> () throws -> Void
    ) throws -> SteadyThread {
        try SteadyThread("requests") { [self] in
            var histograms = SteadyPart.State.allCases.map { _ in Histogram() }
            do {
                let request = try prepare()
                while contents.wait(upTo: interval, waking: .none, { $0.isStopped ? true : nil }) == nil {
                    let measured = contents.read(\.measured)
                    let start = SystemClock.monotonic
                    try request()
                    let duration = SystemClock.monotonic - start
                    if let measured { histograms[measured.rawValue].add(nanoseconds: duration) }
                }
            } catch { fail(what, error) }
            contents.update { $0.latencies.append((what, histograms)) }
        }
    }

    /// Starts a thread that counts the events of a subscription.
    ///
    /// - Parameter subscribe: makes the subscription, on the thread.
    func follow(_ subscribe: @escaping @Sendable () throws -> LineConnection) throws -> SteadyThread {
        try SteadyThread("feed") { [self] in
            do {
                let connection = try subscribe()
                while !contents.read(\.isStopped) {
                    guard let line = try connection.receive(within: Self.eventPause) else { continue }
                    guard LineConnection.hasChanges(line) else { continue }
                    contents.update(waking: .none) { contents in
                        if let measured = contents.measured { contents.events[measured.rawValue] += 1 }
                    }
                }
            } catch { fail("a feed", error) }
        }
    }

    private func fail(_ what: String, _ error: any Error) {
        let text = (error as? BenchError)?.message ?? "\(error)"
        contents.update { $0.failure = $0.failure ?? "\(what): \(text)" }
    }

    /// The latencies of each thread, by what it asked.
    func latencies(_ state: SteadyPart.State) -> [(what: String, histograms: [Histogram])] {
        let all = contents.read(\.latencies)
        var names: [String] = []
        for thread in all where !names.contains(thread.what) { names.append(thread.what) }
        return names.map { name in (name, all.filter { $0.what == name }.map { $0.histograms[state.rawValue] }) }
    }

    func events(_ state: SteadyPart.State) -> Int { contents.read { $0.events[state.rawValue] } }
}
