// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Glibc

/// TCP on 127.0.0.1.
public enum LoopbackSocket {
    /// A blocking connection to `port`.
    public static func connect(_ port: UInt16) throws(SystemError) -> FileDescriptor {
        let operation = "connect to 127.0.0.1:\(port)"
        let raw = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw .last(operation) }
        let socket = FileDescriptor(owning: raw)
        let result = unsafe withAddress(port) { address, size in unsafe Glibc.connect(raw, address, size) }
        guard result == 0 else { throw .last(operation) }
        return socket
    }

    /// A listener that accepts nothing, and its port: connections to it are made, and never served.
    public static func silentListener() throws(SystemError) -> (socket: RawListener, port: UInt16) {
        let raw = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw .last("make a socket") }
        let listener = RawListener(FileDescriptor(owning: raw))
        let bound = unsafe withAddress(0) { address, size in unsafe bind(raw, address, size) }
        guard bound == 0, listen(raw, 16) == 0 else { throw .last("listen") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(raw, address, &size)
            }
        }
        guard result == 0 else { throw .last("ask for the port") }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Keeps a listener open.
    public final class RawListener: Sendable {
        private let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }

        /// Waits for the next connection; nil once the listener is shut down.
        public func accept() -> FileDescriptor? {
            let raw = Glibc.accept(socket.raw, nil, nil)
            return raw < 0 ? nil : FileDescriptor(owning: raw)
        }

        /// Refuses all further connections, and ends `accept`.
        public func shutDown() { UnixSocket.shutDown(socket.raw, .both) }
    }

    /// Lets the socket be reset when it is closed, instead of ended.
    public static func resetWhenClosed(_ socket: borrowing FileDescriptor) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(socket.raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    private static func withAddress(_ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe use(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
