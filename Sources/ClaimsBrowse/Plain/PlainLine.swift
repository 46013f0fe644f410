// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A line that somebody types in `browse --plain`, as it is meant.
///
/// Letters are those of ``BrowseKeys``; `b`, `c` and numbers are this form's own.
enum PlainLine: Equatable, Sendable {
    /// The next page.
    case next
    /// The page before.
    case previous
    /// The record of that number, with everything about it.
    case open(Int)
    /// Words to search for; empty for no search.
    case search(String)
    /// A collection, the outbox or the status; empty to list them.
    case choose(String)
    /// An action of the keys, with the numbers of records and the words behind it.
    case act(BrowseAction, numbers: [Int], words: String)
    case quit
    /// Text that means nothing.
    case unknown(String)

    /// Reads a line.
    init(_ line: String) {
        let text = line.drop { $0 == " " || $0 == "\t" }
        guard let first = text.unicodeScalars.first else {
            self = .next
            return
        }
        if first == "/" {
            self = .search(Self.trimmed(text.dropFirst()))
            return
        }
        let trimmed = Self.trimmed(text)
        if let number = Int(trimmed), number > 0 {
            self = .open(number)
            return
        }
        let rest = String.UnicodeScalarView(text.unicodeScalars.dropFirst())
        // The letter stands alone, or before a blank or a number: `a 3`, `a3`.
        guard rest.first.map({ $0 == " " || ("0"..."9").contains($0) }) ?? true else {
            self = .unknown(trimmed)
            return
        }
        self = Self.letter(first, Self.trimmed(Substring(String(rest)))) ?? .unknown(trimmed)
    }

    private static func letter(_ letter: Unicode.Scalar, _ words: String) -> PlainLine? {
        switch letter {
        case "b": return .previous
        case "c": return .choose(words)
        default: break
        }
        let action =
            BrowseKeys.action(of: .character(letter), in: .list)
            ?? BrowseKeys.action(of: .character(letter), in: .detail)
        switch action {
        case nil, .mouse, .chooseTab, .previousPage, .nextPage, .redraw: return nil
        case .back: return .previous
        case .leave: return .quit
        case .search: return .search(words)
        case .open:
            guard let number = Int(words) else { return nil }
            return .open(number)
        case .nextRecord: return .act(.followingRecord, numbers: [], words: "")
        case .previousRecord: return .act(.precedingRecord, numbers: [], words: "")
        case let action?:
            let parts = words.split(separator: " ").map(String.init)
            let numbers = parts.compactMap { Int($0) }
            return .act(action, numbers: numbers.count == parts.count ? numbers : [], words: words)
        }
    }

    /// The text without the blanks around it.
    static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
