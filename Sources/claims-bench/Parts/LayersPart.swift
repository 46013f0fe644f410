// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures what changed records cost: answers of an upstream with 100 of them, until the first answer that has them; the
/// bytes that many such answers write; and 1,000 operations that wait for an upstream, one after the other.
struct LayersPart {
    private let stage: Stage

    /// The number of records of an incremental answer.
    private static let changed = 100
    /// The number of operations; the limit of a collection by default.
    private static let operations = 1000
    /// The number of submits that are compared at each end.
    private static let compared = 50

    static let incremental = "incremental answer of 100, last byte to the first answer that has them"
    static let processorTime = "incremental answer of 100: processor time"
    static let bytesWritten = "incremental answer of 100: bytes written"
    static func manyBytes(_ count: Int) -> String { "\(count) incremental answers of 100: bytes written" }
    static let counts = [1000, 100]
    static let firstSubmits = "submit, the first ones"
    static let lastSubmits = "submit, the last ones of 1,000 pending"
    static let readyBefore = "start to READY, before 1,000 submits"
    static let readyAfter = "start to READY, after 1,000 submits"

    init(_ stage: Stage) {
        self.stage = stage
    }

    private var bench: Bench { stage.bench }
    private var shape: CollectionShape { stage.shape }

    func run() throws {
        guard shape.records >= Self.operations else { return }
        BenchConsole.note("layers")
        try stage.replaceDaemon()
        let source = try IncrementalSource(try bench.files.path(shape, .array))
        defer { source.stop() }
        try stage.daemon.define(source: source.definition())
        try stage.daemon.start()
        try stage.daemon.control.refresh()
        try answerIncrementally(from: source)
        try submit()
        try stage.replaceDaemon()
        try stage.load()
    }

    // MARK: - Incremental answers

    private func answerIncrementally(from source: IncrementalSource) throws {
        Disk.settle()
        var changer = RecordChanger(source, stage.daemon.control, stage.generator, seed: 0x1A4E)
        // The first ones warm it up.
        for _ in 0..<3 { _ = try changer.change(Self.changed) }
        let rounds = max(20, stage.rounds * 8)
        let before = try usage()
        var latencies = Histogram()
        for _ in 0..<rounds { latencies.add(nanoseconds: try changer.change(Self.changed)) }
        let after = try usage()
        bench.results.add(
            Self.incremental, of: Results.claimsd, on: shape, latencies.percentile(0.5), unit: .nanoseconds,
            latencies: latencies)
        add(Self.processorTime, (after.time - before.time) / Double(rounds), .nanoseconds)
        add(Self.bytesWritten, (after.written - before.written) / Double(rounds), .bytes)
        let count = bench.options.isQuick ? 100 : 1000
        let start = try settledBytes()
        for _ in 0..<count { _ = try changer.change(Self.changed) }
        add(Self.manyBytes(count), try settledBytes() - start, .bytes)
    }

    /// The processor time of the daemon in nanoseconds, and the bytes that it has had written to the disk.
    private func usage() throws -> (time: Double, written: Double) {
        let pid = stage.daemon.pid
        guard let time = BackgroundProcess.processorTime(pid)?.total,
            let written = BackgroundProcess.bytesWritten(pid)
        else { throw BenchError("/proc tells nothing of claimsd") }
        return (time, Double(written))
    }

    /// The bytes written, once nothing is written any more.
    private func settledBytes() throws -> Double {
        var written = try usage().written
        var quiet = 0
        while quiet < 4 {
            sleep(1)
            let now = try usage().written
            quiet = now == written ? quiet + 1 : 0
            written = now
        }
        return written
    }

    // MARK: - Submits

    private func submit() throws {
        try stage.replaceDaemon()
        try stage.load()
        stage.daemon.stop()
        try stage.daemon.define(
            writes: """
                { to: "upstream", fields: { party: {} },
                  update: { method: "PATCH", url: "http://127.0.0.1:1/items/{id}" } }
                """)
        try stage.daemon.start()
        try starts(Self.readyBefore)
        var durations: [UInt64] = []
        for number in 0..<Self.operations {
            let id = RecordGenerator.id(number * (shape.records / Self.operations))
            let start = SystemClock.monotonic
            let answer = try stage.daemon.control.ask(
                "submit", #""action":"update","id":"\#(id)","fields":{"party":"written \#(number)"}"#)
            durations.append(SystemClock.monotonic - start)
            guard answer["result"]?["state"]?.string == "queued" else {
                throw BenchError("submit answered \(String(decoding: answer.compactBytes.prefix(600), as: UTF8.self))")
            }
        }
        add(durations.prefix(Self.compared), Self.firstSubmits)
        add(durations.suffix(Self.compared), Self.lastSubmits)
        try starts(Self.readyAfter)
    }

    private func add(_ durations: ArraySlice<UInt64>, _ what: String) {
        var latencies = Histogram()
        for duration in durations { latencies.add(nanoseconds: duration) }
        let mean = Double(durations.reduce(0, +)) / Double(durations.count)
        bench.results.add(
            what, of: Results.claimsd, on: shape, mean, unit: .nanoseconds, latencies: latencies)
    }

    private func starts(_ what: String) throws {
        for _ in 0..<(stage.rounds * 2) {
            stage.daemon.stop()
            bench.results.add(what, of: Results.claimsd, on: shape, try stage.daemon.start())
        }
        sleep(1)
    }

    private func add(_ what: String, _ value: Double, _ unit: Unit) {
        bench.results.add(what, of: Results.claimsd, on: shape, value, unit: unit)
    }
}
