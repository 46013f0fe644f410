// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One field of a decoded record. Its ranges are places in the record's buffers.
public struct DecodedValue: Sendable, Hashable {
    public var isPresent = false
    /// In `keys`: the order-preserving key (`KeyEncoding`); of a text its folded form; of an enum or json nothing.
    public var key = 0..<0
    /// The index of an enum's code in its vocabulary; -1 for none.
    public var code = -1
    /// In `keys`: the value of an unknown enum as it came.
    public var raw: Range<Int>?
    /// In `keys`, for texts: the text as it came where it differs from its folded form, else empty. Texts that fold
    /// alike order by it.
    public var tie = 0..<0
    /// In `folded`, for ids and addresses: the folded form that `~` and free text look into. nil: the key is it.
    public var folded: Range<Int>?

    public init() {}
}
