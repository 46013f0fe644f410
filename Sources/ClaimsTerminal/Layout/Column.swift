// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// One column of a table.
public struct Column: Sendable {
    public let heading: String
    /// Numbers stand at the right.
    public let isRight: Bool
    /// How many lines a value may take.
    public let lines: Int
    /// May be cut where room is short.
    public let isElastic: Bool
    public let isEmphasized: Bool

    public init(
        heading: String, isRight: Bool = false, lines: Int = 1, isElastic: Bool = false, isEmphasized: Bool = false
    ) {
        self.heading = heading
        self.isRight = isRight
        self.lines = lines
        self.isElastic = isElastic
        self.isEmphasized = isEmphasized
    }

    /// The column of a field.
    public init(_ field: FieldDescription) {
        let isNumber = field.type == .integer || field.type == .decimal
        let isElastic = field.type == .text || field.type == .url || field.type == .json || field.type == .enum
        self.init(
            heading: Escaping.line(field.heading).uppercased(), isRight: isNumber, lines: field.lines,
            isElastic: isElastic, isEmphasized: field.isEmphasized)
    }

    /// What it asks for, given the widest of its values. A heading may take two lines where room is short.
    func demand(widest: Int, isHeadingFolded: Bool) -> ColumnFitting.Demand {
        let heading = isHeadingFolded ? Fitting.longestWord(heading) : DisplayWidth.cells(of: heading)
        let natural = max(widest, heading)
        guard isElastic else { return .init(natural: natural, minimum: natural, comfortable: natural) }
        let comfortable = lines > 1 ? 24 : isEmphasized ? 14 : 10
        return .init(natural: natural, minimum: min(natural, max(heading, 6)), comfortable: comfortable)
    }
}
