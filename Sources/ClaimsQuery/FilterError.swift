// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The reason why a filter or an order cannot be used, and the location of the error in it.
public struct FilterError: Error, Sendable, Hashable {
    /// The kinds of error, by their names in the protocol.
    public enum Kind: String, Sendable, Hashable {
        case badFilter = "bad_filter"
        case badSort = "bad_sort"
    }

    /// Whether the filter or the order is wrong.
    public let kind: Kind
    /// The reason as one clause for people.
    public let text: TranslatedText
    /// The offset of the error in the text, in bytes from 0; nil if the filter is a tree or the error has no location.
    public let position: Int?
    /// The length of the error in the text, in bytes; nil if ``position`` is nil.
    public let length: Int?
    /// The JSON Pointer to the error in the tree or array (RFC 6901); nil if the filter is a text or the error has no
    /// location.
    public let pointer: String?
    /// A correction that the author of the filter may make; nil if none is known.
    public let advice: TranslatedText?

    /// The reason in English.
    public var message: String { text.english }
    /// The correction in English.
    public var hint: String? { advice?.english }

    init(_ text: TranslatedText, at location: FilterLocation?, hint: TranslatedText? = nil, kind: Kind = .badFilter) {
        self.kind = kind
        self.text = text
        advice = hint
        switch location {
        case .text(let position, let length)?:
            (self.position, self.length, pointer) = (position, length, nil)
        case .tree(let path)?:
            (position, length, pointer) = (nil, nil, path)
        case nil:
            (position, length, pointer) = (nil, nil, nil)
        }
    }

    static func badSort(_ text: TranslatedText, at location: FilterLocation?, hint: TranslatedText? = nil)
        -> FilterError
    {
        FilterError(text, at: location, hint: hint, kind: .badSort)
    }
}

/// The location of a part of a filter or of an order, in the form in which it was written.
public enum FilterLocation: Sendable, Hashable {
    /// A range of the text, in bytes from 0.
    case text(position: Int, length: Int)
    /// A JSON Pointer into the tree or array (RFC 6901).
    case tree(String)

    init(_ range: Range<Int>) {
        self = .text(position: range.lowerBound, length: range.count)
    }
}

/// A part of a filter, cut to a length that fits a message.
enum Excerpt {
    /// The maximum length, in Unicode scalars.
    static let maxLength = 48

    static func of(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: maxLength, limitedBy: scalars.endIndex)
        guard let end, end != scalars.endIndex else { return String(text) }
        return String(String.UnicodeScalarView(scalars[..<end])) + "…"
    }
}
