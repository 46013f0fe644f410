// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension JSONPointer {
    /// The maximal length of a pointer that was found, in bytes. To a value whose pointer is longer, the pointer of a
    /// value around it is given.
    public static let maxFoundLength = 1024

    /// Finds the way to the byte at `offset` in one JSON value, which may have bad text from there on.
    ///
    /// - Returns: The pointer to the string, number or literal that has the byte. For a byte in the name of a member the
    ///   pointer to the object is given, and `isName` is true.
    public static func toByte(at offset: Int, in value: RawSpan) -> (pointer: JSONPointer, isName: Bool) {
        var path = PathVisitor(offset: offset)
        _ = try? JSONScanner(value, lenientRange: 0..<value.byteCount)
            .walk(from: 0, depth: JSONElements.bodyDepth, into: &path)
        var tokens: [[UInt8]] = []
        var length = 0
        for step in path.found ?? [] {
            var token: [UInt8] = []
            switch step.key {
            case .index(let index): token += String(index).utf8
            case .name(let name): JSONUnescaper.append(value.part(name), to: &token)
            }
            // An escaped character takes one byte more.
            length += 1 + token.count + token.count { $0 == ASCII.tilde || $0 == ASCII.slash }
            guard length <= maxFoundLength else { break }
            tokens.append(token)
        }
        return (JSONPointer(tokens: tokens), path.isName)
    }
}

/// Collects the way to one byte of a value.
private struct PathVisitor: JSONVisitor {
    /// An open container, and which of its values is read.
    struct Step {
        enum Key {
            case index(Int)
            /// The name's bytes, without its quotes.
            case name(Range<Int>)
        }

        let isObject: Bool
        var key = Key.index(-1)
        /// The name of a member has been read, and its value has not.
        var hasName = false

        /// Moves on to the value that begins.
        mutating func beginValue() {
            if case .index(let index) = key { key = .index(index + 1) }
            hasName = false
        }
    }

    let isFull = false
    private let offset: Int
    private var steps: [Step] = []
    /// The containers around the byte, from the outermost; nil before it has been found.
    private(set) var found: [Step]?
    /// Whether the byte is in the name of a member, which is of no container's values.
    private(set) var isName = false

    init(offset: Int) { self.offset = offset }

    mutating func begin(_ kind: JSONKind, at start: Int) {
        if !steps.isEmpty { steps[steps.count - 1].beginValue() }
        steps.append(Step(isObject: kind == .object))
    }

    mutating func finish(before end: Int) -> Bool {
        steps.removeLast()
        return steps.last?.isObject ?? false
    }

    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool) {
        let isHere = found == nil && start <= offset && offset < end
        guard let last = steps.indices.last else {
            if isHere { found = [] }
            return
        }
        if steps[last].isObject, !steps[last].hasName {
            if isHere {
                isName = true
                found = Array(steps.dropLast())
            }
            steps[last].key = .name(start + 1..<end - 1)
            steps[last].hasName = true
            return
        }
        steps[last].beginValue()
        if isHere { found = steps }
    }

    mutating func space() {}
}
