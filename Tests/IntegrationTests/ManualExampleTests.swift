// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The command lines of help and manual, run by a shell as they are printed, on the shipped definitions.
@Suite struct ManualExampleTests {
    /// Parts of lines that need a terminal, another host, an upstream of their own, an operation that there is, or time.
    private static let notRun = [
        "claimsctl browse", "claimsctl watch", "claimsctl wait", "claimsctl stdio", "claimsctl open", " -H ",
        "https://", "--site", "0192f3a1", "--credential", "valves", "scanimage", "forget --collection", "--accept",
    ]
    /// The exit codes of lines about records that are not there, or cannot be written here.
    private static let otherCodes: [(part: String, code: Int32)] = [
        ("quarantine --unit get", 3), ("quarantine --unit drop", 3), ("edit --document 7", 3),
        ("resubmit --document 7", 3), ("share --document 7", 3), ("add --claim", 9), ("edit --claim", 9),
        ("delete --claim", 9), ("verify --claim", 9), ("check --unit --view attention", 1),
    ]

    private static func records(_ more: String) -> String {
        let ids = ["7", "8", "12", "13"]
        return "[" + ids.map { #"{"id":"\#($0)",\#(more)}"# }.joined(separator: ",") + "]"
    }

    @Test func `each line that can be run here is, and ends as it should`() throws {
        let site = try Site(
            [
                "units": Self.records(#""name":"Pump","status":"faulty","serialNumber":"P-1""#),
                "packs": Self.records(#""sender":"Nordlicht","status":"DELIVERED","shipmentType":"COURIER""#),
                "claims": Self.records(#""title":"Water damage","status":"pending","amount":"120.50""#),
            ], site: ["collections.d/documents.json5": #"{ writes: { to: "local" } }"#])
        let folder = try TemporaryFolder()
        for name in ["passport.jpg", "page-2.jpg", "scan.jpg"] {
            try folder.write(name, [0xFF, 0xD8, 0xFF, 0xE0] + Array(name.utf8))
        }
        try folder.write("claim.json", #"{"title":"Water damage","type":"medical","amount":"80.10"}"#)
        try folder.write("answer.json", Site.units)
        try Directory.create(folder(".zfunc"))
        try Directory.create(folder(".config/fish/completions"))
        let programs = Paths.parent(try BuiltProgram.path("claimsctl"))
        var ran = 0
        for line in try ManualExamples.lines() where !Self.notRun.contains(where: line.contains) {
            let input =
                line.contains("--attach -")
                ? "%PDF-1.7\n" : line.contains("define -") ? #"{"data":{"items":\#(Site.units)}}"# : "7\n"
            let outcome = try ControlProgram.run(
                "/bin/bash", ["-c", "cd \"$HOME\" && \(line)"],
                environment: [
                    "CLAIMSD_SOCKET": site.daemon.socket, "HOME": folder.path, "EDITOR": "true", "VISUAL": "true",
                    "CLAIMSD_DATA_DIR": Repository.data, "PATH": "\(programs):/usr/bin:/bin",
                ], input: input)
            #expect(outcome.code == Self.code(of: line), "\(line): \(outcome.error)")
            ran += 1
        }
        #expect(ran > 60)
        // The page about filters, whose terms fit one collection.
        let page = try ControlProgram.run(["help", "filters", "--lang", "en"]).output
        // Lines that go on are set in further.
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        let terms = lines.map { line in
            line.dropFirst(2).split(separator: "  ").first.map(String.init) ?? ""
        }
        #expect(terms.count == 12)
        for term in terms {
            let outcome = try ControlProgram.run(
                "/bin/bash", ["-c", "claimsctl count --claim \(term)"],
                environment: ["CLAIMSD_SOCKET": site.daemon.socket, "PATH": "\(programs):/usr/bin:/bin"])
            #expect(outcome.code == 0, "\(term): \(outcome.error)")
        }
    }

    @Test func `the lines for browse find a record and archive it`() throws {
        let line = try #require(ManualExamples.lines().first { $0.contains("| claimsctl browse --plain") })
        let pack = #"[{"id":"7","sender":"InPost","status":"DELIVERED","shipmentType":"COURIER"}]"#
        let site = try Site(["packs": pack])
        let programs = Paths.parent(try BuiltProgram.path("claimsctl"))
        let outcome = try ControlProgram.run(
            "/bin/bash", ["-c", line],
            environment: ["CLAIMSD_SOCKET": site.daemon.socket, "PATH": "\(programs):/usr/bin:/bin"])
        #expect(outcome.code == 0, "\(outcome.error)")
        let archived = try ControlProgram.run(
            ["count", "--pack", "--archived", "only"], socket: site.daemon.socket
        ).output
        #expect(archived == "1\n", "\(outcome.output)")
    }

    @Test func `each configuration file of the manual passes the check`() throws {
        let files = try ManualExamples.files()
        #expect(files.count > 12)
        for file in files {
            let daemon = try DaemonProcess(site: [file.name: file.text])
            try daemon.launch(["--check-config"])
            #expect(try daemon.waitForEnd().code == 0, "\(file.page), \(file.name): \(daemon.log)")
        }
    }

    private static func code(of line: String) -> Int32 {
        let asks = line.contains("claimsctl delete") || line.contains("claimsctl forget")
        // Without a terminal nobody can be asked.
        if asks, !line.contains("--yes"), !line.contains("--dry-run") { return 2 }
        return otherCodes.first { line.contains($0.part) }?.code ?? 0
    }
}
