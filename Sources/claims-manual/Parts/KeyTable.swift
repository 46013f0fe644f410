// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The keys of one object in a configuration file.
public struct KeyTable: Sendable {
    /// The name of the generated part that shows the table.
    public let part: String
    /// The path of the object in its file, such as `source.join`; empty for the file's top level.
    public let path: String
    /// The keys, in the order of the table.
    public let keys: [TableKey]

    /// The tables of all configuration files.
    public static let all = settings + definitions + writes + rules

    var block: Block {
        .table(
            header: ["Key", "Type", "Default", "Meaning"],
            rows: keys.map { key in
                ["`\(key.name)`", key.type.text, key.shownDefault, key.meaning]
            })
    }
}

/// A key of a configuration file.
public struct TableKey: Sendable {
    /// The name of the key.
    public let name: String
    /// The type of the key's value.
    public let type: KeyType
    /// The default in the notation of the file, or in words, in Markdown; nil for a required key.
    public let standard: String?
    /// The meaning of the key, in Markdown.
    public let meaning: String

    /// Makes a key from its parts.
    public init(_ name: String, _ type: KeyType, default standard: String?, meaning: String) {
        self.name = name
        self.type = type
        self.standard = standard
        self.meaning = meaning
    }

    /// The default as the table shows it. Words have spaces, and a value has some only within braces and brackets.
    var shownDefault: String {
        guard let standard else { return "required" }
        let isWords = standard.contains(" ") && !standard.hasPrefix("{") && !standard.hasPrefix("[")
        return isWords ? standard : "`\(standard)`"
    }

    /// The key of a limit.
    init(_ key: LimitKey<some LimitGroup>) {
        let type: KeyType =
            switch key.range {
            case .count(let range): .integer(range)
            case .bytes(let minimum): .size(atLeast: minimum)
            case .span(let minimum, let maximum):
                .span(atLeast: Int(minimum / .milliseconds(1)), upTo: maximum.map { Int($0 / .milliseconds(1)) })
            case .share: .share
            }
        self.init(key.name, type, default: key.standard.text, meaning: key.summary)
    }
}

/// The type of a key's value, with its bounds.
public enum KeyType: Sendable {
    case integer(ClosedRange<Int>)
    /// A size with at least this many bytes.
    case size(atLeast: Int)
    /// A span of time of at least this many milliseconds, and at most the other number, if there is such a bound.
    case span(atLeast: Int, upTo: Int? = nil)
    case share
    case bool
    /// Any other type, in the words that the table shows.
    case other(String)

    var text: String {
        switch self {
        case .integer(let range): "integer, \(range.lowerBound.grouped()) to \(range.upperBound.grouped())"
        case .size(let least): least > 1 ? "size, at least \(least)" : "size"
        case .span(let least, let maximum?): "span, \(least)ms to \(maximum)ms"
        case .span(let least, nil): least > 0 ? "span, at least \(least)ms" : "span"
        case .share: "number from 0 to 1"
        case .bool: "true or false"
        case .other(let words): words
        }
    }
}
