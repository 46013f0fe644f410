// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `claimsctl -H` and the Python client's `host`, through ssh and a real sshd.
@Suite struct OtherHostTests {
    private func ask(
        _ arguments: [String], _ host: SSHHost, program: String? = nil, socket: String = "/nonexistent/here"
    ) throws -> ControlProgram.Outcome {
        try ControlProgram.run(
            ["-H", "depot"] + arguments, socket: socket, environment: ["CLAIMSCTL_SSH": program ?? host.program])
    }

    /// Runs lines of Python with the client in reach.
    private func python(_ lines: String, _ host: SSHHost) throws -> ControlProgram.Outcome {
        try ControlProgram.run(
            "/usr/bin/python3", ["-c", lines],
            environment: [
                "PYTHONPATH": Paths.join(Repository.root, "Sources/python"), "PYTHONDONTWRITEBYTECODE": "1",
                "CLAIMSCTL_SSH": host.program,
            ])
    }

    @Test func `another host answers as this one does, whatever banner it shows`() throws {
        let site = try Site(["units": Site.units])
        let host = try SSHHost(socket: site.daemon.socket)
        for line in [
            ["search", "--unit", "-o", "jsonl"], ["count", "--unit", "status=ok"], ["detail", "--unit", "10"],
        ] {
            let here = try ControlProgram.run(line, socket: site.daemon.socket)
            let there = try ask(line, host)
            #expect(here.code == 0 && there.code == 0, "\(there.error)")
            #expect(here.output == there.output)
            #expect(there.error.contains("Authorised use of depot only!") == !line.contains("jsonl"))
        }
        let direct = try ControlProgram.run(
            ["-H", "\(SSHHost.user)@127.0.0.1:\(host.port)", "count", "--unit"],
            environment: ["CLAIMSCTL_SSH": host.program])
        #expect(direct.output == "7\n", "\(direct.error)")
    }

