// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol

/// Tells which accepted connections need no service, because their peers have left and want nothing done.
///
/// A peer that has left reads no answer. Only a request with an effect is worth serving, and most peers that come and go
/// at once have sent none.
struct HangUpCheck: ~Copyable {
    private var tape = JSONTape()
    private var peeked = [UInt8](repeating: 0, count: HangUpCheck.maxPeekedBytes)

    /// Whether the peer has left, and no request that it sent has an effect. The bytes it sent stay to be received.
    ///
    /// - Parameter maxDepth: the depth to which the JSON of a request may nest.
    mutating func isOver(_ socket: Int32, maxDepth: Int) -> Bool {
        guard UnixSocket.hasHungUp(socket) else { return false }
        guard let count = UnixSocket.peek(socket, into: &peeked) else { return true }
        // There may be more bytes than were seen.
        if count == peeked.count { return false }
        return !hasEffect(count, maxDepth: maxDepth)
    }

    /// Whether one of the whole lines among the first `count` bytes is a request that has an effect.
    private mutating func hasEffect(_ count: Int, maxDepth: Int) -> Bool {
        let bytes = peeked
        var start = 0
        while let end = bytes[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
            if Self.hasEffect(bytes.rawSpan.extracting(start..<end), &tape, maxDepth: maxDepth) { return true }
            start = end + 1
        }
        return false
    }

    private static func hasEffect(_ line: RawSpan, _ tape: inout JSONTape, maxDepth: Int) -> Bool {
        guard (try? tape.parse(line, from: 0, depth: maxDepth, as: .document)) != nil else { return false }
        return (try? RequestEnvelope(tape, line))?.method.hasEffect == true
    }

    /// The number of bytes that are looked at; a peer that has sent more is served.
    private static let maxPeekedBytes = 1 << 13
}
