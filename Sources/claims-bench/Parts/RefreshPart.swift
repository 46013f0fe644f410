// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Measures a refresh until the new generation is published, and its memory: all records new, unchanged, one in a
/// hundred changed.
struct RefreshPart {
    private let stage: Stage

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// The number of rounds; a million records are loaded twice only.
    private var rounds: Int { stage.shape.records >= 500_000 ? min(2, stage.rounds) : min(3, stage.rounds) }

    func run() throws {
        let base = try stage.bench.files.path(stage.shape, .array)
        var changed = stage.shape
        changed.changedOneIn = 100
        let other = try stage.bench.files.path(changed, .array)
        for round in 0..<rounds {
            if round > 0 { try stage.replaceDaemon() }
            BenchConsole.note("refresh, round \(round + 1)")
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
        let before = BackgroundProcess.processorTime(stage.daemon.pid)
        let (duration, peak) = try MemorySampler.peak(of: stage.daemon.pid) { try stage.daemon.control.refresh() }
        stage.bench.results.add("refresh, \(what)", of: Results.claimsd, on: shape, duration)
        if let before, let after = BackgroundProcess.processorTime(stage.daemon.pid) {
            stage.bench.results.add(
                "refresh, \(what): processor time", of: Results.claimsd, on: shape, after.total - before.total,
                unit: .nanoseconds)
        }
        stage.bench.results.add("anonymous, refreshing", of: Results.claimsd, on: shape, Double(peak), unit: .bytes)
    }
}
