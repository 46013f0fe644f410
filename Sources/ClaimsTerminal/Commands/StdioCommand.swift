// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform

extension Verb {
    static let stdio = Verb(
        "stdio",
        summary: LocalizedText(
            en: "connect standard input and output with the daemon",
            pl: "łączy standardowe wejście i wyjście z demonem"),
        details: LocalizedText(
            en: """
                Copies bytes both ways, so that a program on another host can ask the daemon here through ssh. The
                option -H runs it there. With `command="claimsctl stdio",restrict` before it in authorized_keys, a key
                does this and nothing else. The roles are those of the account.
                """,
            pl: """
                Kopiuje bajty w obie strony, by program na innym hoście mógł pytać tutejszego demona przez ssh.
                Uruchamia to tam opcja -H. Z `command="claimsctl stdio",restrict` przed kluczem w authorized_keys klucz
                robi to i nic więcej. Obowiązują role tego konta.
                """),
        takesSelector: false, maxArguments: 0,
        takesHost: false)
}

/// `stdio`: copies standard input to the daemon, and the daemon's lines to standard output, as they come.
enum StdioCommand {
    /// The time that connecting may take while the daemon's queue is full.
    private static let maxConnectTime = Duration.seconds(30)

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let path = context.socketPath
        do throws(SystemError) {
            let socket = try UnixSocket.connect(path: path, timeout: maxConnectTime)
            var bridge = StdioBridge(socket: socket.raw)
            bridge.run()
            _ = consume socket
            return .done
        } catch {
            throw .client(.unreachable(path: path, error))
        }
    }
}
