// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// `claimsctl stdio`, against a real daemon.
@Suite struct StdioTests {
    @Test func `requests on standard input are answered on standard output, also those before its end`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let requests = (1...500).map { #"{"id":\#($0),"method":"ping"}"# + "\n" }.joined()
        let outcome = try ControlProgram.run(["stdio"], socket: daemon.socket, input: requests)
        #expect(outcome.code == 0 && outcome.error == "")
        let answers = outcome.output.split(separator: "\n")
        #expect(answers.count == 500)
        #expect(try answers.allSatisfy { try JSONValue.parse(String($0))["result"] != nil })
    }

    @Test func `it ends when the daemon goes away, although its input stays open`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let program = try RunningProgram(
            "claimsctl", ["stdio"], environment: BuiltProgram.environment(["CLAIMSD_SOCKET": daemon.socket]))
        try program.write("{\"id\":1,\"method\":\"ping\"}\n")
        #expect(try JSONValue.parse(program.readLine())["result"] != nil)
        daemon.kill()
        #expect(try program.hasEnded(within: LineClient.timeout))
    }

    @Test func `without a daemon it ends with 4`() throws {
        let outcome = try ControlProgram.run(["stdio"], socket: "/nowhere/claimsd.sock")
        #expect(outcome.code == 4 && outcome.output == "" && outcome.error.contains("/nowhere/claimsd.sock"))
    }
}
