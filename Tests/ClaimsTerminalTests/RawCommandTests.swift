// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

struct RawCommandTests {
    @Test func `raw passes lines and answers through and ends with the first error's code`() throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "bad" ? .lines([request.error("unknown_method", "no")]) : .lines([request.result("{ }")])
        }
        let good = Run(["raw", #"{"id" : 1, "method":"ping"}"#, #"{"id":"x","method":"ping"}"#], daemon)
        #expect(
            good.output == #"{"jsonrpc":"2.0","id":1,"result":{ }}"# + "\n"
                + #"{"jsonrpc":"2.0","id":"x","result":{ }}"# + "\n")
        #expect(good.code == .done)
        #expect(daemon.requests[0].line == #"{"id" : 1, "method":"ping"}"#)
        #expect(Run(["raw", #"{"id":1,"method":"bad"}"#], daemon).code == .failure)
        #expect(Run(["raw"], daemon).code == .usage)
    }

    @Test func `raw reads lines from standard input, and the last one may have no end`() throws {
        let daemon = try ScriptedDaemon { .lines([$0.result("{}")]) }
        let lines = [#"{"id":1,"method":"ping"}"#, #"{"id":2,"method":"ping"}"#]
        let run = try ControlProgram.run(
            ["raw", "-"], socket: daemon.path, input: lines.joined(separator: "\r\n \n"))
        #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        #expect(daemon.requests.map(\.line) == lines)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            #"{"method":"progress","params":{"request":99}}"#, #"{"id":4711,"result":{}}"#, #"{"id":"1","result":{}}"#,
            "",
        ])
    func `raw ends at its timeout, whatever comes that is no answer to its lines`(line: String) throws {
        let daemon = try ScriptedDaemon { _ in .endless([line]) }
        let request = #"{"id":1,"method":"ping"}"#
        let run = Run(["raw", request, "--timeout", "100ms"], daemon)
        #expect(run.code == .timeout && run.errors.contains("no answer within 100ms"), "\(run.errors)")
        let piped = try ControlProgram.run(["raw", "-", "--timeout", "100ms"], socket: daemon.path, input: request)
        #expect(piped.code == ExitCode.timeout.rawValue, "\(piped.error)")
    }

    @Test func `raw takes an answer without an id for one to its line`() throws {
        let daemon = try ScriptedDaemon { _ in
            .lines([#"{"id":5,"result":{}}"#, #"{"id":null,"error":{"data":{"kind":"parse_error"}}}"#])
        }
        #expect(Run(["raw", #"{"id":1,"method":"ping"}"#], daemon).code == ExitCode(kind: "parse_error"))
    }

    @Test func `raw refuses a line that no daemon would take`() throws {
        let daemon = try ScriptedDaemon { .lines([$0.result("{}")]) }
        let run = try ControlProgram.run(
            ["raw", "-"], socket: daemon.path, input: String(repeating: "1", count: 64 << 20 | 1))
        #expect(run.code == ExitCode.usage.rawValue && run.output.isEmpty)
        #expect(run.error.contains("a line of standard input is longer than 64 MiB"), "\(run.error)")
    }
}
