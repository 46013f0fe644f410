// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsSystemd
import Glibc

/// Finds the sockets that the daemon listens on (sd_listen_fds(3)).
enum ListeningSockets {
    /// Takes the sockets that systemd hands over, or binds one at `path` and leaves it in the descriptor store.
    ///
    /// - Parameter listen: called for each socket.
    static func open(at path: String, listen: (consuming FileDescriptor) -> Void) throws(SystemError) {
        let inherited = InheritedDescriptor.all()
        let listeners = inherited.filter { $0.name == unitName && $0.isListener }
        // A stored socket that no client would find any more is of no use.
        let stored = inherited.filter {
            $0.name == storedName && listeners.isEmpty && $0.isListener(at: path)
                && UnixSocket.exists(at: path)
        }
        let used = listeners + stored.prefix(1)
        for descriptor in inherited {
            let socket = descriptor.take()
            guard used.contains(descriptor) else { continue }
            try socket.setNonblocking(true)
            listen(socket)
        }
        if stored.isEmpty, inherited.contains(where: { $0.name == storedName }) {
            ServiceManager.forget(name: storedName)
        }
        if !used.isEmpty { return }
        try Directory.create(Paths.parent(path))
        let group = getuid() == 0 ? NameService.group(socketGroup) : nil
        let socket = try UnixSocket.listen(path: path, permissions: 0o660, group: group)
        ServiceManager.store(socket.raw, name: storedName)
        listen(socket)
    }

    /// The names of descriptors that are our listening socket: of the socket unit, and in the descriptor store.
    private static let unitName = "claimsd.socket"
    private static let storedName = "listener"
    /// The group that may open a socket that the daemon binds itself.
    private static let socketGroup = "claims"
}
