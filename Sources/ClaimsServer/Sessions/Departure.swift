// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol

/// Tells of connections whose peers have left before they were let in whether there is still something to do.
///
/// A peer that is gone reads no answer. Only what has an effect is worth a session, and most of those who come and go
/// at once have asked for nothing of the kind.
struct Departure: ~Copyable {
    private var tape = JSONTape()
    private var room = [UInt8](repeating: 0, count: Departure.longest)

    /// Whether the peer has left, and nothing it has sent has an effect. What it has sent stays to be received.
    ///
    /// - Parameter depth: how deep the JSON of a request may nest.
    mutating func isOver(_ socket: Int32, depth: Int) -> Bool {
        guard UnixSocket.hasHungUp(socket) else { return false }
        guard let count = UnixSocket.peek(socket, into: &room) else { return true }
        // There may be more than what was seen.
        if count == room.count { return false }
        return !hasEffect(count, depth: depth)
    }

    /// Whether one of the whole lines among the first `count` bytes is a request that has an effect.
    private mutating func hasEffect(_ count: Int, depth: Int) -> Bool {
        let bytes = room
        var start = 0
        while let end = bytes[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
            if Self.hasEffect(bytes.rawSpan.extracting(start..<end), &tape, depth: depth) { return true }
            start = end + 1
        }
        return false
    }

    /// Whether a line is a request that has an effect.
    private static func hasEffect(_ line: RawSpan, _ tape: inout JSONTape, depth: Int) -> Bool {
        guard (try? tape.parse(line, from: 0, depth: depth, as: .document)) != nil else { return false }
        return (try? RequestEnvelope(tape, line))?.method.hasEffect == true
    }

    /// How many bytes are looked at; who has sent more is let in.
    private static let longest = 1 << 13
}
