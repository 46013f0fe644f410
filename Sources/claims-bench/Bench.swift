// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// One run of the benchmark: what it measures with, and what it has found.
final class Bench {
    let options: Options
    /// Everything that servers keep, below the system's temporary folder.
    let home: String
    let claimsd: String
    let claimsctl: String?
    let words: WordList
    let files: CollectionFiles
    var results = Results()

    init(_ options: Options) throws {
        self.options = options
        guard let claimsd = Program.path("claimsd") else { throw BenchError("claimsd is not beside this program") }
        self.claimsd = claimsd
        claimsctl = Program.path("claimsctl")
        home = try Directory.temporary(prefix: "claims-bench")
        Cleanup.add(folder: home)
        try Directory.create(options.output)
        words = WordList(seed: CollectionShape.seed)
        let kept = Paths.join(options.output, "collections")
        let folder = options.keepsFiles ? kept : Paths.join(home, "collections")
        try Directory.create(folder)
        files = CollectionFiles(folder: Self.absolute(folder), words: words)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : Paths.join(Files.readLink("/proc/self/cwd") ?? "/", path)
    }

    /// True if all was measured and every answer was right.
    func run() -> Bool {
        var isGood = true
        for shape in shapes {
            Console.note("== \(shape.name) records")
            do {
                let stage = try Stage(self, shape)
                defer { stage.end() }
                try stage.run()
            } catch {
                isGood = false
                results.note("\(shape.name): \((error as? BenchError)?.message ?? "\(error)")")
            }
        }
        do {
            try Report(results: results, options: options).write()
        } catch {
            Console.note("cannot write the report: \(error)")
            isGood = false
        }
        return isGood && results.wrong.isEmpty
    }

    /// What is measured on: each size, and the largest and the smallest again with a word of its own in each record.
    private var shapes: [CollectionShape] {
        var shapes = options.sizes.map { CollectionShape(records: $0) }
        if options.parts.contains(.unique), let first = options.sizes.first, let last = options.sizes.last {
            shapes += Set([first, last]).sorted().map { CollectionShape(records: $0, hasUniqueWords: true) }
        }
        return shapes
    }
}
