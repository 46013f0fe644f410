// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Where the daemon is found.
public enum SocketPath {
    public static let system = "/run/claimsd/claimsd.sock"

    /// `$CLAIMSD_SOCKET`; else a user's own daemon, if its socket is there; else the machine's.
    public static func standard(
        _ environment: (String) -> String?, exists: (String) -> Bool = { unsafe access($0, F_OK) == 0 }
    ) -> String {
        if let path = environment("CLAIMSD_SOCKET"), !path.isEmpty { return path }
        if let folder = environment("XDG_RUNTIME_DIR"), folder.utf8.first == UInt8(ascii: "/") {
            let path = folder + "/claimsd/claimsd.sock"
            if exists(path) { return path }
        }
        return system
    }
}
