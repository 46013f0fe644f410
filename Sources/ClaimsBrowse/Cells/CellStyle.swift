// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The appearance of a cell: attributes and one of three colours, all of which every terminal knows.
///
/// A style never carries a meaning that the text does not have.
public struct CellStyle: Hashable, Sendable {
    /// A colour of the terminal's own palette. Blue and yellow cannot be read on some backgrounds.
    public enum Color: UInt8, Sendable {
        /// Something is wrong.
        case red = 31
        /// Something is confirmed.
        case green = 32
        /// Something is not fresh.
        case magenta = 35
    }

    public var isBold: Bool
    public var isUnderlined: Bool
    public var isReversed: Bool
    /// The colour; nil for the terminal's own.
    public var color: Color?

    public init(isBold: Bool = false, isUnderlined: Bool = false, isReversed: Bool = false, color: Color? = nil) {
        self.isBold = isBold
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
        self.color = color
    }

    public static let plain = CellStyle()
    public static let bold = CellStyle(isBold: true)
    public static let reversed = CellStyle(isReversed: true)
    public static let wrong = CellStyle(isBold: true, color: .red)
    public static let notFresh = CellStyle(color: .magenta)
    public static let confirmed = CellStyle(color: .green)
}
