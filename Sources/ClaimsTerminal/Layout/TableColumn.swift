// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A column of a table: its heading, and how its values are aligned, wrapped and cut.
public struct TableColumn: Sendable {
    /// The text above the column.
    public let heading: String
    /// Whether the values are aligned to the right, as numbers are.
    public let isRight: Bool
    /// The maximum number of lines that a value takes, from 1.
    public let lines: Int
    /// Whether a value may be cut when the line is too narrow.
    public let isElastic: Bool
    /// Whether the column is shown in bold, and is the title of a card.
    public let isEmphasized: Bool

    /// Makes a column from its parts.
    public init(
        heading: String, isRight: Bool = false, lines: Int = 1, isElastic: Bool = false, isEmphasized: Bool = false
    ) {
        self.heading = heading
        self.isRight = isRight
        self.lines = lines
        self.isElastic = isElastic
        self.isEmphasized = isEmphasized
    }

    /// Makes the column of a field: numbers to the right, texts and labels elastic, the heading in capitals.
    public init(_ field: FieldDescription) {
        let isNumber = field.type == .integer || field.type == .decimal
        let isElastic = field.type == .text || field.type == .url || field.type == .json || field.type == .enum
        self.init(
            heading: Escaping.line(field.heading).uppercased(), isRight: isNumber, lines: field.lines,
            isElastic: isElastic, isEmphasized: field.isEmphasized)
    }

    /// The cells it asks for, given the widest of its values. A heading may take two lines where room is short.
    func demand(widest: Int, isHeadingFolded: Bool) -> ColumnFitting.Demand {
        let heading = isHeadingFolded ? Fitting.widestWord(heading) : DisplayWidth.cells(of: heading)
        let natural = max(widest, heading)
        guard isElastic else { return .init(natural: natural, minimum: natural, comfortable: natural) }
        let comfortable = lines > 1 ? 24 : isEmphasized ? 14 : 10
        return .init(natural: natural, minimum: min(natural, max(heading, 6)), comfortable: comfortable)
    }
}

/// A value of a table in the form in which it is shown: escaped, and in a list without line ends.
public struct Cell: Equatable, Sendable {
    /// The text, without escape sequences for colours.
    public let text: String
    /// The style of the whole text.
    public let style: Style
    /// Whether the value is a badge, which marks a record that needs attention.
    public let isBadge: Bool

    /// Makes a cell from text that is already escaped.
    public init(_ text: String, style: Style = .plain, isBadge: Bool = false) {
        self.text = text
        self.style = style
        self.isBadge = isBadge
    }
}
