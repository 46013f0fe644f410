// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// From bytes in hand to the published generation: all new, unchanged, one record in a hundred changed; and the memory
/// that it takes.
struct RefreshPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// Fewer where a round takes long; a millionfold collection is loaded twice.
    private var rounds: Int { stage.shape.records >= 500_000 ? min(2, stage.rounds) : min(3, stage.rounds) }

    func run() throws {
        let base = try stage.bench.files.path(stage.shape, .array)
        var changed = stage.shape
        changed.changedOneIn = 100
        let other = try stage.bench.files.path(changed, .array)
        for round in 0..<rounds {
            if round > 0 { try stage.replaceDaemon() }
            Console.note("refresh, round \(round + 1)")
            try stage.daemon.control.feedNothing()
            try stage.daemon.start()
            try measure("all new", base)
            try measure("unchanged", base)
            try measure("1 % changed", other)
            try measure("1 % changed", base)
        }
    }

    private func measure(_ what: String, _ file: String) throws {
        let shape = stage.shape
        try stage.daemon.control.feed(file)
        Disk.settle()
        let before = Service.processorTime(stage.daemon.pid)
        let (duration, peak) = try MemorySampler.peak(of: stage.daemon.pid) { try stage.daemon.control.refresh() }
        stage.bench.results.add(Results.claimsd, "refresh, \(what)", shape, duration)
        if let before, let after = Service.processorTime(stage.daemon.pid) {
            stage.bench.results.add(
                Results.claimsd, "refresh, \(what): processor time", shape, .nanoseconds, after.total - before.total)
        }
        stage.bench.results.add(Results.claimsd, "anonymous, refreshing", shape, .bytes, Double(peak))
    }
}
