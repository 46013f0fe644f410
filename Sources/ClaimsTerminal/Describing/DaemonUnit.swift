// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// The systemd unit of the daemon that listens at a socket.
struct DaemonUnit {
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
    var configurationFolder: String { isUser ? "~/.config/claimsd" : Self.systemFolder }

    /// The path of the definition of one collection or of several, as a shell reads it: in the folder of the unit, and in
    /// that of the machine's daemon where the unit is not known.
    static func definition(of collections: [String], _ unit: DaemonUnit?) -> String {
        "\(unit?.configurationFolder ?? Self.systemFolder)/collections.d/\(fileName(of: collections))"
    }

    /// The name of the definition's file; of several `{books,films}.json5`.
    static func fileName(of collections: [String]) -> String {
        let names = collections.joined(separator: ",")
        return collections.count == 1 ? "\(names).json5" : "{\(names)}.json5"
    }

    /// The folder of the configuration of the machine's daemon.
    static let systemFolder = "/etc/claimsd"

    /// The command that does something with the unit, such as `systemctl status claimsd`.
    func command(_ action: String) -> String { "systemctl \(isUser ? "--user " : "")\(action) claimsd" }
}
