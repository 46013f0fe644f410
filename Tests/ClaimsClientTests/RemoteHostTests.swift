// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Glibc
import Testing

/// Other hosts, with programs in the place of ssh.
@Suite struct RemoteHostTests {
    @Test func `each host of the table that the Python client shares is read as it says`() throws {
        let text = try Files.readText(Paths.join(Repository.root, "Tests/Python/hosts.json"), cap: 1 << 16)
        let table = try #require(try JSONValue.parse(text).array)
        #expect(table.count > 40)
        for entry in table {
            let host = try #require(entry["host"]?.string)
            let expected = entry["arguments"]?.array?.compactMap(\.string)
            let whole = expected.map { ["-xT"] + $0 + ["claimsctl", "stdio"] }
            #expect(RemoteHost(host)?.arguments == whole, "\(host.debugDescription)")
        }
    }

    @Test func `a host with a port and a user is asked through the program with these arguments`() throws {
        let program = try ShellProgram(#"read line; echo "{\"id\":1,\"result\":{\"words\":\"$*\"}}""#)
        let connection = try ClientConnection(.host(program.host("anna@depot:2222")))
        let answer = try connection.call(.ping, PingParameters())
        #expect(answer["words"]?.string == "-xT -p 2222 -- anna@depot claimsctl stdio")
    }

    @Test func `a program that fails before an answer says why`() throws {
        let program = try ShellProgram("echo 'no route' >&2; exit 255")
        let failure = try failure(of: program, keepsWords: true)
        #expect(failure.words == "no route\n" && failure.host == "depot")
        guard case .ended(.exited(255)) = failure.cause else {
            Issue.record("\(failure.cause)")
            return
        }
    }

    @Test func `words without end neither hold the program up nor fill memory`() throws {
        let program = try ShellProgram("yes 'no route' 2>/dev/null | head -c 2000000 >&2 2>/dev/null; exit 255")
        let words = try #require(try failure(of: program, keepsWords: true).words)
        #expect(words.utf8.count == 1 << 14 && words.hasPrefix("no route\nno route\n"))
    }

    @Test func `a program that is not there is named`() throws {
        var host = try #require(RemoteHost("depot"))
        host.program = "/nonexistent/ssh"
        let error = #expect(throws: ClientError.self) { try ClientConnection(.host(host)) }
        guard case .hostFailed(let failure)? = error, case .notStarted("/nonexistent/ssh", _) = failure.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["Welcome to depot!", "7", "[]", #"Welcome{"id":1,"result":{}}"#])
    func `a line that is no JSON object is shown`(_ line: String) throws {
        let failure = try failure(of: ShellProgram("echo '\(line)'; cat"))
        guard case .noise(line) = failure.cause else {
            Issue.record("\(failure.cause)")
            return
        }
    }

    @Test func `nothing that changes anything is sent before the host has answered`() throws {
        let folder = try TemporaryFolder()
        let log = Paths.join(folder.path, "log")
        let program = try ShellProgram(
            #"read line; echo "$line" >\#(log); echo '{"id":0,"result":{}}'; read line; echo "$line" >>\#(log)"#)
        let connection = try ClientConnection(.host(program.host()))
        let error = #expect(throws: ClientError.self) { try connection.call(.forget, ForgetParameters()) }
        guard case .closed(mayBeDone: true)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let methods = try Files.readText(log, cap: 1 << 16).split(separator: "\n").map {
            try JSONValue.parse(String($0))["method"]?.string
        }
        #expect(methods == ["ping", "forget"])
        let failure = try failure(of: ShellProgram("exit 255"), .forget, ForgetParameters())
        guard case .ended = failure.cause else {
            Issue.record("\(failure.cause)")
            return
        }
    }

    @Test func `the program ends with the connection, also where it waits for something else`() throws {
        for script in ["echo $$; exec cat >/dev/null", "trap '' TERM; echo $$; exec sleep 1000"] {
            let program = try ShellProgram(script)
            let connection = try ClientConnection(.host(program.host()))
            let pid = try #require(Int32(String(decoding: connection.line() ?? [], as: UTF8.self)))
            #expect(kill(pid, 0) == 0)
            _ = consume connection
            #expect(kill(pid, 0) != 0 && errno == ESRCH)
        }
    }

    /// The failure of a request to a host.
    ///
    /// - Parameter keepsWords: whether what the program says is kept.
    private func failure<Parameters: MethodParameters>(
        of program: ShellProgram, keepsWords: Bool = false, _ method: ClaimsProtocol.Method, _ parameters: Parameters
    ) throws -> HostFailure {
        var host = try program.host()
        host.keepsWords = keepsWords
        let connection = try ClientConnection(.host(host))
        let error = #expect(throws: ClientError.self) { try connection.call(method, parameters) }
        guard case .hostFailed(let failure)? = error else { throw TestFailure("\(String(describing: error))") }
        return failure
    }

    private func failure(of program: ShellProgram, keepsWords: Bool = false) throws -> HostFailure {
        try failure(of: program, keepsWords: keepsWords, .ping, PingParameters())
    }
}
