// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// A terminal that takes nothing but what all terminals share, and keeps what it shows.
///
/// Any other sequence is a failure. So is text where terminals may disagree about the cursor: right after a cell
/// outside U+0020–7E and U+00A1–24F, or after the last column.
public struct TerminalScreen {
    /// The attributes of a cell.
    public struct Style: Hashable, Sendable {
        public var isBold = false
        public var isUnderlined = false
        public var isReversed = false
        public var color: Int?
        public init() {}
    }

    /// A cell with the cluster that begins in it; the text is empty in the other cells of a wide one.
    public struct Cell: Equatable, Sendable {
        public var text = " "
        public var style = Style()
    }

    /// The text of a cell of which another one took the half.
    public static let torn = "\u{fffd}"

    public private(set) var cells: [[Cell]]
    /// Where the cursor stands; nil where terminals disagree.
    public private(set) var cursor: (row: Int, column: Int)? = (0, 0)
    public private(set) var isCursorShown = true
    public private(set) var isOtherScreen = false
    public private(set) var isMouseOn = false
    public private(set) var isPasteBracketed = false
    public private(set) var wraps = true
    /// The text that was copied last (OSC 52).
    public private(set) var clipboard: String?
    /// All text that came outside the other screen.
    public private(set) var outside = ""
    /// The number of cells that the terminal takes for a cluster.
    public var width: (Character) -> Int = DisplayWidth.cells
    /// Whether text outside the other screen is only kept: there, other programs write.
    public var keepsOutside = false
    /// Whether a sequence or a cluster may end in its middle, where the next one begins: a signal cuts off what a program
    /// was writing, and terminals then forget the part they have.
    public var takesCuts = false
    private var style = Style()
    private var unread: [UInt8] = []
    /// The last cluster and where it begins, as long as a mark may follow.
    private var last: (text: Character, row: Int, column: Int)?
    private let blank: [[Cell]]

    public init(columns: Int, rows: Int) {
        blank = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
        cells = blank
    }

    /// The rows, without the blanks at their ends.
    public var text: [String] {
        cells.map { row in
            var line = row.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The screen after a change of its size, as one that is to be drawn anew.
    public func resized(columns: Int, rows: Int) -> TerminalScreen {
        var screen = TerminalScreen(columns: columns, rows: rows)
        (screen.isCursorShown, screen.isOtherScreen, screen.isMouseOn) = (isCursorShown, isOtherScreen, isMouseOn)
        (screen.isPasteBracketed, screen.wraps, screen.unread) = (isPasteBracketed, wraps, unread)
        (screen.keepsOutside, screen.outside, screen.style, screen.cursor) = (keepsOutside, outside, style, nil)
        screen.takesCuts = takesCuts
        return screen
    }

    /// Takes bytes, which may be cut anywhere.
    public mutating func take(_ bytes: some Sequence<UInt8>) throws(TestFailure) {
        unread += bytes
        while let first = unread.first {
            if first == 0x1B {
                let next = takesCuts ? unread.dropFirst().firstIndex(of: 0x1B) : nil
                let end = next == 1 ? nil : try sequenceEnd()
                if let next, next < end ?? Int.max {
                    unread.removeFirst(next)
                    last = nil
                    continue
                }
                guard let end else { return }
                let sequence = Array(unread[1..<end])
                unread.removeFirst(end)
                last = nil
                try perform(sequence)
            } else {
                let run = Array(unread.prefix { $0 != 0x1B })
                let whole = run.count == unread.count ? Self.wholeScalars(run) : run.count
                guard whole > 0 else { return }
                let isCut = takesCuts && whole < unread.count && unread[whole] == 0x1B
                let valid = String(validating: run[..<whole], as: UTF8.self)
                guard let text = isCut ? String(decoding: run, as: UTF8.self) : valid else {
                    throw TestFailure("no UTF-8: \(run)")
                }
                unread.removeFirst(whole)
                if keepsOutside && !isOtherScreen { outside += text } else { try write(text) }
            }
        }
    }

    /// The number of bytes up to the scalar that is not complete.
    private static func wholeScalars(_ bytes: [UInt8]) -> Int {
        for back in 1...4 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length > back ? bytes.count - back : bytes.count
        }
        return bytes.count
    }

    /// The index after the sequence that begins at 0; nil where it is not complete.
    private func sequenceEnd() throws(TestFailure) -> Int? {
        guard unread.count >= 2 else { return nil }
        switch unread[1] {
        case UInt8(ascii: "["):
            guard let end = unread.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            return end + 1
        case UInt8(ascii: "]"):
            return unread.firstIndex(of: 0x07).map { $0 + 1 }
        default: throw TestFailure("an unknown sequence: ESC \(unread[1])")
        }
    }
}

// Changes of the screen.

extension TerminalScreen {
    private mutating func perform(_ sequence: [UInt8]) throws(TestFailure) {
        let text = String(decoding: sequence, as: UTF8.self)
        if text.hasPrefix("]") { return try copy(text) }
        let body = text.dropFirst().dropLast()
        switch text.last {
        case "H":
            let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard numbers.count == 2, cells.indices.contains(numbers[0] - 1),
                cells[0].indices.contains(numbers[1] - 1)
            else { throw TestFailure("the cursor cannot go to \(body)") }
            cursor = (numbers[0] - 1, numbers[1] - 1)
        case "K" where body.isEmpty, "J" where body.isEmpty: try erase(isScreen: text.last == "J")
        case "m": try restyle(body)
        case "h" where body.hasPrefix("?"), "l" where body.hasPrefix("?"):
            try set(String(body.dropFirst()), text.last == "h")
        default: throw TestFailure("an unknown sequence: CSI \(text.dropFirst())")
        }
    }

