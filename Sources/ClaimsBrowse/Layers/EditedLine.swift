// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A text with a cursor.
struct EditedLine: Equatable, Sendable {
    private(set) var text: String
    /// The position of the cursor in characters, from 0 to the number of characters.
    private(set) var cursor: Int

    init(_ text: String = "") {
        self.text = text
        cursor = text.count
    }

    init(_ text: String, cursor: Int) {
        self.text = text
        self.cursor = min(max(0, cursor), text.count)
    }

    /// The result of a key.
    enum Result: Sendable {
        /// The text is another one now.
        case edited
        /// Only the cursor has moved, or nothing was to be done.
        case moved
        /// The text would grow past its bound.
        case full
        /// The key is none of a text.
        case unhandled
    }

    /// Does what a key does in a text of at most `maxBytes` bytes.
    mutating func apply(_ key: Key, maxBytes: Int) -> Result {
        switch key {
        case .character(let scalar):
            guard scalar.value >= 0x20, scalar.value != 0x7F else { return .unhandled }
            return insert(String(Character(scalar)), maxBytes: maxBytes)
        case .left, .control("b"): return move(to: cursor - 1)
        case .right, .control("f"): return move(to: cursor + 1)
        case .home, .control("a"): return move(to: lineStart)
        case .end, .control("e"): return move(to: lineEnd)
        case .backspace, .control("h"): return remove(cursor - 1..<cursor)
        case .delete, .control("d"): return remove(cursor..<cursor + 1)
        case .control("u"): return remove(lineStart..<cursor)
        case .control("k"): return remove(cursor..<lineEnd)
        case .control("w"): return remove(startOfTerm..<cursor)
        default: return .unhandled
        }
    }

    /// Inserts a text at the cursor; where it does not fit as a whole, nothing.
    mutating func insert(_ inserted: String, maxBytes: Int) -> Result {
        guard text.utf8.count + inserted.utf8.count <= maxBytes else { return .full }
        // A combining mark joins the character before the cursor, so the position is counted anew.
        let head = text.prefix(cursor) + inserted
        text = String(head + text.dropFirst(cursor))
        cursor = min(head.count, text.count)
        return .edited
    }

    /// Replaces the characters of a range, and puts the cursor behind the new ones.
    mutating func replace(_ range: Range<Int>, with replacement: String) {
        let head = text.prefix(range.lowerBound) + replacement
        text = String(head + text.dropFirst(range.upperBound))
        cursor = min(head.count, text.count)
    }

    /// Moves the cursor a line up or down; false if there is none.
    mutating func moveLine(by step: Int) -> Bool {
        let column = cursor - lineStart
        if step < 0 {
            guard lineStart > 0 else { return false }
            let end = lineStart - 1
            cursor = min(start(ofLineWith: end) + column, end)
        } else {
            guard lineEnd < text.count else { return false }
            cursor = lineEnd + 1
            cursor = min(cursor + column, lineEnd)
        }
        return true
    }

    private mutating func move(to position: Int) -> Result {
        cursor = min(max(0, position), text.count)
        return .moved
    }

    private mutating func remove(_ range: Range<Int>) -> Result {
        let range = range.clamped(to: 0..<text.count)
        guard !range.isEmpty else { return .moved }
        let (head, tail) = (text.prefix(range.lowerBound), text.dropFirst(range.upperBound))
        text = String(head + tail)
        cursor = min(range.lowerBound, text.count)
        return .edited
    }

    private var lineStart: Int { start(ofLineWith: cursor) }

    private func start(ofLineWith position: Int) -> Int {
        let head = text.prefix(position)
        return head.lastIndex(of: "\n").map { head.distance(from: head.startIndex, to: $0) + 1 } ?? 0
    }

    private var lineEnd: Int {
        let tail = text.dropFirst(cursor)
        return cursor + (tail.firstIndex(of: "\n").map { tail.distance(from: tail.startIndex, to: $0) } ?? tail.count)
    }

    /// The position at which the term before the cursor begins, without the blanks after it.
    private var startOfTerm: Int {
        let characters = Array(text.prefix(cursor))
        var position = characters.count
        while position > 0, characters[position - 1].isWhitespace { position -= 1 }
        while position > 0, !characters[position - 1].isWhitespace { position -= 1 }
        return position
    }
}
