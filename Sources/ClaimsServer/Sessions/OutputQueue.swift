// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Bytes that the peer has not taken yet.
struct OutputQueue: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0

    /// How many bytes wait.
    var count: Int { bytes.count - head }

    /// Adds the bytes of `source` from `offset` on.
    mutating func append(_ source: [UInt8], from offset: Int) {
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
            head = 0
        } else if head > Self.kept {
            bytes.removeSubrange(..<head)
            head = 0
        }
        bytes.append(contentsOf: source[offset...])
    }

    /// Hands the bytes and where the waiting ones begin to `send`, which answers how many it took, until it takes none.
    mutating func drain<Failure: Error>(_ send: ([UInt8], Int) throws(Failure) -> Int) throws(Failure) {
        while head < bytes.count {
            let taken = try send(bytes, head)
            if taken == 0 { return }
            head += taken
        }
        if bytes.capacity > Self.kept {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        head = 0
    }

    /// How many bytes of room an emptied queue keeps, and how far it may run behind before it is moved up.
    private static let kept = 1 << 16
}
