// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The buffers of a loop, which its connections use one after the other.
struct LoopBuffers: ~Copyable {
    /// The answers that are written for the connection that is served now.
    var outgoing = JSONWriter()
    /// The received bytes: the lines of gathered requests, and the bytes of the last receive.
    var incoming = [UInt8](repeating: 0, count: receiveBytes + FastPath<Connection>.maxGatheredBytes)
    var router = RequestRouter()
    var fastPath = FastPath<Connection>()

    /// The number of bytes that are written and not sent.
    var pending: Int { outgoing.bytes.count }

    /// Receives bytes once, and appends them to `input`.
    mutating func receive(_ socket: Int32, into input: inout LineBuffer) throws(SystemError) -> Transfer {
        let start = fastPath.gatheredEnd
        let transfer = try UnixSocket.receive(socket, into: &incoming, at: start)
        if case .bytes(let count) = transfer { input.append(incoming[start..<start + count]) }
        return transfer
    }

    /// Sends the bytes that wait in `queue`, then those that are written; the rest waits in `queue`.
    ///
    /// - Returns: false where the peer has left.
    mutating func send(_ socket: Int32, _ queue: inout OutputQueue) throws(SystemError) -> Bool {
        var hasLeft = false
        func push(_ bytes: [UInt8], _ start: Int) throws(SystemError) -> Int {
            switch try UnixSocket.send(socket, bytes, from: start) {
            case .bytes(let count): return count
            case .wouldBlock: return 0
            case .closed:
                hasLeft = true
                return 0
            }
        }
        try queue.drain(push)
        var sent = 0
        if queue.count == 0 {
            while sent < pending {
                let count = try push(outgoing.bytes, sent)
                if count == 0 { break }
                sent += count
            }
        }
        if sent < pending { queue.append(outgoing.bytes, from: sent) }
        discard()
        return !hasLeft
    }

    /// Drops the bytes that are written.
    mutating func discard() {
        if outgoing.bytes.capacity > Self.retainedBytes {
            outgoing = JSONWriter()
        } else {
            outgoing.removeAll()
        }
    }

    /// The minimum number of bytes that one receive asks for.
    static let receiveBytes = 1 << 16
    /// The number of bytes of output for which memory is kept.
    private static let retainedBytes = 1 << 20
}
