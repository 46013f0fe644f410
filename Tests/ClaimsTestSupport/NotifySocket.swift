// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A service manager's end of sd_notify: a datagram socket in a folder of its own.
public final class NotifySocket {
    public let path: String
    private let folder: String
    private let socket: FileDescriptor

    public init() throws {
        folder = try Directory.temporary(prefix: "claimsd-notify")
        path = Paths.join(folder, "notify")
        socket = FileDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError.last("bind \(path)") }
    }

    deinit {
        try? Directory.remove(folder)
    }

    /// The datagrams that were sent, oldest first, without waiting: a local datagram is there when its sender goes on.
    public func received() -> [String] {
        var messages: [String] = []
        while let message = next() { messages.append(message.text) }
        return messages
    }

    /// Waits for the first message that `isWanted`; those before it are dropped.
    public func wait(for isWanted: (String) -> Bool) throws -> String {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while true {
            let now = SystemClock.monotonic
            guard now < deadline, try socket.wait(for: .read, timeout: .nanoseconds(Int64(deadline - now))) else {
                throw TestFailure("no such message")
            }
            guard let message = next() else { continue }
            if message.descriptor >= 0 { _ = FileDescriptor(owning: message.descriptor) }
            if isWanted(message.text) { return message.text }
        }
    }

    /// One message, and the descriptor that came with it (-1: none).
    public func next() -> (text: String, descriptor: Int32)? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // Room for one header of 16 bytes and one descriptor (cmsg(3)).
        var control = [UInt64](repeating: 0, count: 4)
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe recvmsg(socket.raw, &message, Int32(MSG_DONTWAIT))
                }
            }
        }
        guard count >= 0 else { return nil }
        let hasDescriptor = control[0] == 20
        let descriptor = hasDescriptor ? Int32(truncatingIfNeeded: control[2]) : -1
        return (String(decoding: buffer[..<count], as: UTF8.self), descriptor)
    }
}
