// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The state of one run of the benchmark: its options, programs, folders, and results.
final class Bench {
    let options: BenchOptions
    /// The folder of all servers' files, below the system's temporary folder.
    let home: String
    let claimsd: String
    let claimsctl: String?
    let lexicon: Lexicon
    let files: CollectionFiles
    var results = Results()

    init(_ options: BenchOptions) throws {
        self.options = options
        guard let claimsd = InstalledProgram.path("claimsd") else {
            throw BenchError("claimsd is not beside this program")
        }
        self.claimsd = claimsd
        claimsctl = InstalledProgram.path("claimsctl")
        home = try Directory.temporary(prefix: "claims-bench")
        Cleanup.add(folder: home)
        try Directory.create(options.output)
        lexicon = Lexicon(seed: CollectionShape.seed)
        let kept = Paths.join(options.output, "collections")
        let folder = options.keepsFiles ? kept : Paths.join(home, "collections")
        try Directory.create(folder)
        files = CollectionFiles(folder: Self.absolute(folder), lexicon: lexicon)
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : Paths.join(Files.readLink("/proc/self/cwd") ?? "/", path)
    }
}
