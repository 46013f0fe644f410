// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `browse` and its terminal: the screen is taken, and given back however it ends.
@Suite struct BrowseTerminalTests {
    /// A daemon without collections, and a terminal on which `browse` has drawn its first screen.
    private func started() throws -> (DaemonProcess, PseudoTerminal) {
        let daemon = try DaemonProcess()
        try daemon.start()
        let terminal = try PseudoTerminal()
        try terminal.start("claimsctl", ["browse"], environment: ["CLAIMSD_SOCKET": daemon.socket])
        try terminal.wait("the other screen") { $0.isOtherScreen }
        return (daemon, terminal)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGQUIT, SIGUSR1, SIGXCPU])
    func `a signal restores the terminal, and ends it as that signal does`(_ signal: Int32) throws {
        let (daemon, terminal) = try started()
        defer { withExtendedLifetime(daemon) {} }
        #expect(try !terminal.isCooked())
        terminal.signal(signal)
        #expect(try terminal.waitForEnd() == .killed(signal: signal))
        #expect(!terminal.screen.isOtherScreen && terminal.screen.isCursorShown && terminal.screen.wraps)
        #expect(!terminal.screen.isPasteBracketed && !terminal.screen.isMouseOn)
        #expect(try terminal.isCooked())
    }

    @Test func `a signal to stop gives the terminal back until it goes on`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let terminal = try PseudoTerminal()
        // The job of a shell: one without a shell cannot stop.
        let script = #"set -m; "$0" browse; echo "stopped $?"; read line; fg; echo "ended $?""#
        try terminal.start(
            "/bin/sh", ["-c", script, try BuiltProgram.path("claimsctl")],
            environment: ["CLAIMSD_SOCKET": daemon.socket])
        try terminal.wait("the other screen") { $0.isOtherScreen }
        let job = terminal.foreground
        #expect(job != terminal.pid)
        kill(job, SIGTSTP)
        try terminal.wait("the shell") { $0.outside.contains("stopped 148") && !$0.isOtherScreen }
        #expect(try terminal.isCooked())
        try terminal.type("\n")
        try terminal.wait("the other screen") { $0.isOtherScreen }
        #expect(try !terminal.isCooked())
        kill(job, SIGTERM)
        try terminal.wait("the end") { $0.outside.contains("ended 143") }
        #expect(try terminal.isCooked())
    }

    @Test func `a terminal of linux has one screen, which is erased`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let terminal = try PseudoTerminal()
        try terminal.start(
            "claimsctl", ["browse"], environment: ["CLAIMSD_SOCKET": daemon.socket, "TERM": "linux"])
        try terminal.wait("a paste in brackets") { $0.isPasteBracketed }
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == .killed(signal: SIGTERM))
        #expect(!terminal.screen.isPasteBracketed && terminal.screen.isCursorShown)
        #expect(terminal.screen.text.joined() == "")
        #expect(terminal.screen.cursor?.row == 0 && terminal.screen.cursor?.column == 0)
    }

    @Test func `keys are taken from somebody whose terminal reads nothing`() throws {
        let (daemon, terminal) = try started()
        defer { withExtendedLifetime(daemon) {} }
        // Each asks for the whole screen: far more than the terminal takes on.
        try terminal.type(String(repeating: "\u{c}", count: 50_000))
        terminal.takeCuts()
        terminal.signal(SIGTERM)
        #expect(try terminal.waitForEnd() == .killed(signal: SIGTERM))
        #expect(try terminal.isCooked())
    }

    @Test(
        arguments: [[], ["--plain"]],
        [
            (["--unit", "statsu!=ok"], "did you mean 'status'?"),
            (["--unit", "--sort", "nmae"], "did you mean 'name'?"),
            (["--collection", "unts"], "did you mean 'units'?"), (["--unt"], "did you mean '--unit'?"),
            (["--unit", "--view", "nothing"], "nothing"),
        ]) func `a mistake in what it is to show is told before it is shown`(
            _ mode: [String], _ mistake: (arguments: [String], hint: String)
        ) throws
    {
        let site = try Site()
        let terminal = try PseudoTerminal()
        try terminal.start(
            "claimsctl", ["browse", "--lang", "en"] + mode + mistake.arguments,
            environment: ["CLAIMSD_SOCKET": site.daemon.socket])
        #expect(try terminal.waitForEnd() == .exited(2))
        #expect(terminal.screen.outside.contains(mistake.hint), "\(terminal.screen.outside)")
        #expect(terminal.screen.text.joined() == "")
    }

    @Test(arguments: [
        (["TERM": "dumb"], 2, "--plain"), (["TERM": ""], 2, "--plain"),
        (["CLAIMSD_SOCKET": "/nonexistent/socket"], 4, "cannot be reached"),
    ]) func `where it cannot begin, the screen stays as it was`(
        _ environment: [String: String], _ code: Int32, _ words: String
    ) throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let terminal = try PseudoTerminal()
        try terminal.start(
            "claimsctl", ["browse"], environment: ["CLAIMSD_SOCKET": daemon.socket].merging(environment) { $1 })
        #expect(try terminal.waitForEnd() == .exited(code))
        #expect(terminal.screen.outside.contains(words))
        #expect(terminal.screen.text.joined() == "")
        let outcome = try ControlProgram.run(["browse"], socket: daemon.socket, environment: ["TERM": "xterm"])
        #expect(outcome.code == 2)
        #expect(outcome.error.contains("--plain"))
        #expect(outcome.output.isEmpty)
    }
}
