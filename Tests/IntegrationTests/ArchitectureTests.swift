// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Rules about the source files that no compiler checks. The manifest says which module imports which; the build
/// enforces that.
@Suite struct ArchitectureTests {
    private let files: [SourceTree.File]

    init() throws {
        files = try SourceTree.files()
        try #require(files.count > 300)
    }

    @Test func `only modules of this package and three of the toolchain's are imported`() throws {
        let own = Set(try Directory.list(Paths.join(Repository.root, "Sources")))
        let allowed = own.union(["Glibc", "Synchronization", "Dispatch"])
        for file in files {
            for name in imports(in: file.text) where !allowed.contains(name) {
                Issue.record("\(file.path) imports \(name)")
            }
        }
    }

    private func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            var parts = line.split(separator: " ")[...]
            if parts.first == "public" || parts.first?.hasPrefix("@") == true { parts = parts.dropFirst() }
            guard parts.first == "import", let name = parts.dropFirst().first else { return nil }
            return String(name)
        }
    }

    @Test func `no file has grown past five hundred lines`() {
        for file in files {
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 500, "\(file.path)")
        }
    }

    @Test func `no two source files have the same name`() {
        // Swift itself asks for main.swift.
        let names = Dictionary(grouping: files.filter { $0.baseName != "main" }, by: \.baseName)
        for (name, files) in names { #expect(files.count == 1, "\(name): \(files.map(\.path))") }
    }

    @Test func `every source file names its authors and its licence`() {
        let header = """
            // SPDX-FileCopyrightText: 2026 The claimsd authors
            // SPDX-License-Identifier: Apache-2.0

            """
        for file in files { #expect(file.text.hasPrefix(header), "\(file.path)") }
    }
}
