// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Every seed and every reproducer of an earlier finding, without a fuzzer.
struct SeedTests {
    private static let folder = Paths.join(Repository.root, "Tests/FuzzTests/Corpus")

    @Test(arguments: FuzzTarget.allCases) func `every seed of a target keeps the reader's promises`(
        _ target: FuzzTarget
    ) throws {
        let folder = Paths.join(Self.folder, target.rawValue)
        let seeds = try Directory.list(folder)
        #expect(!seeds.isEmpty)
        for seed in seeds.sorted() {
            let bytes = try Files.readAll(Paths.join(folder, seed), cap: 1 << 20)
            #expect(throws: Never.self, "\(seed)") { try target.check(bytes) }
        }
    }

    @Test func `every folder of seeds belongs to a target`() throws {
        let names = try Directory.list(Self.folder)
        #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }

    @Test(arguments: ["whole", "layers"]) func `the fuzzer starts from sound definitions`(_ seed: String) throws {
        let bytes = try Files.readAll(Paths.join(Self.folder, "definition/\(seed)"), cap: 1 << 20)
        #expect(DefinitionTarget.read(bytes).problems.isEmpty)
    }

    @Test func `damage is done to the same file each time`() throws {
        let records = FuzzCollection.records(12)
        #expect(records.count == 12)
        let files = try (0..<4).map { _ in try FuzzSnapshot(records) }
        let contents = files.map { file in file.sections.map { Array(file.bytes[$0]) } }
        // The contents are too long to be shown.
        let areEqual = contents.allSatisfy { $0 == contents[0] }
        #expect(areEqual)
    }
}
