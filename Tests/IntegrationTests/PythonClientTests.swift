// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Testing

/// The client for Python, by the tests in `Tests/Python`.
@Suite struct PythonClientTests {
    private func python(_ file: String, socket: String = "/dev/null") throws -> ControlProgram.Outcome {
        try ControlProgram.run(
            "/usr/bin/python3", [Paths.join(Repository.root, "Tests/Python/\(file)")],
            environment: [
                "CLAIMSD_SOCKET": socket, "PYTHONPATH": Paths.join(Repository.root, "Sources/python"),
                "PYTHONDONTWRITEBYTECODE": "1",
            ])
    }

    @Test func `it has each method that the daemon describes, with the same types and defaults`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let outcome = try python("description_test.py", socket: daemon.socket)
        #expect(outcome.code == 0, "\(outcome.error)")
    }

    @Test func `it keeps its promises about ends, noise, numbers and watches`() throws {
        let outcome = try python("client_test.py")
        #expect(outcome.code == 0, "\(outcome.error)")
    }

    @Test func `a watch holds what the daemon answers, over kill -9 and restarts`() throws {
        let site = try Site(["units": Site.units])
        let watcher = try RunningProgram(
            "/usr/bin/python3", [Paths.join(Repository.root, "Tests/Python/mirror.py"), "units"],
            environment: BuiltProgram.environment([
                "CLAIMSD_SOCKET": site.daemon.socket, "PYTHONPATH": Paths.join(Repository.root, "Sources/python"),
                "PYTHONDONTWRITEBYTECODE": "1",
            ]))
        #expect(try watcher.readLine() == "1 2 3 4 5 6 10")
        try site.serve("units", #"[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"7"}]"#, #","accept":true"#)
        #expect(try watcher.readLine() == "1 2 3 4 7")
        site.daemon.kill()
        try site.daemon.start()
        try site.serve("units", #"[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"9"}]"#, #","accept":true"#)
        #expect(try watcher.readLine() == "1 2 3 9")
    }

    @Test func `it asks the same methods once more as claimsctl`() throws {
        let outcome = try ControlProgram.run(
            "/usr/bin/python3", ["-c", "import claimsd; print(*sorted(claimsd.READING))"],
            environment: [
                "PYTHONPATH": Paths.join(Repository.root, "Sources/python"), "PYTHONDONTWRITEBYTECODE": "1",
            ])
        // A subscription is asked for anew by `watch`, and belongs to its connection.
        let own: [ClaimsProtocol.Method] = [.subscribe, .unsubscribe]
        let reading = ClaimsProtocol.Method.allCases.filter { !$0.hasEffect && !own.contains($0) }
        #expect(outcome.output == reading.map(\.name).sorted().joined(separator: " ") + "\n", "\(outcome.error)")
    }
}
