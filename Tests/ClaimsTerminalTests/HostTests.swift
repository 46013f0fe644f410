// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// `-H`, with programs in the place of ssh.
@Suite struct HostTests {
    private func run(_ arguments: [String], _ program: ShellProgram, environment: [String: String] = [:]) -> Run {
        Run(arguments, environment: environment.merging(["CLAIMSCTL_SSH": program.path]) { one, _ in one })
    }

    @Test(arguments: [["-H", "depot"], ["-Hdepot"], ["-H=depot"], ["--host", "depot"], ["--host=depot"]])
    func `the host may be written like the value of any option`(_ option: [String]) throws {
        let program = try ShellProgram(#"read line; echo '{"id":1,"result":{"total":3,"meta":{}}}'"#)
        let result = run(option + ["count", "--unit"], program)
        #expect(result.code == .done && result.output == "3\n", "\(result.output)\(result.errors)")
    }

    @Test func `a bad host, a second daemon and a verb that asks none are mistakes of usage`() throws {
        let program = try ShellProgram("exit 0")
        #expect(run(["-H", "-oX", "status"], program).code == .usage)
        #expect(run(["-H", "", "status"], program).code == .usage)
        #expect(run(["-H", "depot:0", "status"], program).errors.contains("-H 'depot:0' is no host"))
        #expect(run(["-H", "depot", "--socket", "/s", "status"], program).code == .usage)
        for verb in [["stdio"], ["help"], ["completion", "bash"]] {
            let result = run(["-H", "depot"] + verb, program)
            #expect(result.code == .usage && result.errors.contains("'\(verb[0])' has no option --host"))
        }
    }

    @Test(arguments: [
        (255, "depot cannot be reached"), (127, "there is no claimsctl on depot"),
        (4, "the daemon on depot cannot be reached"), (1, "exit code 1"),
    ])
    func `an end before an answer is 4, and says where it went wrong`(_ code: Int, _ words: String) throws {
        let program = try ShellProgram("echo 'ssh: so it is' >&2; exit \(code)")
        let result = run(["-H", "depot", "status", "-o", "json"], program)
        #expect(result.code == .unreachable && result.output.isEmpty)
        let message = try #require(try JSONValue.parse(result.errors)["error"]?["message"]?.string)
        #expect(message.contains(words) && message.contains("(ssh: so it is)"), "\(message)")
    }

    @Test func `a program that is not there is 4`() {
        let result = Run(["-H", "depot", "status"], environment: ["CLAIMSCTL_SSH": "/nonexistent/ssh"])
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("/nonexistent/ssh, which reaches depot, cannot be started"))
    }

    @Test(arguments: [["status"], ["raw", #"{"id":1,"method":"ping"}"#], ["watch", "--unit"], ["refresh"]])
    func `a line of a login script is 4, and is shown`(_ line: [String]) throws {
        let result = run(["-H", "depot"] + line, try ShellProgram("echo 'Welcome to depot!'; cat >/dev/null"))
        #expect(result.code == .unreachable)
        #expect(result.errors.contains("depot sent a line that is no answer: 'Welcome to depot!'"), "\(result.errors)")
    }

    @Test func `watch waits for a host that goes away, without the words of each attempt`() throws {
        let folder = try TemporaryFolder()
        // The first connection has a subscription, the second finds no way, the third has the end.
        let program = try ShellProgram(
            """
            echo x >>\(folder("log")); read line; n=$(wc -l <\(folder("log")))
            [ "$n" = 2 ] && exit 255
            echo '{"id":1,"result":{"subscription":1,"clock":"e.1-a","meta":\(Example.meta("units"))}}'
            [ "$n" = 1 ] && exit 255
            echo '{"method":"event","params":{"subscription":1,"type":"ended","error":{"code":1,"message":"over"}}}'
            """)
        let result = run(["-H", "depot", "watch", "--unit"], program)
        #expect(result.errors.contains("the daemon has gone away; waiting for it"), "\(result.errors)")
        #expect(result.errors.contains("the daemon is back") && result.errors.contains("over"), "\(result.errors)")
        #expect(try folder.read("log") == "x\nx\nx\n")
    }

    @Test func `silence of another host is the end of its connection`() throws {
        let program = try ShellProgram(
            #"read line; echo '{"id":1,"result":{"subscription":1,"clock":"e.1-a"}}'; cat >/dev/null"#)
        let connection = try FeedConnection(
            ClientConnection(.host(program.host())), reader: nil, maxSilence: .milliseconds(20))
        _ = try connection.answer(to: connection.request(.subscribe, SubscribeParameters()))
        let error = #expect(throws: CommandError.self) { try connection.next() }
        #expect(error?.isPassing == true)
    }

    @Test func `completion asks the host that the line names, and asks for no password`() throws {
        let program = try ShellProgram(
            #"""
            case "$*" in "-xT -oBatchMode=yes -- depot claimsctl stdio") ;; *) exit 1 ;; esac
            read line; echo '{"id":1,"result":{"collections":[{"name":"books"}]}}'
            """#)
        for option in [["-H", "depot"], ["-Hdepot"], ["--host=depot"]] {
            // It says nothing where its time is over, which a loaded machine may need all of.
            let words = ["__complete", "--"] + option + ["count", "--collection", "b"]
            let found = (1...20).lazy.map { _ in run(words, program).output }.first { !$0.isEmpty }
            #expect(found == "books\n")
        }
        #expect(run(["__complete", "--", "-H", "depot", "cou"], program).output == "count\n")
    }
}
