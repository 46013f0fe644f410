// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import Glibc

/// The systemd unit of the daemon that listens at a socket.
public struct DaemonUnit: Sendable {
    private let isUser: Bool

    /// The unit of the machine's daemon, or of a user's own; nil for a socket at another path, which no unit need have.
    init?(socket path: String) {
        switch path {
        case SocketPath.system: isUser = false
        case _ where path.hasPrefix("/run/user/") && path.hasSuffix("/claimsd/claimsd.sock"): isUser = true
        default: return nil
        }
    }

    private init(isUser: Bool) { self.isUser = isUser }

    /// The unit of the user's own daemon.
    static let usersOwn = DaemonUnit(isUser: true)

    /// The folders that a user has whose own daemon was set up or has run (XDG base directories); root has none.
    static var ownFolders: [String] {
        guard geteuid() != 0, let home = Environment.nonempty("HOME") else { return [] }
        let variables = [("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".local/state")]
        return variables.map { "\(Environment.nonempty($0) ?? "\(home)/\($1)")/claimsd" }
    }

    /// The command that makes the socket's file anew.
    var socketRestart: String { isUser ? command("restart") : "systemctl restart claimsd.socket" }

    /// The folder of the daemon's configuration files.
    var configurationFolder: String { isUser ? "~/.config/claimsd" : "/etc/claimsd" }

    /// The command that does something with the unit, such as `systemctl status claimsd`.
    func command(_ action: String) -> String { "systemctl \(isUser ? "--user " : "")\(action) claimsd" }
}
