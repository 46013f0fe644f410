// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A key of a configuration file.
public struct Key: Sendable {
    public let name: String
    public let type: KeyType
    /// In the file's own notation; nil: the key is required.
    public let standard: String?
    public let meaning: String

    public init(_ name: String, _ type: KeyType, _ standard: String?, _ meaning: String) {
        self.name = name
        self.type = type
        self.standard = standard
        self.meaning = meaning
    }
}

/// What a key takes.
public enum KeyType: Sendable {
    case integer(ClosedRange<Int>)
    /// In bytes.
    case size(atLeast: Int)
    /// In milliseconds.
    case span(atLeast: Int)
    case share
    case bool
    /// Anything else, in words.
    case other(String)

    var text: String {
        switch self {
        case .integer(let range): "integer, \(Self.grouped(range.lowerBound)) to \(Self.grouped(range.upperBound))"
        case .size(let least): least > 1 ? "size, at least \(least)" : "size"
        case .span(let least): least > 0 ? "span, at least \(least)ms" : "span"
        case .share: "number from 0 to 1"
        case .bool: "true or false"
        case .other(let words): words
        }
    }

    /// With commas between thousands.
    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in "\(number.magnitude)".reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = "\(digit)" + text
        }
        return (number < 0 ? "-" : "") + text
    }
}
