// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `claimsctl define` and `claimsctl try FILE`, which need no daemon.
@Suite struct DefineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // Both verbs run as nobody where root runs them.
        try Files.setPermissions(folder.path, 0o755)
    }

    private func control(_ arguments: [String], input: String = "") throws -> ControlProgram.Outcome {
        try ControlProgram.run(arguments, socket: "/nonexistent", input: input)
    }

    /// Checks a draft as `--check-config` does.
    private func check(_ draft: String) throws -> ControlProgram.Outcome {
        try folder.write("data/collections.d/units.json5", draft)
        for path in ["data", "data/collections.d", "config", "config/collections.d"] {
            try Directory.create(folder(path))
            try Files.setPermissions(folder(path), 0o755)
        }
        return try ControlProgram.run(
            "claimsd",
            [
                "--check-config", "--data-dir", folder("data"), "--config-dir", folder("config"),
                "--state-dir", folder("state"),
            ])
    }

    @Test
    func `a draft of a file, an address and standard input passes the check, and is the same but for the address`()
        throws
    {
        let upstream = try UpstreamProcess(["units.json": Site.units])
        try folder.write("units.json", Site.units)
        let drafts = try [
            control(["define", folder("units.json")]), control(["define", "-", "--name", "units"], input: Site.units),
            control(["define", upstream.url("units.json"), "--lang", "pl"]),
        ]
        for draft in drafts {
            #expect(draft.code == 0, "\(draft.error)")
            let outcome = try check(draft.output)
            #expect(outcome.code == 0, "\(outcome.error)")
        }
        #expect(drafts[0].output == drafts[1].output)
        let url = "        url: \"\(upstream.url("units.json"))\","
        let lines = drafts.map { Set($0.output.split(separator: "\n").map(String.init)) }
        #expect(lines[2].subtracting(lines[0]) == [url])
    }

    @Test func `what nothing can be drafted from is 8, what cannot be fetched is 11, and a bad name is 2`() throws {
        let upstream = try UpstreamProcess()
        let same = #"[{"a":true},{"a":false}]"#
        let outcomes = try [
            control(["define", "-"], input: "<html>"), control(["define", "-", "--lang", "pl"], input: same),
            control(["define", "-", "--root", "/none"], input: "[]"),
            control(["define", upstream.url("none.json")]), control(["define", "-", "--name", "Units"], input: same),
            control(["define", "-", "--root", "none"], input: same), control(["define"]),
            control(["define", folder("none.json")]),
        ]
        #expect(outcomes.map(\.code) == [8, 8, 8, 11, 2, 2, 2, 1])
        #expect(outcomes.allSatisfy { $0.output.isEmpty && !$0.error.isEmpty })
        #expect(outcomes[1].error.contains("identyfikatorem"))
        #expect(outcomes[3].error.contains("404"))
    }

    @Test func `a name or singular that is shipped is told, and the draft is for another one`() throws {
        let variables = ["CLAIMSD_DATA_DIR": Repository.data]
        for name in ["unit", "units"] {
            let outcome = try ControlProgram.run(
                ["define", "-", "--name", name], environment: variables, input: Site.units)
            #expect(outcome.code == 0 && outcome.output.contains("singular: \"unit_2\""), "\(outcome)")
            #expect(outcome.error.contains("so the draft is for '\(name)_2'"), "\(outcome.error)")
        }
        let polish = try ControlProgram.run(
            ["define", "-", "--name", "unit", "--lang", "pl"], environment: variables, input: Site.units)
        #expect(polish.error.contains("więc szkic jest dla kolekcji „unit_2”"), "\(polish.error)")
    }

    @Test func `a key in the address is neither in the draft nor told`() throws {
        let upstream = try UpstreamProcess(["units.json": Site.units])
        let outcome = try control(["define", upstream.url("units.json") + "?api_key=hunter2"])
        #expect(outcome.code == 0 && !outcome.output.contains("hunter2"), "\(outcome)")
        #expect(try upstream.requests("units.json").last?.query == "api_key=hunter2")
        #expect(try check(outcome.output).code == 0)
        let failed = try control(["define", upstream.url("none.json") + "?api_key=hunter2"])
        #expect(failed.code == 11 && !failed.error.contains("hunter2"))
    }

    @Test func `a file is tried without a daemon, with its credentials, and no secret is told`() throws {
        let upstream = try UpstreamProcess([
            "units.json": Site.units.replacing("Pump north", with: "Pump hunter2hunter2")
        ])
        let draft = try control(["define", upstream.url("units.json")]).output
        let line = "        credential: \"erp\",\n        interval:"
        try folder.write("units.json5", draft.replacing("        interval:", with: line))
        try folder.write("secret", "hunter2hunter2\n")
        let arguments = ["try", folder("units.json5"), "--credential", "erp=\(folder("secret"))"]
        let outcome = try control(arguments + ["-o", "json"])
        #expect(outcome.code == 0, "\(outcome.error)")
        let result = try JSONValue.parse(outcome.output)
        #expect(result["outcome"]?.string == "would_update")
        #expect(result.at("counts", "added")?.integer == 7)
        #expect(try upstream.requests("units.json").last?.headers["authorization"] == "Bearer hunter2hunter2")
        let people = try control(arguments + ["-o", "table"])
        #expect(people.output.contains("7 records: 7 added"))
        for text in [outcome.output, people.output] {
            #expect(!text.contains("hunter2") && text.contains("Pump ***"))
        }
        let without = try control(["try", folder("units.json5"), "-o", "json"])
        #expect(without.code == 11)
        #expect(try JSONValue.parse(without.output).at("error", "kind")?.string == "credential")
    }

    @Test(arguments: [
        "credential: 'erp'", "auth: { basic: { user: 'plant', password: 'erp' } }",
        "auth: { key: { secret: 'erp', header: 'X-Key', prefix: 'Key ' } }",
        "auth: { key: { secret: 'erp', parameter: 'code' } }", "headers: { 'X-Api-Key': 'hunter2+hunter2' }",
        "query: { api_key: 'hunter2+hunter2' }",
    ])
    func `no kind of secret is told, neither in records nor with a refusal`(_ kind: String) throws {
        // As it is, in the form of JSON, in base64 with its user, and percent-encoded.
        let echo = "hunter2+hunter2 cGxhbnQ6aHVudGVyMitodW50ZXIy hunter2%2Bhunter2 hunter2%2bhunter2"
        let upstream = try UpstreamProcess(["units.json": Site.units.replacing("Pump north", with: echo)])
        let definition = "{ source: { url: '\(upstream.url("units.json"))', \(kind) }, fields: { id: { type: 'id', "
        try folder.write("units.json5", definition + "from: ['/id'] }, name: { type: 'text', from: ['/name'] } } }")
        try folder.write("secret", "hunter2+hunter2\n")
        let arguments = ["try", folder("units.json5"), "--credential", "erp=\(folder("secret"))", "-o", "json"]
        let good = try control(arguments)
        #expect(good.code == 0 && good.output.contains("***"), "\(good.output)\(good.error)")
        try upstream.misbehave("units.json", #"{"fault":"status","status":403,"body":"\#(echo)"}"#)
        let refused = try control(arguments)
        #expect(refused.code == 11 && refused.output.contains("***"), "\(refused.output)\(refused.error)")
        for outcome in [good, refused] {
            let hasBase64 = kind.contains("basic") && outcome.output.contains("cGxhbnQ6")
            #expect(!outcome.output.contains("hunter2") && !hasBase64, "\(outcome.output)")
        }
    }

    @Test func `a file with mistakes is 8, and names each with its line`() throws {
        try folder.write("units.json5", "{\n  fields: { id: { type: 'id', from: ['/id'] } },\n  sorce: {},\n}")
        let outcome = try control(["try", folder("units.json5"), "-o", "table"])
        #expect(outcome.code == 8)
        #expect(outcome.output.contains("\(folder("units.json5")):3:"), "\(outcome.output)")
        // Rows for a pipe have no room for reasons.
        let piped = try control(["try", folder("units.json5")])
        #expect(piped.code == 8 && piped.error.contains("\(folder("units.json5")):3:"), "\(piped.error)")
    }
}
