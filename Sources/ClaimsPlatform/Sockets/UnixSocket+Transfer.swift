// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What one nonblocking transfer did.
public enum Transfer: Equatable, Sendable {
    /// So many bytes were moved; at least one, or none were asked for.
    case bytes(Int)
    /// Nothing can be moved now.
    case wouldBlock
    /// The peer has closed, in order or not; nothing will be moved any more.
    case closed
}

extension UnixSocket {
    /// Receives into `buffer[start...]`, as far as it goes, without waiting.
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

    /// Copies what has come to the beginning of `buffer`, as far as it goes, and leaves it to be received.
    ///
    /// - Returns: how many bytes; nil where there are none, whether or not more will come.
    public static func peek(_ socket: Int32, into buffer: inout [UInt8]) -> Int? {
        // The call writes at most `room.count` bytes, all of them the array's.
        let count = unsafe buffer.withUnsafeMutableBytes { room in
            unsafe recv(socket, room.baseAddress, room.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        }
        return count > 0 ? count : nil
    }

    /// Sends `bytes[start...]`, as far as it goes, without waiting.
    public static func send(_ socket: Int32, _ bytes: [UInt8], from start: Int = 0) throws(SystemError) -> Transfer {
        try unsafe send(socket, bytes.span.extracting(droppingFirst: start).bytes)
    }

    /// Sends `bytes[range]`, as far as it goes, without waiting.
    public static func send(_ socket: Int32, _ bytes: [UInt8], in range: Range<Int>) throws(SystemError) -> Transfer {
        try unsafe send(socket, bytes.span.extracting(range).bytes)
    }

    /// Sends the first range and then the second, as far as it goes, with one system call and without waiting.
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
