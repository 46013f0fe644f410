// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `browse` as a person sees it: the real program over a real daemon, on a terminal that takes nothing but what all
/// terminals share.
@Suite struct BrowseScreenTests {
    private static let units = """
        [{"id":"1","name":"Pump north","status":"OK","serialNumber":"PN-1"},
         {"id":"2","name":"Zażółć gęślą jaźń","status":"FAULTY","serialNumber":"Z-2"},
         {"id":"3","name":"\\u001b[31mEvil\\u202e\\u200b 👩‍🚒 日本語","status":"OK","serialNumber":"E-3"},
         {"id":"4","name":"e\(String(repeating: "\u{301}", count: 400))nd","status":"OK","serialNumber":"M-4"}]
        """

    private func started(
        _ site: Site, environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal()
        try terminal.start(
            "claimsctl", ["browse", "--unit"],
            environment: environment.merging(["CLAIMSD_SOCKET": site.daemon.socket]) { $1 })
        try terminal.wait(for: "Pump north")
        return terminal
    }

    @Test func `a list is seen, searched and left`() throws {
        let site = try Site(["units": Self.units])
        defer { withExtendedLifetime(site) {} }
        let terminal = try started(site)
        try terminal.wait(for: "Zażółć gęślą jaźń")
        try terminal.wait("the selection at the first record") { screen in
            screen.text.contains { $0.hasPrefix(">") && $0.contains("Pump north") }
        }
        try terminal.type("j")
        try terminal.wait("the selection at the next record") { screen in
            screen.text.contains { $0.hasPrefix(">") && $0.contains("jaźń") }
        }
        try terminal.type("/pump\r")
        try terminal.wait("the search") { screen in
            !screen.text.contains { $0.contains("jaźń") } && screen.text.contains { $0.contains("Pump north") }
        }
        try terminal.type("\u{1b}")
        try terminal.wait(for: "jaźń")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exited(0))
        #expect(!terminal.screen.isOtherScreen)
        #expect(try terminal.isCooked())
    }

    @Test func `keys that come in one read are all obeyed, up to a question`() throws {
        let site = try Site(["units": Self.units])
        defer { withExtendedLifetime(site) {} }
        let terminal = try started(site)
        try terminal.type("/\u{17c}\u{f3}\r\r")
        try terminal.wait(for: "Z-2")
        try terminal.type("qq")
        try terminal.wait(for: "Pump north")
        try terminal.type("fstatsu=1\raj")
        try terminal.wait(for: "unknown field 'statsu'")
        #expect(terminal.screen.text.contains { $0.contains("statsu=1") })
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == .killed(signal: SIGTERM))
    }

    @Test func `hostile text stays in its cells, whatever the locale and without colours`() throws {
        let site = try Site(["units": Self.units])
        defer { withExtendedLifetime(site) {} }
        let terminal = try started(site, environment: ["NO_COLOR": "1", "LC_ALL": "xx_XX.UTF-8"])
        try terminal.wait(for: #"\x1b[31mEvil\u202e\u200b"#)
        try terminal.wait(for: "Zażółć")
        #expect(
            terminal.screen.cells.joined().allSatisfy { cell in cell.style.color == nil && !cell.style.isUnderlined })
        try terminal.type("\u{3}")
        #expect(try terminal.waitForEnd() == .exited(130))
    }

    @Test func `the screen follows the size of the terminal`() throws {
        let site = try Site(["units": Self.units])
        defer { withExtendedLifetime(site) {} }
        let terminal = try started(site)
        try terminal.resize(columns: 50, rows: 12)
        try terminal.wait(for: "Pump north")
        try terminal.resize(columns: 30, rows: 5)
        try terminal.wait("a word about the size") { $0.text[0].contains("40") }
        try terminal.resize(columns: 100, rows: 30)
        try terminal.wait(for: "Pump north")
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == .killed(signal: SIGTERM))
    }

    @Test func `a daemon that is killed is told, and found again`() throws {
        let site = try Site(["units": Self.units])
        let terminal = try started(site)
        site.daemon.kill()
        try terminal.wait(for: "claimsd does not answer since")
        try terminal.wait(for: "Pump north")
        try site.daemon.start()
        try terminal.wait("the daemon") { screen in
            !screen.text.contains { $0.contains("does not answer") }
                && screen.text.contains { $0.contains("Pump north") }
        }
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == .killed(signal: SIGTERM))
    }

    @Test func `it stops at ^Z and goes on where it was`() throws {
        let site = try Site(["units": Self.units])
        defer { withExtendedLifetime(site) {} }
        let terminal = try PseudoTerminal()
        try terminal.start(
            "/bin/sh",
            [
                "-c", #"set -m; "$0" browse --unit; echo "stopped $?"; read line; fg; echo "ended $?""#,
                try BuiltProgram.path("claimsctl"),
            ],
            environment: ["CLAIMSD_SOCKET": site.daemon.socket])
        try terminal.wait(for: "Pump north")
        try terminal.type("\u{1a}")
        try terminal.wait("the shell") { $0.outside.contains("stopped 148") && !$0.isOtherScreen }
        try terminal.type("\n")
        try terminal.wait(for: "Pump north")
        try terminal.type("q")
        try terminal.wait("the end") { $0.outside.contains("ended 0") }
        #expect(try terminal.isCooked())
    }

    @Test(.enabled(if: Files.exists("/usr/bin/tmux"))) func `within tmux it looks the same, and copies`() throws {
        let site = try Site(["units": Self.units])
        let folder = try TemporaryFolder()
        func tmux(_ arguments: [String]) throws -> ControlProgram.Outcome {
            try ControlProgram.run(
                "/usr/bin/tmux", ["-f", "/dev/null"] + arguments,
                environment: ["TMUX_TMPDIR": folder.path, "CLAIMSD_SOCKET": site.daemon.socket, "TERM": "xterm"])
        }
        /// Asks until the answer is the wanted one.
        func wait(_ arguments: [String], until isThere: (String) -> Bool) throws {
            let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
            var outcome = try tmux(arguments)
            while !isThere(outcome.output) {
                guard SystemClock.monotonic < deadline else { throw TestFailure("\(outcome)") }
                outcome = try tmux(arguments)
            }
        }
        let program = try BuiltProgram.path("claimsctl")
        let start = try tmux(["new-session", "-d", "-x", "80", "-y", "24", program, "browse", "--unit"])
        defer { _ = try? tmux(["kill-server"]) }
        #expect(start.code == 0, "\(start.error)")
        let capture = ["capture-pane", "-p"]
        try wait(capture) { $0.contains("Zażółć gęślą jaźń") && $0.contains("👩‍🚒 日本語") }
        _ = try tmux(["send-keys", "j"])
        try wait(capture) { text in text.split(separator: "\n").contains { $0.hasPrefix(">") && $0.contains("jaźń") } }
        _ = try tmux(["send-keys", "y"])
        try wait(["show-buffer"]) { $0 == "2" }
        _ = try tmux(["send-keys", "Escape", "Escape", "q"])
    }
}
