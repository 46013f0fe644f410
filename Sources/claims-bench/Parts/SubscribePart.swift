// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Measures the memory of a subscription, the time from a change to its event at each of 1,000 subscribers, `detail`
/// beside 4,000 idle ones, and a refresh that changes all records beside 1,000 different feeds.
///
/// The change is an archive mark. Its time counts from the request on, so that the commit is included. The processor
/// time of the refresh counts until each feed has got its only record.
struct SubscribePart {
    private let stage: Stage

    /// The number of changes that are reported, one after the other.
    private static let changes = 40

    init(_ stage: Stage) {
        self.stage = stage
    }

    func run() throws {
        BenchConsole.note("subscriptions")
        try weigh()
        try measureChanges("equal feeds") { _ in "" }
        try measureChanges("different feeds") { #","filter":"heading!=none\#($0)""# }
        try beside()
        try changeAll()
    }

    /// Measures the memory of a subscription with a feed of its own, in a daemon that has just started: a refresh has left
    /// none in it that could be reused.
    private func weigh() throws {
        stage.daemon.stop()
        try stage.daemon.start()
        // The connections and the daemon's threads have what they need already.
        let first = try subscribe(64, each: 1) { #","filter":"heading=first\#($0)""# }
        let before = stage.daemon.anonymousBytes
        let idle = try subscribe(64, each: 62) { #","filter":"heading=none\#($0)""# }
        let after = stage.daemon.anonymousBytes
        withExtendedLifetime((first, idle)) {}
        guard let before, let after else { return }
        stage.bench.results.add(
            "memory of a subscription", of: Results.claimsd, on: stage.shape,
            Double(max(0, after - before)) / Double(64 * 62), unit: .bytes)
    }

    /// Measures one change after the other at each of 1,000 subscribers.
    private func measureChanges(_ what: String, _ filter: (Int) -> String) throws {
        let subscribers = try subscribe(25, each: 40, filter)
        var latencies = Histogram()
        for number in 0..<Self.changes {
            let method = number.isMultiple(of: 2) ? "archive" : "unarchive"
            let start = SystemClock.monotonic
            _ = try Load.ask(stage.daemon.socket, Self.change(method))
            for subscriber in subscribers {
                try subscriber.receiveChanges(40) { latencies.add(nanoseconds: SystemClock.monotonic - start) }
            }
        }
        stage.bench.results.add(
            "one change at 1,000 subscribers, \(what)", of: Results.claimsd, on: stage.shape,
            latencies.percentile(0.99), unit: .nanoseconds, latencies: latencies)
    }

    private func beside() throws {
        let details = Requests.details(stage.shape)
        let load = Load(path: stage.daemon.socket, duration: .milliseconds(700))
        for _ in 0..<min(3, stage.rounds) {
            add("detail, without subscriptions", try load.run(details))
            let idle = try subscribe(64, each: 62) { #","filter":"heading=none\#($0)""# }
            let outcome = try withExtendedLifetime(idle) { try load.run(details) }
            add("detail, beside \(idle.count * 62) subscriptions", outcome)
        }
    }

    /// Changes all records, and changes them back beside 1,000 different feeds.
    private func changeAll() throws {
        var changed = stage.shape
        changed.changedOneIn = 1
        let files = [try stage.bench.files.path(changed, .array), try stage.bench.files.path(stage.shape, .array)]
        for _ in 0..<min(2, stage.rounds) {
            try refresh(files[0], "alone") {}
            let subscribers = try subscribe(25, each: 40, fields: #"["id","price"]"#) { number in
                let id = RecordGenerator.id(number % stage.shape.records)
                return #","filter":"heading=none\#(number) or id=\#(id)""#
            }
            try refresh(files[1], "beside 1,000 feeds") {
                for subscriber in subscribers { try subscriber.receiveChanges(40) {} }
            }
        }
    }

    /// Measures a refresh and its consequences.
    private func refresh(_ file: String, _ what: String, _ wait: () throws -> Void) throws {
        let pid = stage.daemon.pid
        try stage.daemon.control.feed(file)
        Disk.settle()
        let before = BackgroundProcess.processorTime(pid)
        let (_, peak) = try MemorySampler.peak(of: pid) {
            try stage.daemon.control.refresh()
            try wait()
        }
        if let before, let after = BackgroundProcess.processorTime(pid) {
            stage.bench.results.add(
                "all records change, \(what): processor time", of: Results.claimsd, on: stage.shape,
                after.total - before.total, unit: .nanoseconds)
        }
        stage.bench.results.add(
            "all records change, \(what): anonymous", of: Results.claimsd, on: stage.shape, Double(peak),
            unit: .bytes)
    }

    private func add(_ what: String, _ outcome: Load.Outcome) {
        stage.bench.results.add(
            what, of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    private func subscribe(
        _ connections: Int, each count: Int, fields: String = #"["id"]"#, _ filter: (Int) -> String
    ) throws -> [LineConnection] {
        try (0..<connections).map { connection in
            let reader = try LineConnection(stage.daemon.socket)
            for number in 0..<count {
                let rest = filter(connection * count + number)
                let parameters = #""collection":"\#(CollectionShape.collection)","fields":\#(fields)\#(rest)"#
                try reader.send(#"{"id":\#(number),"method":"subscribe","params":{\#(parameters)}}"#)
                try reader.awaitAnswer()
            }
            return reader
        }
    }

    private static func change(_ method: String) -> [UInt8] {
        let id = RecordGenerator.id(0)
        let parameters = #"{"collection":"\#(CollectionShape.collection)","ids":["\#(id)"]}"#
        return Array(#"{"id":1,"method":"\#(method)","params":\#(parameters)}"#.utf8) + [0x0A]
    }
}
