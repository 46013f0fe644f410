// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Runs the benchmark: each part on each collection, then the report.
struct BenchRun {
    private let bench: Bench

    init(_ options: BenchOptions) throws {
        bench = try Bench(options)
    }

    /// Measures everything and writes the report; true if every part ran and every answer was right.
    func run() -> Bool {
        var isGood = true
        for shape in shapes {
            BenchConsole.note("== \(shape.name) records")
            do {
                let stage = try Stage(bench, shape)
                defer { stage.end() }
                try measure(stage)
            } catch {
                isGood = false
                bench.results.note("\(shape.name): \((error as? BenchError)?.message ?? "\(error)")")
            }
        }
        do {
            try Report(results: bench.results, sizes: bench.options.sizes, output: bench.options.output).write()
        } catch {
            BenchConsole.note("cannot write the report: \(error)")
            isGood = false
        }
        return isGood && bench.results.wrong.isEmpty
    }

    /// The collections: one of each size, and the largest and the smallest again with a unique term in each record.
    private var shapes: [CollectionShape] {
        let options = bench.options
        var shapes = options.sizes.map { CollectionShape(records: $0) }
        if options.parts.contains(.unique), let first = options.sizes.first, let last = options.sizes.last {
            shapes += Set([first, last]).sorted().map { CollectionShape(records: $0, hasUniqueTerms: true) }
        }
        return shapes
    }

    private func measure(_ stage: Stage) throws {
        if stage.shape.hasUniqueTerms {
            try stage.load()
            try SearchPart(stage).run()
            return
        }
        let parts = bench.options.parts
        try stage.startPeers()
        if parts.contains(.refresh) || parts.contains(.memory) || parts.contains(.layers) {
            try RefreshPart(stage).run()
        } else {
            try stage.load()
        }
        if parts.contains(.changes) { try ChangesPart(stage).run() }
        if parts.contains(.subscribe) { try SubscribePart(stage).run() }
        if parts.contains(.start) || parts.contains(.memory) { try StartPart(stage).run() }
        if parts.contains(.detail) || parts.contains(.memory) { try DetailPart(stage).run() }
        if parts.contains(.search) { try SearchPart(stage).run() }
        if parts.contains(.writes) { try WritesPart(stage).run() }
        if parts.contains(.layers) { try LayersPart(stage).run() }
        if parts.contains(.stack) { try StackPart(stage).run() }
        if parts.contains(.steady), stage.shape.records == bench.options.sizes.last { try SteadyPart(stage).run() }
        if parts.contains(.access) { try AccessPart(stage).run() }
        if parts.contains(.client) { try ClientPart(stage).run() }
        if parts.contains(.stdio) { try StdioPart(stage).run() }
        if parts.contains(.browse) { try BrowsePart(stage).run() }
        if parts.contains(.neighbours) { try NeighbourPart(stage).run() }
        if parts.contains(.fleet) { try FleetPart(stage).run() }
    }
}
