// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A piece of a line in one style.
public struct StyledSegment: Equatable, Sendable {
    /// The text; it is already escaped, and has no line ends.
    public let text: String
    public let style: Style

    /// Makes a piece from text that is already escaped.
    public init(_ text: String, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }
}

/// A line of text in several styles. Printers make escape sequences of the styles, and screens make cells.
public struct StyledLine: Equatable, Sendable {
    /// The pieces from left to right; none is empty, and the last one does not end in padding.
    public private(set) var segments: [StyledSegment] = []
    /// The cells of the line, padding at its end included.
    public private(set) var cells = 0
    /// The blanks behind the last piece.
    private var padding = 0

    /// Makes an empty line.
    public init() {}

    /// Makes a line of one piece.
    public init(_ text: String, _ style: Style = .plain) {
        append(text, style)
    }

    /// Appends a piece; an empty one leaves the line as it is.
    public mutating func append(_ text: String, _ style: Style = .plain) {
        if text.isEmpty { return }
        if padding > 0 {
            segments.append(StyledSegment(String(repeating: " ", count: padding)))
            padding = 0
        }
        segments.append(StyledSegment(text, style))
        cells += DisplayWidth.cells(of: text)
    }

    /// Fills the line with blanks to a number of cells; a longer line stays as it is.
    public mutating func pad(to width: Int) {
        guard width > cells else { return }
        padding += width - cells
        cells = width
    }

    /// The line without styles, and without padding at its end.
    public var text: String { segments.map(\.text).joined() }

    /// The line with SGR escape sequences (ECMA-48), or without any colours.
    public func text(isColored: Bool) -> String {
        segments.map { $0.style.apply(to: $0.text, isColored: isColored) }.joined()
    }
}

/// The style of a piece of text. A style never carries a meaning that the text does not have.
public enum Style: Sendable {
    case plain, bold, dim, heading, badge, warning

    /// The parameter of SGR. Red is what the screen of `browse` has too: yellow and blue cannot be read on some grounds.
    private var code: String {
        switch self {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .heading: "1;4"
        case .badge: "1;31"
        case .warning: "31"
        }
    }

    /// The text between SGR escape sequences (ECMA-48); the text as it is without colours or for `plain`.
    public func apply(to text: String, isColored: Bool) -> String {
        guard isColored, !code.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// A text without the escape sequences of styles.
    static func plainText(of text: some StringProtocol) -> String {
        var plain = ""
        var isEscape = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isEscape = true }
            if !isEscape { plain.unicodeScalars.append(scalar) }
            if scalar == "m" { isEscape = false }
        }
        return plain
    }
}