    private mutating func copy(_ text: String) throws(TestFailure) {
        guard text.hasPrefix("]52;c;"), let bytes = Base64.decode(Array(text.dropFirst(6).dropLast().utf8)),
            text.utf8.count <= 100_000
        else { throw TestFailure("an unknown sequence: OSC") }
        clipboard = String(decoding: bytes, as: UTF8.self)
    }

    private mutating func erase(isScreen: Bool) throws(TestFailure) {
        guard let cursor else { throw TestFailure("the cursor is not known, but something is erased") }
        guard style == Style() else { throw TestFailure("something is erased with a style") }
        tear(cursor.row, cursor.column)
        for column in cursor.column..<cells[0].count { cells[cursor.row][column] = Cell() }
        guard isScreen else { return }
        for row in cells.indices.dropFirst(cursor.row + 1) { cells[row] = blank[row] }
    }

    private mutating func restyle(_ body: Substring) throws(TestFailure) {
        for part in body.split(separator: ";", omittingEmptySubsequences: false) {
            switch part {
            case "0": style = Style()
            case "1": style.isBold = true
            case "4": style.isUnderlined = true
            case "7": style.isReversed = true
            case "31", "32", "35": style.color = Int(part)
            default: throw TestFailure("an unknown style: \(body)")
            }
        }
    }

    private mutating func set(_ mode: String, _ isOn: Bool) throws(TestFailure) {
        switch mode {
        case "7": wraps = isOn
        case "25": isCursorShown = isOn
        case "1000": isMouseOn = isOn
        case "1006": break
        case "2004": isPasteBracketed = isOn
        case "1049":
            isOtherScreen = isOn
            cells = blank
            cursor = isOn ? nil : (0, 0)
        default: throw TestFailure("an unknown mode: \(mode)")
        }
    }

    private mutating func write(_ text: String) throws(TestFailure) {
        var text = text
        if let last {
            // A mark may still belong to the last cluster.
            let joined = String(last.text) + text
            if let first = joined.first, first != last.text {
                cursor = (last.row, last.column)
                text = joined
            }
        }
        for character in text {
            guard let cursor else { throw TestFailure("the cursor is not known before '\(character)'") }
            guard !wraps else { throw TestFailure("text where lines are wrapped") }
            let isFlag = TextSafety.isFlag(character)
            guard isFlag || !character.unicodeScalars.contains(where: TextSafety.isUnsafe),
                character.unicodeScalars.count <= TextSafety.maxClusterScalars
            else { throw TestFailure("an unsafe cluster: \(character.unicodeScalars.map(\.value))") }
            try put(character, cursor.row, cursor.column)
        }
    }

    private mutating func put(_ character: Character, _ row: Int, _ column: Int) throws(TestFailure) {
        let isCommon =
            character.unicodeScalars.count == 1
            && character.unicodeScalars.allSatisfy {
                (0x20...0x7E).contains($0.value) || (0xA1...0x24F).contains($0.value)
            }
        let columns = cells[row].count
        let width = isCommon ? 1 : min(width(character), columns - column)
        guard isCommon || DisplayWidth.cells(of: character) <= columns - column else {
            throw TestFailure("'\(character)' crosses the edge")
        }
        if width > 0 {
            tear(row, column)
            if column + width < columns { tear(row, column + width) }
            cells[row][column] = Cell(text: String(character), style: style)
            for next in column + 1..<max(column + 1, column + width) { cells[row][next] = Cell(text: "", style: style) }
        }
        last = (character, row, column)
        cursor = isCommon && column + 1 < columns ? (row, column + 1) : nil
    }

    /// Marks a wide cluster that has cells on both sides of a column.
    private mutating func tear(_ row: Int, _ column: Int) {
        guard cells[row][column].text.isEmpty else { return }
        var first = column
        while first > 0, cells[row][first].text.isEmpty { first -= 1 }
        var end = column
        while end < cells[row].count, cells[row][end].text.isEmpty { end += 1 }
        for index in first..<end { cells[row][index].text = Self.torn }
    }
}
