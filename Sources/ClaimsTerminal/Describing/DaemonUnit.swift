// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

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

    /// The folder of the daemon's configuration files.
    var configurationFolder: String { isUser ? "~/.config/claimsd" : "/etc/claimsd" }

    /// The command that does something with the unit, such as `systemctl status claimsd`.
    func command(_ action: String) -> String { "systemctl \(isUser ? "--user " : "")\(action) claimsd" }
}
