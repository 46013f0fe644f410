// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A record as it will be served and searched. Made to be reused: decoding the next one keeps the room.
public struct DecodedRecord: Sendable {
    /// The id's text, digit for digit.
    public var id: [UInt8] = []
    /// The id's key in natural order.
    public var idKey: [UInt8] = []
    /// The fields that are present, in the definition's order, as one line of JSON.
    public var document: [UInt8] = []
    /// The object as received, without white space outside strings, and of duplicate members the last.
    public var upstream: [UInt8] = []
    /// One for each field of the definition.
    public var values: [DecodedValue] = []
    public var keys: [UInt8] = []
    public var folded: [UInt8] = []
    /// Whether some enum held a value that its vocabulary does not know.
    public var unsupported = false

    public init() {}

    /// Empties the record for the next one and keeps its room.
    mutating func reset(fields: Int) {
        id.removeAll(keepingCapacity: true)
        idKey.removeAll(keepingCapacity: true)
        document.removeAll(keepingCapacity: true)
        upstream.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        unsupported = false
        if values.count != fields { values = [DecodedValue](repeating: DecodedValue(), count: fields) }
    }

    /// What text operators and free text look into: the folded form of a present text, id or address.
    @_lifetime(borrow self)
    public func foldedText(_ field: Int) -> RawSpan {
        if let range = values[field].folded { return folded.rawSpan.extracting(range) }
        return keys.rawSpan.extracting(values[field].key)
    }
}
