// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
public import ClaimsTerminal
import Glibc

/// `claimsctl browse`: the command, which claimsctl hands to the table of verbs.
public enum BrowseEntry {
    /// Runs `browse` to its end.
    ///
    /// - Throws: a usage error where the terminal cannot show it; the daemon's errors before anything is shown.
    public static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        guard context.invocation.output == nil else {
            throw .usage(
                UsageError(
                    en: "'browse' has no formats", pl: "„browse” nie ma formatów",
                    hint: TranslatedText(
                        en: "for data: claimsctl search -o json", pl: "dane daje: claimsctl search -o json")
                ))
        }
        return context.invocation.isPlain ? try PlainBrowser.run(context) : try ScreenBrowser.run(context)
    }
}

/// `browse` on a whole terminal: checks that there is one and a daemon, then hands over to the loop.
enum ScreenBrowser {
    /// The maximum time for one attempt to connect again: keys wait for it.
    private static let maxConnectTime: Duration = .milliseconds(100)

    /// Runs it until the person leaves.
    ///
    /// - Throws: a usage error where there is no terminal that can show it; the error of a daemon that cannot be
    ///   reached. The terminal has not been touched then.
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let surroundings = context.surroundings
        try checkTerminal(surroundings)
        let connection = try firstConnection(context)
        let start = BrowseStart(context)
        try start.check(context, on: connection)
        let invocation = context.invocation
        let link = BrowseLink(connection) { () throws(ClientError) in
            try context.quietConnection(
                socket: invocation.socket, host: invocation.host, timeout: Self.maxConnectTime)
        }
        var person = BrowsePerson(
            language: context.language, zone: surroundings.zone(), zoneName: surroundings.zoneName(),
            isColored: context.isColored)
        person.unit = context.unit
        person.plots = PlotStyle(terminal: surroundings.environment("TERM"))
        do throws(SystemError) {
            let terminal = try Terminal(name: surroundings.environment("TERM"), isColored: person.isColored)
            let signals = try SignalReader([SIGTSTP, SIGCONT, SIGWINCH])
            let loop = BrowseLoop(
                BrowseModel(BrowseState(person: person), start: start), terminal: terminal, link: link,
                signals: signals, environment: surroundings.environment, wallTime: surroundings.now)
            return try loop.run()
        } catch {
            throw .failed(.failure, kind: "output", message: error.text)
        }
    }

    /// A connection on which the daemon has answered.
    private static func firstConnection(_ context: CommandContext) throws(CommandError) -> ClientConnection {
        guard context.invocation.host == nil else {
            // ssh may ask for a password, but what it says later must not come on the screen.
            do throws(ClientError) {
                let connection = try context.newConnection(timeout: nil, isAgain: true)
                _ = try connection.call(.ping, PingParameters())
                return connection
            } catch {
                throw .client(error)
            }
        }
        // It answers, or it is said why not, as for any verb.
        _ = try context.call(.ping, PingParameters())
        guard let connection = context.openConnection else { throw .client(.closed(mayBeDone: false)) }
        context.dropConnection()
        return connection
    }

    private static func checkTerminal(_ surroundings: Surroundings) throws(CommandError) {
        let hint = TranslatedText(
            en: "in lines, for pipes and screen readers: claimsctl browse --plain",
            pl: "w wierszach, dla potoków i czytników ekranu: claimsctl browse --plain")
        guard surroundings.isTerminal(0), surroundings.isTerminal(1) else {
            throw .usage(
                UsageError(
                    en: "'browse' needs a terminal, and input or output is none",
                    pl: "„browse” wymaga terminala, a wejście lub wyjście nim nie jest", hint: hint))
        }
        switch surroundings.environment("TERM") {
        case nil, "":
            throw .usage(
                UsageError(
                    en: "'browse' needs a terminal, and TERM is not set",
                    pl: "„browse” wymaga terminala, a TERM nie jest ustawione", hint: hint))
        case "dumb":
            throw .usage(
                UsageError(
                    en: "'browse' needs a terminal that moves its cursor, and TERM is dumb",
                    pl: "„browse” wymaga terminala, który przesuwa kursor, a TERM to dumb", hint: hint))
        default: break
        }
    }
}
