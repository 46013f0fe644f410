// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Stream sockets of the local machine (unix(7)).
public enum UnixSocket {
    /// The longest path of a socket, in bytes.
    public static let pathLimit = 107

    /// A nonblocking listener at `path`, with these permissions and, where given, this group.
    ///
    /// A socket file that nobody listens at is replaced. Where somebody does, EADDRINUSE is thrown, with a `detail` that
    /// names the process; what is no socket is never removed.
    public static func listen(
        path: String, permissions: UInt32 = 0o660, group: UInt32? = nil, backlog: Int32 = 4096
    ) throws(SystemError) -> FileDescriptor {
        let operation = "listen at \(path)"
        let raw = linux_unix_socket(1)
        guard raw >= 0 else { throw .last(operation) }
        let socket = FileDescriptor(owning: raw)
        if unsafe linux_unix_bind(raw, path, path.utf8.count) != 0 {
            let error = errno
            guard error == EADDRINUSE, exists(at: path) else {
                throw SystemError(operation, errno: error)
            }
            try removeStale(path, operation)
            guard unsafe linux_unix_bind(raw, path, path.utf8.count) == 0 else { throw .last(operation) }
        }
        // Nobody can connect before listen(2), so there is no moment with other permissions.
        if let group {
            guard unsafe chown(path, uid_t.max, group) == 0 else { throw .last("change the group of \(path)") }
        }
        try Files.setPermissions(path, permissions)
        guard Glibc.listen(raw, backlog) == 0 else { throw .last(operation) }
        return socket
    }

    /// Whether there is a socket's file at `path`, whoever it belongs to.
    public static func exists(at path: String) -> Bool { unsafe linux_is_socket(path) == 1 }

    private static func removeStale(_ path: String, _ operation: String) throws(SystemError) {
        let probe = FileDescriptor(owning: linux_unix_socket(1))
        guard probe.raw >= 0 else { throw .last(operation) }
        let isTaken = unsafe linux_unix_connect(probe.raw, path, path.utf8.count) == 0
        let error = errno
        if isTaken || error == EAGAIN {  // EAGAIN: its backlog is full
            let peer = isTaken ? try? PeerCredentials(of: probe.raw) : nil
            let who = peer.map { "process \($0.pid)" } ?? "another process"
            throw SystemError(operation, errno: EADDRINUSE, detail: "\(who) listens there")
        }
        guard error == ECONNREFUSED || error == ENOENT else { throw SystemError(operation, errno: error) }
        Files.remove(path)
    }

    /// A blocking connection to whoever listens at `path`; ETIMEDOUT where their backlog stays full.
    public static func connect(path: String, timeout: Duration) throws(SystemError) -> FileDescriptor {
        let operation = "connect to \(path)"
        let raw = linux_unix_socket(0)
        guard raw >= 0 else { throw .last(operation) }
        let socket = FileDescriptor(owning: raw)
        // A timeout of 0 would mean none.
        guard linux_send_timeout(raw, max(1, timeout.wholeMilliseconds)) == 0 else { throw .last(operation) }
        while unsafe linux_unix_connect(raw, path, path.utf8.count) != 0 {
            let error = errno
            if error == EINTR { continue }
            throw SystemError(operation, errno: error == EAGAIN ? ETIMEDOUT : error)
        }
        guard linux_send_timeout(raw, 0) == 0 else { throw .last(operation) }
        return socket
    }

    /// The next connection, nonblocking; nil where none waits, or where the peer has left already.
    ///
    /// EMFILE and ENFILE are thrown: the connection still waits, so the caller must make room or stop listening for now.
    public static func accept(_ listener: Int32) throws(SystemError) -> FileDescriptor? {
        while true {
            let raw = linux_accept(listener)
            if raw >= 0 { return FileDescriptor(owning: raw) }
            switch errno {
            case EINTR: continue
            case EAGAIN, ECONNABORTED: return nil
            default: throw .last("accept a connection")
            }
        }
    }

    /// Whether the peer has closed both directions: it will read nothing more.
    public static func hasHungUp(_ socket: Int32) -> Bool { readiness(of: socket).contains(.hangUp) }

    /// What a socket is ready for at this moment, writing apart.
    public static func readiness(of socket: Int32) -> EventMask {
        var subject = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&subject, 1, 0) == 1 ? EventMask(rawValue: UInt32(UInt16(bitPattern: subject.revents))) : []
    }

    /// Two connected nonblocking sockets.
    public static func pair() throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_unix_pair(&ends) == 0 else { throw .last("make a pair of sockets") }
        return Pipe(reading: FileDescriptor(owning: ends[0]), writing: FileDescriptor(owning: ends[1]))
    }

    /// Ends one direction, or both; errors mean that it had ended.
    public static func shutDown(_ socket: Int32, _ direction: Direction) {
        let how: Int32 =
            switch direction {
            case .reading: Int32(SHUT_RD)
            case .writing: Int32(SHUT_WR)
            case .both: Int32(SHUT_RDWR)
            }
        _ = shutdown(socket, how)
    }

    public enum Direction: Sendable { case reading, writing, both }
}
