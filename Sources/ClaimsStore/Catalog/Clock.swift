// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The number of the last change, and the life of the state database in which it was counted.
public struct Clock: Sendable, Hashable {
    public var epoch: UInt64
    public var seq: UInt64

    public init(epoch: UInt64, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Reads what `text` gives.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let seq = UInt64(parts[1]) else { return nil }
        self.init(epoch: epoch, seq: seq)
        guard self.text == text else { return nil }
    }

    /// "EPOCH.SEQ".
    public var text: String { "\(String(epoch, radix: 16)).\(seq)" }
}
