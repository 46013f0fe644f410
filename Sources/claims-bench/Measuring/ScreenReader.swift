// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The text that a program has put on a terminal: rows of characters, each one column wide.
///
/// It knows what `claimsctl browse` sends to place text, and passes over the rest.
struct ScreenReader {
    private(set) var rows: [[Character]]
    private let columns: Int
    private var row = 0
    private var column = 0
    private var state = State.text
    private var parameters = ""
    /// The bytes of a character that is not complete.
    private var pending: [UInt8] = []

    private enum State {
        case text, escape, sequence, command
    }

    init(rows: Int, columns: Int) {
        self.rows = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        self.columns = columns
    }

    /// The text of a row, from 1.
    func text(_ number: Int) -> String { String(rows[number - 1]) }

    /// The numbers of a text such as `7/1,000` at the end of a row: the rank from 1, and the total.
    func rank(inRow number: Int) -> (rank: Int, total: Int)? {
        let text = text(number)
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let before = text[..<slash].reversed().prefix { $0.isNumber || $0 == "," || $0 == "\u{A0}" }.reversed()
        let after = text[text.index(after: slash)...].prefix { $0.isNumber || $0 == "," || $0 == "\u{A0}" }
        guard let rank = Int(String(before.filter(\.isNumber))), let total = Int(after.filter(\.isNumber)) else {
            return nil
        }
        return (rank, total)
    }

    /// The number of the row that is marked as selected, from 1; nil if none is.
    var selectedRow: Int? { rows.firstIndex { $0.first == ">" }.map { $0 + 1 } }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .text: takeText(byte)
        case .escape:
            parameters = ""
            state = byte == UInt8(ascii: "[") ? .sequence : byte == UInt8(ascii: "]") ? .command : .text
        case .sequence:
            if 0x40...0x7E ~= byte {
                state = .text
                perform(byte)
            } else {
                parameters.append(Character(UnicodeScalar(byte)))
            }
        case .command:
            // A command to the terminal, such as to copy, ends with BEL or with ESC and a backslash.
            if byte == 0x07 { state = .text }
            if byte == 0x1B { state = .escape }
        }
    }

    private mutating func takeText(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: column = 0
        case 0x0A: row = min(row + 1, rows.count - 1)
        case 0x08: column = max(0, column - 1)
        case 0..<0x20: break
        default:
            pending.append(byte)
            let length = pending[0] < 0x80 ? 1 : pending[0] < 0xE0 ? 2 : pending[0] < 0xF0 ? 3 : 4
            guard pending.count >= length else { return }
            let text = String(decoding: pending, as: UTF8.self)
            pending = []
            if column < columns, let character = text.first { rows[row][column] = character }
            column += 1
        }
    }

    private mutating func perform(_ final: UInt8) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch final {
        case UInt8(ascii: "H"):
            row = min(max(1, numbers.first ?? 1), rows.count) - 1
            column = min(max(1, numbers.count > 1 ? numbers[1] : 1), columns) - 1
        case UInt8(ascii: "K"): for index in min(column, columns)..<columns { rows[row][index] = " " }
        case UInt8(ascii: "J"):
            for index in min(column, columns)..<columns { rows[row][index] = " " }
            for other in (row + 1)..<max(row + 1, rows.count) {
                rows[other] = Array(repeating: " ", count: columns)
            }
        default: break
        }
    }
}
