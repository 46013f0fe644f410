// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A record in the form in which it is served and searched.
///
/// It is made to be reused: decoding the next record keeps the capacity of the buffers.
public struct DecodedRecord: Sendable {
    /// The text of the id in UTF-8; a number keeps its digits.
    public var id: [UInt8] = []
    /// The order-preserving key of the id, in its natural order (``KeyEncoding``).
    public var idKey: [UInt8] = []
    /// The present fields in the definition's order, as one JSON object without newlines.
    public var document: [UInt8] = []
    /// The object as received, without white space outside strings, and with only the last of duplicate members.
    public var upstream: [UInt8] = []
    /// The values of the record, one for each field of the definition.
    public var values: [DecodedValue] = []
    /// The bytes that `key`, `raw` and `tie` of the values are ranges of.
    public var keys: [UInt8] = []
    /// The bytes that `folded` of the values is a range of.
    public var folded: [UInt8] = []
    /// Whether any enum field held a value that its vocabulary does not have.
    public var unsupported = false
    /// The worst state of its unsettled operations, which no upstream tells; nil where there are none.
    public var pending: PendingState?

    public init() {}

    /// The id of a record that was decoded or refused; nil where it has none that can be one.
    public var knownID: [UInt8]? { IDForm.objection(to: id.rawSpan) == nil ? id : nil }

    /// Empties the record for the next one and keeps its room.
    mutating func reset(fields: Int) {
        id.removeAll(keepingCapacity: true)
        idKey.removeAll(keepingCapacity: true)
        document.removeAll(keepingCapacity: true)
        upstream.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        folded.removeAll(keepingCapacity: true)
        unsupported = false
        pending = nil
        if values.count != fields { values = [DecodedValue](repeating: DecodedValue(), count: fields) }
    }

    /// The folded text of a field, in which text operators and free text search.
    ///
    /// The field must be a text, an id or an address, and present.
    @_lifetime(borrow self)
    public func foldedText(_ field: Int) -> RawSpan {
        if let range = values[field].folded { return folded.rawSpan.extracting(range) }
        return keys.rawSpan.extracting(values[field].key)
    }
}

/// One field of a decoded record. Its ranges are offsets into buffers of the record.
public struct DecodedValue: Sendable, Hashable {
    /// Whether the record has a value of the field's type.
    public var isPresent = false
    /// The order-preserving key in `keys` (``KeyEncoding``). The key of a text is its folded form; enums and json have
    /// none.
    public var key = 0..<0
    /// The index of an enum's code in its vocabulary; -1 if there is none.
    public var code = -1
    /// The value of an enum as received, in `keys`, if the vocabulary does not have it; nil otherwise.
    public var raw: Range<Int>?
    /// The text as received, in `keys`, if it differs from its folded form; empty otherwise.
    ///
    /// Texts with equal folded forms order by it.
    public var tie = 0..<0
    /// The folded form of an id or address, in `folded`, for text operators and free text; nil if the key is that form.
    public var folded: Range<Int>?

    public init() {}
}

/// The outcome of decoding a record: whether it can be served.
public enum DecodeOutcome: Sendable, Equatable {
    case accepted
    /// The record goes to quarantine. The reason is for people and holds no text of the record; the JSON Pointer leads
    /// from the record to the wrong value.
    case quarantined(reason: String, pointer: String)
}
