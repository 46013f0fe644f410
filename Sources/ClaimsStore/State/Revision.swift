// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A point in the sequence of changes that state.db has committed. Users see it as the clock.
///
/// Revisions are compared only within one epoch. A state database that is made anew draws a new epoch.
public struct Revision: Sendable, Hashable {
    /// A random number that names one life of the state database.
    public var epoch: UInt64
    /// The number of the newest change in this epoch; 0 in a new database.
    public var seq: UInt64

    public init(epoch: UInt64, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Reads a text that `text` has given; nil for any other spelling.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let seq = UInt64(parts[1]) else { return nil }
        self.init(epoch: epoch, seq: seq)
        guard self.text == text else { return nil }
    }

    /// `EPOCH.SEQ`: the epoch in lower-case hexadecimal, the number in decimal.
    public var text: String { "\(String(epoch, radix: 16)).\(seq)" }
}
