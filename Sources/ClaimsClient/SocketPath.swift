// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// The location of the daemon's socket.
public enum SocketPath {
    /// The path of the machine-wide daemon's socket.
    public static let system = "/run/claimsd/claimsd.sock"

    /// The path of the socket that a client connects to by default.
    ///
    /// It is the value of `CLAIMSD_SOCKET` if that is set; else `$XDG_RUNTIME_DIR/claimsd/claimsd.sock` if that file
    /// exists and the folder is this user's alone; else ``system``.
    ///
    /// - Parameters:
    ///   - environment: returns the value of an environment variable, or `nil`.
    ///   - exists: returns whether a file exists.
    ///   - isPrivate: returns whether a folder is this user's alone.
    public static func standard(
        _ environment: (String) -> String?, exists: (String) -> Bool = Files.exists,
        isPrivate: (String) -> Bool = Files.isPrivateDirectory
    ) -> String {
        if let path = environment("CLAIMSD_SOCKET"), !path.isEmpty { return path }
        if let folder = Environment.runtimeDirectory(environment, isPrivate: isPrivate) {
            let path = folder + "/claimsd/claimsd.sock"
            if exists(path) { return path }
        }
        return system
    }
}
