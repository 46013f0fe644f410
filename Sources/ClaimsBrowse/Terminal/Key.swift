// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A key of the keyboard, as a terminal reports it.
public enum Key: Hashable, Sendable {
    /// A character: one scalar, as typed; `^` keys are control(_:).
    case character(Unicode.Scalar)
    /// A letter, or one of `@[\]^_`, with the control key, in lower case: `control("c")`. Enter, Tab, Esc and
    /// Backspace have names of their own.
    case control(Unicode.Scalar)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right, pageUp, pageDown, home, end
    /// A function key, from 1.
    case function(Int)
}

/// An event of a terminal's input.
public enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// The text that was pasted, line ends as blanks, without other control characters.
    case paste(String)
    /// A press of a mouse button at a cell; row and column count from 0.
    case press(row: Int, column: Int)
    /// A step of the wheel: -1 up, 1 down.
    case wheel(Int)
}
