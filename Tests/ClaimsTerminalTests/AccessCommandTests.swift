// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// The part that a user sees, as a table and as data; and the purpose that a line gives.
@Suite struct AccessCommandTests {
    private static let answer =
        #"{"user":"anna","uid":1000,"groups":[100,1000],"collections":["#
        + #"{"collection":"units","sees":"limited","rule":2,"rows":["region=north","region=south"],"fields":null,"#
        + #""masks":{},"may":["archive","update"]},"#
        + #"{"collection":"packs","sees":"none","rule":null,"rows":[],"fields":null,"masks":{},"may":[]}]}"#

    @Test func `access is a table on a terminal, and data elsewhere`() throws {
        let daemon = try ScriptedDaemon.answering(["access": Self.answer])
        let lines = Run(["access", "anna", "--color", "never"], daemon, terminal: 120).output.split(separator: "\n")
        try #require(lines.count == 4)
        #expect(lines[0] == "anna (1000), groups 100 1000")
        #expect(lines[1].split(separator: " ") == ["COLLECTION", "SEES", "RULE", "MAY", "ROWS"])
        #expect(
            lines[2].split(separator: " ")
                == ["units", "a", "part", "2", "archive", "update", "region=north", "or", "region=south"])
        #expect(lines[3].split(separator: " ") == ["packs", "nothing"])
        #expect(daemon.parameters(of: "access").last == #"{"user":"anna"}"#)
        let data = Run(["access"], daemon).output
        #expect(data.hasPrefix("collection\tsees\trule\tmay\trows\nunits\tlimited\t2\tarchive update\t"))
        #expect(Run(["access", "-o", "json"], daemon).output.contains(#""sees":"none""#))
    }

    @Test func `who sees nothing is told so, in both languages`() throws {
        let daemon = try ScriptedDaemon.answering([
            "access": #"{"user":null,"uid":7,"groups":[7],"collections":[]}"#
        ])
        #expect(
            Run(["access", "--lang", "en"], daemon, terminal: 80).output == "7, groups 7\nsees no collection\n")
        #expect(
            Run(["access", "--lang", "pl"], daemon, terminal: 80).output == "7, grupy 7\nnie widzi żadnej kolekcji\n")
    }

    @Test func `a purpose is told by option, or by variable, and a wrong one is a mistake in the line`() throws {
        let daemon = try ScriptedDaemon.answering(["access": Self.answer, "hello": "{}"])
        let environment = ["CLAIMSCTL_PURPOSE": "by habit"]
        #expect(Run(["access", "--purpose", "audit", "--lang", "en"], daemon, environment: environment).code == .done)
        #expect(Run(["access", "--lang", "en"], daemon, environment: environment).code == .done)
        let told = daemon.parameters(of: "hello")
        try #require(told.count == 2)
        #expect(told[0].contains(#""purpose":"audit""#))
        #expect(told[1].contains(#""purpose":"by habit""#))
        for arguments in [["access", "--purpose", ""], ["access", "--purpose", "a\nb"]] {
            #expect(Run(arguments, daemon).code == .usage)
        }
        let wrong = Run(["access"], daemon, environment: ["CLAIMSCTL_PURPOSE": String(repeating: "x", count: 129)])
        #expect(wrong.code == .usage)
        #expect(wrong.errors.contains("CLAIMSCTL_PURPOSE"))
    }
}
