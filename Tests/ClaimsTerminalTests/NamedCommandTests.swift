// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct NamedCommandTests {
    @Test(arguments: ["systemd/claimsd.catalog", "README.md", "Sources/claimsd/Documentation.docc"])
    func `every command that is named to people exists`(name: String) throws {
        let path = Paths.join(Repository.root, name)
        let files = Files.isDirectory(path) ? try Directory.list(path).map { Paths.join(path, $0) } : [path]
        var count = 0
        for file in files where !Files.isDirectory(file) {
            for line in try Files.readText(file, cap: 1 << 20).split(separator: "\n") {
                // Of prose only what is marked as a command.
                let words = line.split(whereSeparator: { " `$|".contains($0) })
                guard let index = words.firstIndex(of: "claimsctl"), words.indices.contains(index + 1),
                    line.contains("`claimsctl \(words[index + 1])") || line.hasPrefix("claimsctl ")
                        || line.hasPrefix("$ claimsctl ")
                else { continue }
                let verb = String(words[index + 1])
                guard verb.allSatisfy({ $0.isASCII && $0.isLowercase }) else { continue }
                #expect(CommandTable.verbs.contains { $0.words.contains(verb) }, "\(name): \(line)")
                count += 1
            }
        }
        #expect(count > 2)
    }
}
