// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Testing

/// The folders keep to the layers: who may import whom is written down here once, and in the manifest.
@Suite struct ArchitectureTests {
    /// Modules that a module may import, besides those of the system.
    private static let table: [String: Set<String>] = [
        "ClaimsJSON": [],
        "ClaimsPlatform": ["CLinux"],
        "ClaimsModel": ["CUtf8proc", "ClaimsJSON"],
        "ClaimsSystemd": ["CSystemd", "ClaimsPlatform"],
        "ClaimsHTTP": ["CCurl", "ClaimsPlatform"],
        "ClaimsProtocol": ["ClaimsModel", "ClaimsJSON"],
        "ClaimsQuery": ["ClaimsModel", "ClaimsJSON"],
        "ClaimsStore": ["CSQLite", "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsQuery"],
        "ClaimsClient": ["ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol"],
        "ClaimsRefresh": ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsHTTP", "ClaimsStore"],
        "ClaimsServer": [
            "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsQuery", "ClaimsStore",
        ],
        "ClaimsTerminal": ["ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient"],
        "claimsd": [
            "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsSystemd", "ClaimsHTTP", "ClaimsProtocol",
            "ClaimsQuery", "ClaimsStore", "ClaimsRefresh", "ClaimsServer",
        ],
        "claimsctl": [
            "ClaimsModel", "ClaimsPlatform", "ClaimsJSON", "ClaimsProtocol", "ClaimsClient", "ClaimsTerminal",
        ],
        "claims-upstream": ["ClaimsPlatform", "ClaimsJSON"],
    ]

    /// Programs beside the product, which may look into any module.
    private static let unbound: Set<String> = ["claims-bench", "claims-fuzz", "claims-manual"]

    /// What the toolchain brings and may be used anywhere. Foundation is not among it.
    private static let system: Set<String> = ["Glibc", "Synchronization", "Dispatch"]

    private static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    private static func swiftFiles(of module: String) throws -> [String] {
        try files(under: "\(root)/Sources/\(module)").filter { $0.hasSuffix(".swift") }
    }

    private static func files(under folder: String) throws -> [String] {
        var found: [String] = []
        for name in try Directory.list(folder) {
            let path = "\(folder)/\(name)"
            if Files.isDirectory(path) { found += try files(under: path) } else { found.append(path) }
        }
        return found
    }

    private static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            var words = line.split(separator: " ")[...]
            if words.first == "public" || words.first?.hasPrefix("@") == true { words = words.dropFirst() }
            guard words.first == "import", let name = words.dropFirst().first else { return nil }
            return String(name)
        }
    }

    @Test(arguments: table.keys.sorted())
    func `a module imports only what its layer may`(module: String) throws {
        let allowed = try #require(Self.table[module]).union(Self.system)
        let files = try Self.swiftFiles(of: module)
        #expect(!files.isEmpty)
        for file in files {
            let imported = Self.imports(in: try Files.readText(file, cap: 1 << 20))
            for name in imported where !allowed.contains(name) {
                Issue.record("\(file) imports \(name)")
            }
        }
    }

    @Test func `every folder of Sources is in the table`() throws {
        for name in try Directory.list("\(Self.root)/Sources") where !name.hasPrefix("C") || name.hasPrefix("Cl") {
            #expect(Self.table[name] != nil || Self.unbound.contains(name), "\(name)")
        }
    }

    @Test func `no file has grown past five hundred lines`() throws {
        for file in try Self.files(under: "\(Self.root)/Sources") where file.hasSuffix(".swift") {
            let lines = try Files.readText(file, cap: 1 << 20).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 500, "\(file)")
        }
    }

    @Test func `every source file says whose it is and under which licence`() throws {
        for file in try Self.files(under: "\(Self.root)/Sources") where file.hasSuffix(".swift") {
            let text = try Files.readText(file, cap: 1 << 20)
            #expect(
                text.hasPrefix(
                    "// SPDX-FileCopyrightText: 2026 The claimsd authors\n// SPDX-License-Identifier: Apache-2.0\n"),
                "\(file)")
        }
    }
}
