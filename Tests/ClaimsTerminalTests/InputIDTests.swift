// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// Ids from standard input, and filters where ids are expected.
struct InputIDTests {
    private static let changed = #"{"changed":["1"],"unchanged":[],"missing":[],"clock":"1.5"}"#

    @Test(arguments: ["archive", "unarchive"])
    func `a hyphen reads ids, one a line to its newline, and ignores blank lines`(_ verb: String) throws {
        let daemon = try ScriptedDaemon.answering([verb: Self.changed])
        let run = Run([verb, "--pack", "7", "-"], daemon, input: "\n12\r\n \n a b \n13")
        #expect(run.code == .done, "\(run.errors)")
        #expect(daemon.parameters(of: verb) == [#"{"collection":"pack","ids":["7","12\r"," a b ","13"]}"#])
        _ = Run([verb, "-"], daemon, input: "packs/1\nunits/2\n")
        #expect(
            daemon.parameters(of: verb).suffix(2) == [
                #"{"collection":"packs","ids":["1"]}"#, #"{"collection":"units","ids":["2"]}"#,
            ])
    }

    @Test func `detail reads ids too, and its JSON is then always a list`() throws {
        let daemon = try ScriptedDaemon.answering(["detail": #"{"record":{"id":"7"},"meta":\#(Example.meta("units"))}"#]
        )
        let one = try JSONValue.parse(Run(["detail", "--unit", "-", "-o", "json"], daemon, input: "7\n").output)
        #expect(one["results"]?.array?.count == 1)
        #expect(Run(["detail", "--unit", "-", "-o", "name"], daemon, input: "7\n8\n").output == "7\n7\n")
    }

    @Test(arguments: ["archive", "unarchive", "detail"])
    func `standard input without ids, or that is a terminal, is a mistake`(_ verb: String) throws {
        let daemon = try ScriptedDaemon.answering([:])
        for input in ["", "\n\n", "  \r\n"] {
            let run = Run([verb, "--pack", "-"], daemon, input: input)
            #expect(run.code == .usage)
            #expect(run.errors.contains("standard input has no ids"))
        }
        let terminal = Run([verb, "--pack", "-"], daemon)
        #expect(terminal.code == .usage)
        #expect(terminal.errors.contains("that is a terminal"))
        #expect(terminal.errors.contains("| claimsctl \(verb) --pack -"))
        #expect(Run([verb, "--pack", "-", "-"], daemon, input: "1\n").code == .usage)
        #expect(daemon.requests.isEmpty)
    }

    @Test func `more ids than the bound are refused before any is sent`() throws {
        let daemon = try ScriptedDaemon.answering(["archive": Self.changed])
        let many = String(repeating: "1\n", count: RecordReference.maxInputIDs + 1)
        let run = Run(["archive", "--pack", "-"], daemon, input: many)
        #expect(run.code == .usage)
        #expect(run.errors.contains("more than \(RecordReference.maxInputIDs) ids"))
        #expect(daemon.requests.isEmpty)
    }

    @Test func `no request has more ids than the daemon takes`() {
        let references = (0..<(ArchiveParameters.maxIDs * 2 + 1)).map { _ in RecordReference(collection: "c", id: "1") }
        let sizes = RecordReference.batches(references).map(\.ids.count)
        #expect(sizes == [ArchiveParameters.maxIDs, ArchiveParameters.maxIDs, 1])
    }

    @Test func `the program itself reads its standard input`() throws {
        let daemon = try ScriptedDaemon.answering(["archive": Self.changed])
        let outcome = try ControlProgram.run(["archive", "--pack", "-"], socket: daemon.path, input: "12\n13\n")
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(daemon.parameters(of: "archive") == [#"{"collection":"pack","ids":["12","13"]}"#])
    }

    @Test func `a filter where ids are expected hints at --filter`() throws {
        let result = #"{"changed":[],"unchanged":[],"missing":["state=retired"],"clock":"1.5"}"#
        let daemon = try ScriptedDaemon.answering(["archive": result])
        let run = Run(["archive", "--unit", "state=retired"], daemon)
        #expect(run.code == .notFound)
        #expect(run.errors.contains("claimsctl archive --unit --filter state=retired --dry-run"))
        let spaced = try ScriptedDaemon.answering([
            "archive": #"{"changed":[],"unchanged":[],"missing":["name~sea water"],"clock":"1.5"}"#
        ])
        #expect(
            Run(["archive", "--unit", "name~sea water"], spaced).errors
                .contains(#"claimsctl archive --unit --filter 'name~"sea water"' --dry-run"#))
        let refusing = try ScriptedDaemon { request in
            request.method == "describe"
                ? .lines([request.result(#"{"collections":[]}"#)])
                : .lines([request.error("not_found", "no unit has this id")])
        }
        let detail = Run(["detail", "--collection", "units", "name~sea water"], refusing)
        #expect(detail.code == .notFound)
        #expect(detail.errors.contains("claimsctl search --collection units 'name~sea water'"))
        #expect(!Run(["detail", "--unit", "YWJj=="], refusing).errors.contains("--filter"))
    }
}
