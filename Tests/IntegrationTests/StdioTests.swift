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

    @Test(arguments: ["| cat >out", ">out"])
    func `answers of many megabytes pass while requests go on, to a pipe and to a file`(_ end: String) throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let folder = try TemporaryFolder()
        let program = try BuiltProgram.path("claimsctl")
        let script =
            #"cd \#(folder.path); yes '{"id":1,"method":"describe"}' | head -n 400 | \#(program) stdio \#(end)"#
        let outcome = try ControlProgram.run("/bin/sh", ["-c", script], environment: ["CLAIMSD_SOCKET": daemon.socket])
        #expect(outcome.code == 0, "\(outcome.error)")
        let answers = try folder.read("out").split(separator: "\n")
        #expect(answers.count == 400 && Set(answers).count == 1)
        #expect(try JSONValue.parse(String(answers[0]))["result"] != nil)
    }

    @Test func `it ends when nobody reads its answers any more, although its input stays open`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let requests = try FileDescriptor.pipe()
        let answers = try FileDescriptor.pipe()
        let program = try ChildProcess(
            BuiltProgram.path("claimsctl"), ["stdio", "--socket", daemon.socket],
            environment: BuiltProgram.environment(), input: requests.reading.raw, output: answers.writing.raw)
        let input = requests.keepWriting()
        let output = answers.keepReading()
        try input.write(Array("{\"id\":1,\"method\":\"ping\"}\n".utf8))
        var byte: [UInt8] = [0]
        #expect(try output.read(into: &byte) == 1)
        _ = consume output
        #expect(try program.hasEnded(within: LineClient.timeout))
        #expect(try input.wait(for: .write, timeout: .zero))
    }
}
