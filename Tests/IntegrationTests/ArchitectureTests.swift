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

    // MARK: - Folders

    /// The folders of each module, in the order of CONTRIBUTING's table; none where its files lie at its root.
    private func folders() throws -> [String: [String]] {
        let text = try Files.readText(Paths.join(Repository.root, "CONTRIBUTING.md"), cap: 1 << 20)
        var folders: [String: [String]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let name = String(cells[1].split(separator: "`")[1])
            guard cells.count == 5, files.contains(where: { $0.path.hasPrefix("Sources/\(name)/") }) else { continue }
            folders[name] = cells[3].split(separator: "`").map(String.init).filter { !$0.allSatisfy { $0 == " " } }
        }
        return folders
    }

    /// Names of types that code of an earlier folder has all the same, because the type is the module's face.
    private static let faces: Set<String> = ["ClaimsStore/Opening: StateStore"]

    @Test func `code names types of earlier folders only`() throws {
        let folders = try folders()
        let modules = Set(files.map { String($0.path.split(separator: "/")[1]) })
        #expect(Set(folders.keys) == modules)
        for (module, folders) in folders {
            let files = files.filter { $0.path.hasPrefix("Sources/\(module)/") }
            let stages = files.map { file in
                let parts = file.path.split(separator: "/").dropFirst(2).dropLast()
                return parts.first.map(String.init) ?? ""
            }
            #expect(Set(stages).subtracting([""]) == Set(folders), "the folders of \(module)")
            // Files at the root come last: they are the faces of the module.
            func rank(_ stage: String) -> Int { folders.firstIndex(of: stage) ?? folders.count }
            var owners: [String: String] = [:]
            for (file, stage) in zip(files, stages) {
                for name in Self.declared(in: file.text) { owners[name] = stage }
            }
            for (file, stage) in zip(files, stages) where stage != "" {
                for name in SwiftNames.of(file.text) {
                    guard let owner = owners[name], rank(owner) > rank(stage) else { continue }
                    if Self.faces.contains("\(module)/\(stage): \(name)") { continue }
                    Issue.record("\(file.path) names \(name) of \(owner.isEmpty ? "the root" : owner)")
                }
            }
        }
    }

    /// The names of the types that a file declares at its top level.
    private static func declared(in text: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return text.split(separator: "\n").compactMap { line in
            guard let first = line.first, first.isLetter || first == "@" else { return nil }
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(where: kinds.contains), index + 1 < words.count else { return nil }
            return String(words[index + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
    }
}
