// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// The files of `examples/fleet`, and what the manual shows of them.
@Suite struct FleetExampleTests {
    private static let names = ["fleet.json5", "nginx-leader.conf", "nginx-proxy.conf", "pgbouncer.ini"]

    /// The lines of a text, without white space around them.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { line in
            String(
                String(line.trimmingPrefix(while: \.isWhitespace).reversed()).trimmingPrefix(while: \.isWhitespace)
                    .reversed())
        }
    }

    /// The blocks of the manual's page in one language.
    private func blocks(_ language: String) throws -> [[String]] {
        let path = "Sources/claimsd/Documentation.docc/Fleet.md"
        let page = try Files.readText(Paths.join(Repository.root, path), cap: 1 << 18)
        return page.split(separator: "```\(language)\n").dropFirst().map { part in
            lines(part.prefix(upTo: part.firstRange(of: "```")?.lowerBound ?? part.endIndex))
        }
    }

    @Test(
        "each block of the manual stands in the example, line by line",
        arguments: [
            ("json5", "fleet.json5", 2), ("nginx", "nginx-leader.conf", 1), ("ini", "pgbouncer.ini", 1),
        ])
    func manual(language: String, name: String, count: Int) throws {
        let example = try lines(FleetExample.text(name))
        let blocks = try blocks(language)
        #expect(blocks.count == count)
        for block in blocks {
            var rest = example[...]
            for line in block {
                let index = try #require(rest.firstIndex(of: line), "\(name) has no '\(line)' where it is to be")
                rest = rest[(index + 1)...]
            }
        }
    }

    @Test("the manual names every example") func named() throws {
        let page = try Files.readText(
            Paths.join(Repository.root, "Sources/claimsd/Documentation.docc/Fleet.md"), cap: 1 << 18)
        let found = try Directory.list(Paths.join(Repository.data, "examples/fleet")).sorted()
        #expect(found == Self.names)
        for name in found { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    @Test("the example of fleet.json5 passes the check once it has keys, and names the keys before") func check() throws
    {
        let keys = try TemporaryFolder(prefix: "claims-fleet-keys")
        let example = try FleetExample.text("fleet.json5")
        var text = example
        for host in ["desk-a", "desk-b"] {
            try FleetHosts.openssl("genpkey", "-algorithm", "ed25519", "-out", keys(host))
            try FleetHosts.openssl("pkey", "-in", keys(host), "-pubout", "-out", keys("\(host).pub"))
            let key = try keys.read("\(host).pub").split(separator: "\n")[1]
            let before = "\(host).example/north/\", key: \""
            text = text.replacing("\(before)MCowBQYDK2VwAyEA…", with: before + key)
        }
        let site = "{ source: { url: \"https://api.example/\" } }"
        let daemon = try DaemonProcess(
            site: [
                "fleet.json5": text, "collections.d/packs.json5": site, "collections.d/claims.json5": site,
            ], environment: ["CLAIMSD_TEST_HOST": "desk-a"])
        for (name, text) in [("fleet-key", try keys.read("desk-a")), ("fleet-marks", "secret\n")] {
            try daemon.folder.write("config/credentials/\(name)", text)
            unsafe chmod(daemon.folder("config/credentials/\(name)"), 0o600)
        }
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 0, "\(daemon.log)")
        try daemon.configure("fleet.json5", example)
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 78)
        #expect(daemon.log.contains("leaders[0].key"), "\(daemon.log)")
    }
}
