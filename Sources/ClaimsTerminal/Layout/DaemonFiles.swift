// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol
import Glibc

/// The configuration of the daemon that was asked: its folder, and the command that makes the daemon read it again.
struct DaemonFiles {
    /// The folder; /etc/claimsd where it is not known.
    let folder: String
    /// The command; nil if it is not known.
    let reload: String?
    /// The command that starts the daemon anew; nil if it is not known.
    let restart: String?
    /// The folder for credentials; nil if it is not known.
    let credentials: String?

    /// The folder of the machine's daemon.
    private static let standardFolder = "/etc/claimsd"

    /// The files that the daemon names in `status`; from an older daemon, those that its unit suggests.
    ///
    /// - Parameters:
    ///   - status: an answer to `status`; nil without one.
    ///   - unit: the unit of the daemon; nil if it is not known.
    init(_ status: AnswerValue?, unit: DaemonUnit?) {
        let told: String? = status?[StatusResult.configurationFolder]
        folder = told ?? unit?.configurationFolder ?? Self.standardFolder
        reload = status?[StatusResult.reload] ?? unit?.command("reload")
        restart = unit?.command("restart")
        credentials = told == nil && unit == nil ? nil : folder + "/credentials"
    }

    /// The path of the definition of one collection or of several, as a shell reads it.
    func definition(of collections: [String]) -> String {
        "\(folder)/collections.d/\(Self.fileName(of: collections))"
    }

    /// The name of the definition's file; of several `{books,films}.json5`.
    static func fileName(of collections: [String]) -> String {
        let names = collections.joined(separator: ",")
        return collections.count == 1 ? "\(names).json5" : "{\(names)}.json5"
    }

    /// The folders that the daemon writes to; empty if they are not known.
    var storage: [String] { folder == Self.standardFolder ? ["/var/lib/claimsd", "/var/cache/claimsd"] : [] }

    /// The command that checks the configuration.
    var check: String {
        folder == Self.standardFolder ? "claimsd --check-config" : "claimsd --check-config --config-dir \(folder)"
    }
}

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
