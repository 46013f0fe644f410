// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The bytes of answers that a peer has not taken yet.
struct OutputQueue: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0

    /// The number of bytes that wait.
    var count: Int { bytes.count - head }

    /// Adds the bytes of `source` from `offset` on.
    mutating func append(_ source: [UInt8], from offset: Int) {
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.retainedBytes)
            head = 0
        } else if head > Self.retainedBytes {
            bytes.removeSubrange(..<head)
            head = 0
        }
        bytes.append(contentsOf: source[offset...])
    }

    /// Sends the waiting bytes until none is left or `send` takes none.
    ///
    /// - Parameter send: gets the buffer and the offset of the first waiting byte, and returns the number of bytes that
    ///   it has taken.
    mutating func drain<Failure: Error>(_ send: ([UInt8], Int) throws(Failure) -> Int) throws(Failure) {
        while head < bytes.count {
            let taken = try send(bytes, head)
            if taken == 0 { return }
            head += taken
        }
        if bytes.capacity > Self.retainedBytes {
            bytes = []
        } else {
            bytes.removeAll(keepingCapacity: true)
        }
        head = 0
    }

    /// The memory that an emptied queue keeps, and the number of sent bytes from which on they are removed.
    private static let retainedBytes = 1 << 16
}
