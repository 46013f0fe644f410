// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Operations on stream sockets of the local machine (unix(7)).
public enum UnixSocket {
    /// The maximal length of a socket's path, in bytes of UTF-8.
    public static let pathLimit = 107

    /// Makes a nonblocking listener at `path` with these permissions and, if it is given, this group.
    ///
    /// A socket file without a listener is replaced. If another process listens there, EADDRINUSE is thrown and
    /// `detail` names that process. A file that is no socket is never removed.
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
        // No client can connect before listen(2), so there is no moment with other permissions.
        if let group {
            guard unsafe chown(path, uid_t.max, group) == 0 else { throw .last("change the group of \(path)") }
        }
        try Files.setPermissions(path, permissions)
        guard Glibc.listen(raw, backlog) == 0 else { throw .last(operation) }
        return socket
    }

    /// Whether the file at `path` is a socket; it need not have a listener.
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

    /// Connects to the listener at `path` and returns a blocking socket.
    ///
    /// ETIMEDOUT is thrown if the listener's backlog stays full for `timeout`; ECONNREFUSED if nothing listens there.
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

    /// Accepts the next connection, as a nonblocking socket; nil if none waits or its peer has left already.
    ///
    /// EMFILE and ENFILE are thrown while the connection still waits. The caller must then close descriptors or stop
    /// listening for a while.
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

    /// Whether the peer has closed both directions, so that it will not read an answer.
    public static func hasHungUp(_ socket: Int32) -> Bool { readiness(of: socket).contains(.hangUp) }

    /// The events that a socket is ready for at this moment, writing excepted; empty if there are none. The call does
    /// not wait.
    public static func readiness(of socket: Int32) -> EventMask {
        var subject = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&subject, 1, 0) == 1 ? EventMask(rawValue: UInt32(UInt16(bitPattern: subject.revents))) : []
    }

    /// Sends one datagram to the socket at a path, or to the socket with a name after `@` (unix(7)).
    public static func sendDatagram(_ bytes: [UInt8], to path: String) throws(SystemError) {
        // The call reads the bytes of the array, which outlives it.
        let result = unsafe bytes.withUnsafeBytes {
            unsafe linux_unix_send(path, path.utf8.count, $0.baseAddress, $0.count)
        }
        guard result == 0 else { throw .last("send to \(path)") }
    }

    /// Makes two nonblocking sockets that are connected with each other (socketpair(2)).
    public static func pair() throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_unix_pair(&ends) == 0 else { throw .last("make a pair of sockets") }
        return Pipe(reading: FileDescriptor(owning: ends[0]), writing: FileDescriptor(owning: ends[1]))
    }

    /// Shuts one direction of a connection down, or both (shutdown(2)). Errors are ignored: the connection has then
    /// ended.
    public static func shutDown(_ socket: Int32, _ direction: Direction) {
        let how: Int32 =
            switch direction {
            case .reading: Int32(SHUT_RD)
            case .writing: Int32(SHUT_WR)
            case .both: Int32(SHUT_RDWR)
            }
        _ = shutdown(socket, how)
    }

    /// The direction, or directions, of a connection that are shut down.
    public enum Direction: Sendable { case reading, writing, both }
}

extension UnixSocket {
    /// Receives at most as many bytes as fit into `buffer[start...]`, without waiting. There must be room for one byte.
    public static func receive(
        _ socket: Int32, into buffer: inout [UInt8], at start: Int
    ) throws(SystemError) -> Transfer {
        precondition(start < buffer.count, "there must be room")
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe room.baseAddress.map { unsafe linux_receive(socket, $0 + start, room.count - start) } ?? -1
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case ECONNRESET: return .closed
            default: throw .last("receive")
            }
        }
    }

    /// Copies received bytes to the beginning of `buffer`, as many as fit, and leaves them to be received again.
    ///
    /// - Returns: The number of bytes copied; nil if none have arrived, whether or not the peer has closed.
    public static func peek(_ socket: Int32, into buffer: inout [UInt8]) -> Int? {
        // The call writes at most `room.count` bytes, all of them the array's.
        let count = unsafe buffer.withUnsafeMutableBytes { room in
            unsafe recv(socket, room.baseAddress, room.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        }
        return count > 0 ? count : nil
    }

    /// Sends `bytes[start...]` as far as the socket accepts them, without waiting.
    public static func send(_ socket: Int32, _ bytes: [UInt8], from start: Int = 0) throws(SystemError) -> Transfer {
        try unsafe send(socket, bytes.span.extracting(droppingFirst: start).bytes)
    }

    /// Sends `bytes[range]` as far as the socket accepts them, without waiting.
    public static func send(_ socket: Int32, _ bytes: [UInt8], in range: Range<Int>) throws(SystemError) -> Transfer {
        try unsafe send(socket, bytes.span.extracting(range).bytes)
    }

    /// Sends `first` and then `second` as far as the socket accepts them, with one system call and without waiting.
    ///
    /// The number of bytes in the result counts both spans.
    public static func send(
        _ socket: Int32, _ first: RawSpan, _ second: RawSpan = RawSpan()
    ) throws(SystemError) -> Transfer {
        while true {
            let count = unsafe first.withUnsafeBytes { first in
                unsafe second.withUnsafeBytes { second in
                    unsafe linux_send2(socket, first.baseAddress, first.count, second.baseAddress, second.count)
                }
            }
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE, ECONNRESET: return .closed
            default: throw .last("send")
            }
        }
    }
}
