// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsUpstream
import Glibc

/// The paths of the daemon's folders and of its socket.
struct Folders: Equatable {
    var configuration: String
    var data: String
    var cache: String
    var state: String
    /// The folder that a web server serves to the fleet.
    var fleet: String { "\(state)-fleet" }
    var socket: String
    /// Whether a service manager is informed when the daemon is ready.
    private let isService: Bool

    /// Whether the socket is in a user's runtime folder, like the socket of a daemon in the user's own service manager.
    var isUsersOwn: Bool { socket.hasPrefix("/run/user/") }

    /// The command that makes this process read its configuration again: its unit's command, or a signal if the socket
    /// belongs to no unit.
    var reload: String {
        if isUsersOwn { return "systemctl --user reload claimsd" }
        return isService || socket == Self.systemSocket ? "systemctl reload claimsd" : "kill -HUP \(getpid())"
    }

    /// The socket of the system's service.
    private static let systemSocket = "/run/claimsd/claimsd.sock"
    /// The folders of a service of the system that the configuration check knows more about.
    static let systemConfiguration = "/etc/claimsd"
    static let systemState = "/var/lib/claimsd"
    static let systemData = "/usr/share/claimsd"

    /// Chooses each folder from the command line, or from systemd, or from root's defaults or the XDG base directory
    /// specification.
    ///
    /// - Parameters:
    ///   - environment: returns the value of a variable.
    ///   - isRoot: whether the daemon runs as root, or in a system unit.
    ///   - workingDirectory: the folder for relative paths.
    ///   - isPrivate: returns whether a folder is this user's alone.
    init(
        _ options: DaemonOptions, environment: (String) -> String?, isRoot: Bool, workingDirectory: String,
        isPrivate: (String) -> Bool = Files.isPrivateDirectory
    ) {
        func absolute(_ path: String) -> String { Paths.join(workingDirectory, path) }
        let home = environment("HOME") ?? "/"
        isService = environment("NOTIFY_SOCKET") != nil
        func folder(_ option: String?, systemd: String, root: String, xdg: String, below: String) -> String {
            if let option { return absolute(option) }
            // systemd lists several folders with colons; the first is the one named in the unit.
            if let value = environment(systemd)?.split(separator: ":").first { return absolute(String(value)) }
            if isRoot { return root }
            return "\(environment(xdg) ?? "\(home)/\(below)")/claimsd"
        }
        configuration = folder(
            options.configurationDirectory, systemd: "CONFIGURATION_DIRECTORY", root: Self.systemConfiguration,
            xdg: "XDG_CONFIG_HOME", below: ".config")
        cache = folder(
            options.cacheDirectory, systemd: "CACHE_DIRECTORY", root: "/var/cache/claimsd", xdg: "XDG_CACHE_HOME",
            below: ".cache")
        state = folder(
            options.stateDirectory, systemd: "STATE_DIRECTORY", root: Self.systemState, xdg: "XDG_STATE_HOME",
            below: ".local/state")
        data = absolute(options.dataDirectory ?? environment("CLAIMSD_DATA_DIR") ?? Self.systemData)
        if let path = options.socket {
            socket = absolute(path)
        } else {
            let runtime = environment("RUNTIME_DIRECTORY")?.split(separator: ":").first.map(String.init)
            let own = isRoot ? nil : Environment.runtimeDirectory(environment, isPrivate: isPrivate)
            let fallback = "\(own ?? "/run")/claimsd"
            socket = "\(runtime ?? fallback)/claimsd.sock"
        }
    }
}

extension CredentialReader {
    /// Reads the credentials that the service manager has loaded, or otherwise the ones in the user's configuration
    /// folder.
    init(_ folders: Folders) {
        self.init(
            directory: Environment.nonempty("CREDENTIALS_DIRECTORY"),
            fallback: Paths.join(folders.configuration, "credentials"))
    }
}
