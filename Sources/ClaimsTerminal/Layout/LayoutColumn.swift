// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel

/// A column of a table: its heading, and how its values are aligned, wrapped and cut.
public struct LayoutColumn: Sendable {
    /// The nature of the values, which decides where a card shows them.
    public enum Kind: Sendable {
        /// The id of a record, which stands in a card without its heading.
        case id
        /// The label of a code, which stands at the right of a card.
        case code
        /// A mark of the record, which a card shows before its label.
        case mark
        case other
    }

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
    public let kind: Kind
    /// The cells that the column keeps free even if no value needs them, such as those of a vocabulary's widest label.
    public let reserved: Int
    /// The cells below which a table is worse than cards, unless the values need less.
    private let minimum: Int

    /// The cells that the text in bold has in a table, and those of a text of several lines.
    private static let minimumTitle = 14
    private static let minimumParagraph = 40

    /// Makes a column from its parts.
    public init(
        heading: String, isRight: Bool = false, lines: Int = 1, isElastic: Bool = false, isEmphasized: Bool = false,
        kind: Kind = .other
    ) {
        self.heading = heading
        self.isRight = isRight
        self.lines = lines
        self.isElastic = isElastic
        self.isEmphasized = isEmphasized
        self.kind = kind
        reserved = 0
        minimum = lines > 1 ? 24 : isEmphasized ? Self.minimumTitle : 10
    }

    /// Makes the column of a field: numbers to the right, texts elastic, the heading in capitals.
    ///
    /// - Parameter reserved: the cells that the column keeps free even if no value needs them.
    public init(_ field: FieldDescription, reserved: Int = 0) {
        heading = Escaping.line(field.heading).uppercased()
        lines = field.lines
        isEmphasized = field.isEmphasized
        self.reserved = reserved
        minimum = field.lines > 1 ? Self.minimumParagraph : field.isEmphasized ? Self.minimumTitle : 10
        (isRight, isElastic, kind) =
            switch field.type {
            case .id: (false, false, .id)
            case .enum: (false, false, .code)
            case .integer, .decimal: (true, false, .other)
            case .instant, .date, .bool: (false, false, .other)
            case .text, .url, .json: (false, true, .other)
            }
    }

    /// The cells it asks for, given the widest of its values. A heading may take two lines where room is short.
    func demand(widest: Int, isHeadingFolded: Bool) -> ColumnFitting.Demand {
        let heading = isHeadingFolded ? Fitting.widestWord(heading) : DisplayWidth.cells(of: heading)
        let natural = max(widest, heading, reserved)
        guard isElastic else { return .init(natural: natural, minimum: natural) }
        return .init(natural: natural, minimum: max(heading, minimum))
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
