// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The sequences that are sent to a terminal: all that xterm, tmux, rxvt, linux and those after them share.
enum ControlSequence {
    static let plainStyle = Array("\u{1b}[0m".utf8)
    static let eraseToEndOfLine = Array("\u{1b}[K".utf8)
    static let eraseToEndOfScreen = Array("\u{1b}[J".utf8)
    static let showCursor = Array("\u{1b}[?25h".utf8)
    static let hideCursor = Array("\u{1b}[?25l".utf8)
    static let mouseOn = Array("\u{1b}[?1000h\u{1b}[?1006h".utf8)
    static let mouseOff = Array("\u{1b}[?1000l\u{1b}[?1006l".utf8)

    /// Takes the screen over. A line is never wrapped by the terminal, and a paste comes in brackets.
    static let enterOtherScreen = Array("\u{1b}[?1049h\u{1b}[?7l\u{1b}[?2004h".utf8)
    static let enterErasing = Array("\u{1b}[?7l\u{1b}[?2004h".utf8)
    /// Gives the screen back. It is static text because a signal handler sends it.
    static let leaveOtherScreen: StaticString =
        "\u{1b}[0m\u{1b}[?1000l\u{1b}[?1006l\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
    /// As ``leaveOtherScreen``, for a terminal with one screen only.
    static let leaveErasing: StaticString =
        "\u{1b}[0m\u{1b}[?1000l\u{1b}[?1006l\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[1;1H\u{1b}[J"

    /// The maximum size of a text for the clipboard: terminals take 100,000 bytes of the sequence.
    static let maxClipboardBytes = 74_994

    /// Appends the sequence that moves the cursor to a cell, counted from 0.
    static func appendMove(row: Int, column: Int, to bytes: inout [UInt8]) {
        bytes += [0x1B, UInt8(ascii: "[")]
        appendNumber(row + 1, to: &bytes)
        bytes.append(UInt8(ascii: ";"))
        appendNumber(column + 1, to: &bytes)
        bytes.append(UInt8(ascii: "H"))
    }

    /// Appends the sequence that changes the style, given as the codes of cells, and nothing if they are the same.
    static func appendStyle(from old: UInt32, to new: UInt32, bytes: inout [UInt8]) {
        guard old != new else { return }
        bytes += [0x1B, UInt8(ascii: "[")]
        // A colour can be replaced; an attribute can only be taken away together with all.
        let keeps = old & 0b111 & ~new == 0 && (old >> 3 == 0 || new >> 3 != 0)
        var added = keeps ? new & 0b111 & ~old : new & 0b111
        if !keeps || old >> 3 != new >> 3 { added |= new & ~0b111 }
        var separator = false
        func append(_ number: Int) {
            if separator { bytes.append(UInt8(ascii: ";")) }
            separator = true
            appendNumber(number, to: &bytes)
        }
        if !keeps { append(0) }
        let style = ScreenCell.style(of: added)
        if style.isBold { append(1) }
        if style.isUnderlined { append(4) }
        if style.isReversed { append(7) }
        if let color = style.color { append(Int(color.rawValue)) }
        bytes.append(UInt8(ascii: "m"))
    }

    /// The sequence that copies a text (OSC 52); nil for one that is too long.
    static func clipboard(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= maxClipboardBytes else { return nil }
        return Array("\u{1b}]52;c;".utf8) + Array(Base64.encode(Array(text.utf8)).utf8) + [0x07]
    }

    private static func appendNumber(_ number: Int, to bytes: inout [UInt8]) {
        if number >= 10 { appendNumber(number / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