    @Test func `a key with a forced command asks the daemon and does nothing else`() throws {
        let site = try Site(["units": Site.units])
        let host = try SSHHost(socket: site.daemon.socket, options: #"command="claimsctl stdio",restrict"#)
        #expect(try ask(["count", "--unit"], host).output == "7\n")
        let other = try ControlProgram.run(
            host.program, ["depot", "cat", "/etc/passwd"], input: #"{"id":1,"method":"ping"}"# + "\n")
        #expect(try JSONValue.parse(other.output)["result"] != nil, "\(other.output)\(other.error)")
        let outcome = try python("import claimsd; print(claimsd.Client(host='depot').count('units')['total'])", host)
        #expect(outcome.output == "7\n", "\(outcome.error)")
    }

    @Test func `a key that the host does not know is 4, in ssh's own words`() throws {
        let host = try SSHHost(socket: "/nonexistent/socket")
        let outcome = try ask(["status"], host, program: host.strangersProgram)
        #expect(outcome.code == 4 && outcome.error.contains("Permission denied"), "\(outcome.error)")
        #expect(outcome.error.contains("claimsctl: depot cannot be reached: ssh failed"))
        let json = try ask(["status", "-o", "json"], host, program: host.strangersProgram)
        let error = try JSONValue.parse(json.error)["error"]
        #expect(json.code == 4 && error?["message"]?.string?.contains("Permission denied") == true, "\(json.error)")
    }

    @Test func `a host that refuses connections is 4, in ssh's own words`() throws {
        let host = try SSHHost(socket: "/nonexistent/socket")
        host.stop()
        let outcome = try ask(["status"], host)
        #expect(outcome.code == 4 && outcome.error.contains("Connection refused"), "\(outcome.error)")
        let client = try python("import claimsd; claimsd.Client(host='depot').ping()", host)
        #expect(client.error.contains("claimsd.Unreachable: depot: ssh failed (exit 255): "), "\(client.error)")
        #expect(client.error.contains("Connection refused"))
    }

    @Test func `a host without claimsctl is 4, and says so`() throws {
        let host = try SSHHost(socket: "/nonexistent/socket", hasClient: false)
        let outcome = try ask(["status"], host)
        #expect(outcome.code == 4 && outcome.error.contains("there is no claimsctl on depot"), "\(outcome.error)")
        let client = try python("import claimsd; claimsd.Client(host='depot').ping()", host)
        #expect(client.error.contains("claimsd.Unreachable: depot: no claimsctl there"), "\(client.error)")
    }

    @Test func `a host without a daemon is 4, with the reason that claimsctl finds there`() throws {
        let host = try SSHHost(socket: "/nonexistent/there")
        let outcome = try ask(["status"], host)
        #expect(outcome.code == 4 && outcome.error.contains("cannot be reached at /nonexistent/there"))
        #expect(outcome.error.contains("claimsctl: the daemon on depot cannot be reached"), "\(outcome.error)")
        let client = try python("import claimsd; claimsd.Client(host='depot').ping()", host)
        #expect(client.error.contains("claimsd.Unreachable: depot: no daemon there"), "\(client.error)")
    }

    @Test func `a login script that prints is 4, with its line`() throws {
        let site = try Site(["units": Site.units])
        let host = try SSHHost(
            socket: site.daemon.socket, options: #"command="echo Welcome to depot; exec claimsctl stdio""#)
        let outcome = try ask(["status"], host)
        #expect(outcome.code == 4 && outcome.error.contains("'Welcome to depot'"), "\(outcome.error)")
        let client = try python("import claimsd; claimsd.Client(host='depot').ping()", host)
        #expect(client.error.contains("claimsd.Error: the daemon sent no JSON: b'Welcome to depot'"))
    }

    @Test func `watch goes on over a daemon that was killed there, and so does Python`() throws {
        let site = try Site(["units": Site.units])
        let host = try SSHHost(socket: site.daemon.socket)
        let environment = BuiltProgram.environment([
            "CLAIMSCTL_SSH": host.program, "PYTHONPATH": Paths.join(Repository.root, "Sources/python"),
            "PYTHONDONTWRITEBYTECODE": "1",
        ])
        let watcher = try RunningProgram(
            "claimsctl", ["-H", "depot", "watch", "--unit", "--initial", "--fields", "id", "-q"],
            environment: environment)
        let lines = """
            import asyncio, claimsd
            async def run():
                async with claimsd.AsyncClient(host='depot') as client:
                    async for event in client.watch('units', fields=['id'], initial=True):
                        for entry in event.added: print(entry['id'], flush=True)
            asyncio.run(run())
            """
        let reader = try RunningProgram("/usr/bin/python3", ["-c", lines], environment: environment)
        func nextID() throws -> String {
            while true {
                if let id = try JSONValue.parse(watcher.readLine())["id"]?.string { return id }
            }
        }
        for _ in 1...7 { _ = try (nextID(), reader.readLine()) }
        site.daemon.kill()
        try site.daemon.start()
        try site.serve("units", #"[{"id":"1"},{"id":"77"}]"#, #","accept":true"#)
        while try nextID() != "77" {}
        while try reader.readLine() != "77" {}
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal that ends claimsctl leaves no ssh behind, also one that still connects`(_ signal: Int32) throws {
        let folder = try TemporaryFolder()
        guard unsafe mkfifo(folder("alive"), 0o600) == 0 else { throw TestFailure("no pipe") }
        let connecting = try ShellProgram(#"read line; exec 9>\#(folder("alive")); echo >&9; exec sleep 1000"#)
        let program = try RunningProgram(
            "claimsctl", ["-H", "depot", "status"],
            environment: BuiltProgram.environment(["CLAIMSCTL_SSH": connecting.path]))
        // It has its request once the pipe is open, and has ended once the pipe is at its end.
        let pipe = try FileDescriptor.open(folder("alive"), .read)
        var byte: [UInt8] = [0]
        #expect(try pipe.read(into: &byte) == 1)
        program.signal(signal)
        #expect(try program.hasEnded(within: LineClient.timeout))
        #expect(try pipe.wait(for: .read, timeout: LineClient.timeout))
        #expect(try pipe.read(into: &byte) == 0)
    }

    @Test func `the path of the socket here is not passed to the other host`() throws {
        let program = try ShellProgram(
            #"while read line; do echo "{\"id\":1,\"result\":{\"path\":\"$CLAIMSD_SOCKET\"}}"; done"#)
        let outcome = try ControlProgram.run(
            ["-H", "depot", "raw", #"{"id":1,"method":"ping"}"#], socket: "/here",
            environment: ["CLAIMSCTL_SSH": program.path])
        #expect(outcome.output == #"{"id":1,"result":{"path":""}}"# + "\n", "\(outcome.error)")
    }
}
