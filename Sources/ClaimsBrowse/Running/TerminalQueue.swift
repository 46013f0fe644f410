// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The bytes on their way to a terminal, and the requests that follow them. Pure.
///
/// It holds one frame, the newest text for the clipboard and the newest mode of the mouse, so that a terminal that
/// takes nothing makes nothing grow.
struct TerminalQueue {
    /// The bytes under way.
    private(set) var bytes: [UInt8] = []
    /// The number of ``bytes`` that the terminal has taken.
    private(set) var sent = 0
    private var mouseMode: [UInt8] = []
    private var clipboard: [UInt8] = []

    /// The bytes that the terminal has still to take; none follow an empty range.
    var rest: Range<Int> { sent..<bytes.count }
    /// Whether all is sent, so that a frame can follow.
    var isEmpty: Bool { rest.isEmpty }

    /// Begins with other bytes, and drops all that was under way.
    mutating func restart(with bytes: [UInt8]) {
        self = TerminalQueue()
        self.bytes = bytes
    }

    /// Adds a frame; the queue is empty before.
    mutating func add(frame: [UInt8]) { restart(with: frame) }

    /// Adds the sequence that turns reports of the mouse on or off, in place of one that waits.
    mutating func add(mouseMode sequence: [UInt8]) {
        mouseMode = sequence
        advance()
    }

    /// Adds the sequence that copies a text, in place of one that waits.
    mutating func add(clipboard sequence: [UInt8]) {
        clipboard = sequence
        advance()
    }

    /// Notes that the terminal has taken so many bytes.
    mutating func take(_ count: Int) {
        sent += count
        advance()
    }

    private mutating func advance() {
        guard isEmpty else { return }
        bytes = mouseMode + clipboard
        (mouseMode, clipboard, sent) = ([], [], 0)
    }
}
