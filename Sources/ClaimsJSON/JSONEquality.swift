// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A JSON text and its tape.
public struct JSONTapeSource: ~Escapable {
    let tape: JSONTape
    let bytes: RawSpan

    /// A tape with the bytes that it was parsed from.
    @_lifetime(copy bytes)
    public init(_ tape: JSONTape, _ bytes: RawSpan) {
        self.tape = tape
        self.bytes = bytes
    }
}

/// Compares two JSON values.
///
/// The order of members, white space and escapes do not count. The digits of numbers do: `1.0` is not `1.00`. Of members
/// of one name the last counts.
public struct JSONEquality: ~Escapable {
    /// The number of members above which members in different orders are compared by a hash table.
    private static let maxSearched = 64

    private let left: JSONTape
    private let right: JSONTape
    private let leftBytes: RawSpan
    private let rightBytes: RawSpan
    private let ignored: JSONPointerTree

    @_lifetime(copy left, copy right)
    private init(_ left: JSONTapeSource, _ right: JSONTapeSource, _ ignored: JSONPointerTree) {
        self.left = left.tape
        self.right = right.tape
        leftBytes = left.bytes
        rightBytes = right.bytes
        self.ignored = ignored
    }

    /// Whether two values are the same once what `ignored` leads to is left out of both.
    ///
    /// - Parameters:
    ///   - nodes: the nodes of the values; the roots if not given.
    ///   - ignored: places in both values.
    public static func areEqual(
        _ left: borrowing JSONTapeSource, _ right: borrowing JSONTapeSource, nodes: (left: Int, right: Int) = (0, 0),
        ignoring ignored: JSONPointerTree = JSONPointerTree()
    ) -> Bool {
        guard nodes.left < left.tape.count, nodes.right < right.tape.count else { return false }
        let comparison = JSONEquality(
            JSONTapeSource(left.tape, left.bytes), JSONTapeSource(right.tape, right.bytes), ignored)
        return comparison.areEqual(nodes.left, nodes.right, ignored.isEmpty ? nil : 0)
    }

    /// - Parameter way: the node of `ignored` that the values are at; nil: nothing in them is ignored.
    private func areEqual(_ leftNode: Int, _ rightNode: Int, _ way: Int?) -> Bool {
        if ignored.isEnd(way) { return true }
        let (a, b) = (left[leftNode], right[rightNode])
        guard a.kind == b.kind else { return false }
        if leftBytes.extracting(a.range).equals(rightBytes.extracting(b.range)) { return true }
        switch a.kind {
        case .object: return haveEqualMembers(leftNode, rightNode, way)
        case .array: return haveEqualElements(leftNode, rightNode, way)
        case .string: return (a.hasEscapes || b.hasEscapes) && areEqualStrings(leftNode, rightNode)
        case .number, .true, .false, .null: return false
        }
    }

    private func areEqualStrings(_ leftNode: Int, _ rightNode: Int) -> Bool {
        let b = right[rightNode]
        if !b.hasEscapes {
            return left.isName(leftNode, rightBytes.extracting(b.start + 1..<b.end - 1), in: leftBytes)
        }
        var text: [UInt8] = []
        right.appendString(rightNode, in: rightBytes, to: &text)
        return left.isName(leftNode, text.rawSpan, in: leftBytes)
    }

    private func haveEqualElements(_ leftArray: Int, _ rightArray: Int, _ way: Int?) -> Bool {
        var (leftNode, rightNode) = (leftArray + 1, rightArray + 1)
        let (leftEnd, rightEnd) = (left[leftArray].next, right[rightArray].next)
        var index = 0
        while leftNode < leftEnd || rightNode < rightEnd {
            let child = ignored.child(way, at: index)
            if leftNode < leftEnd, rightNode < rightEnd {
                guard areEqual(leftNode, rightNode, child) else { return false }
            } else if !ignored.isEnd(child) {
                return false
            }
            if leftNode < leftEnd { leftNode = left[leftNode].next }
            if rightNode < rightEnd { rightNode = right[rightNode].next }
            index += 1
        }
        return true
    }

    // MARK: - Members

    private func haveEqualMembers(_ leftObject: Int, _ rightObject: Int, _ way: Int?) -> Bool {
        guard let members = memberCount(leftObject, rightObject) else {
            return haveEqualMembersInAnyOrder(leftObject, rightObject, way)
        }
        var (leftKey, rightKey) = (leftObject + 1, rightObject + 1)
        for _ in 0..<members {
            let child = way == nil ? nil : child(way, named: leftKey, of: left, leftBytes)
            // A value that differs does not count if a later member has the same name.
            if !areEqual(leftKey + 1, rightKey + 1, child), isLast(leftKey, of: leftObject) { return false }
            leftKey = left[leftKey + 1].next
            rightKey = right[rightKey + 1].next
        }
        return true
    }

    /// The number of members if both objects have the same names in the same order; nil if not.
    private func memberCount(_ leftObject: Int, _ rightObject: Int) -> Int? {
        var (leftKey, rightKey) = (leftObject + 1, rightObject + 1)
        let (leftEnd, rightEnd) = (left[leftObject].next, right[rightObject].next)
        var count = 0
        while leftKey < leftEnd, rightKey < rightEnd {
            let (a, b) = (left[leftKey], right[rightKey])
            guard
                leftBytes.extracting(a.range).equals(rightBytes.extracting(b.range))
                    || (a.hasEscapes || b.hasEscapes) && areEqualStrings(leftKey, rightKey)
            else { return nil }
            leftKey = left[leftKey + 1].next
            rightKey = right[rightKey + 1].next
            count += 1
        }
        return leftKey >= leftEnd && rightKey >= rightEnd ? count : nil
    }

    private func isLast(_ key: Int, of object: Int) -> Bool {
        var name: [UInt8] = []
        left.appendString(key, in: leftBytes, to: &name)
        return left.member(name, of: object, in: leftBytes) == key + 1
    }

    private func haveEqualMembersInAnyOrder(_ leftObject: Int, _ rightObject: Int, _ way: Int?) -> Bool {
        let (leftCount, rightCount) = (Self.count(left, leftObject), Self.count(right, rightObject))
        if max(leftCount, rightCount) > Self.maxSearched {
            return areEqual(
                Self.table(left, leftObject, leftBytes), Self.table(right, rightObject, rightBytes), way)
        }
        var name: [UInt8] = []
        var key = leftObject + 1
        while key < left[leftObject].next {
            defer { key = left[key + 1].next }
            name.removeAll(keepingCapacity: true)
            left.appendString(key, in: leftBytes, to: &name)
            guard left.member(name, of: leftObject, in: leftBytes) == key + 1 else { continue }
            let child = ignored.child(way, named: name.rawSpan)
            guard let other = right.member(name, of: rightObject, in: rightBytes) else {
                if ignored.isEnd(child) { continue }
                return false
            }
            guard areEqual(key + 1, other, child) else { return false }
        }
        key = rightObject + 1
        while key < right[rightObject].next {
            defer { key = right[key + 1].next }
            name.removeAll(keepingCapacity: true)
            right.appendString(key, in: rightBytes, to: &name)
            guard left.member(name, of: leftObject, in: leftBytes) == nil else { continue }
            guard ignored.isEnd(ignored.child(way, named: name.rawSpan)) else { return false }
        }
        return true
    }

    private func areEqual(_ leftValues: [[UInt8]: Int], _ rightValues: [[UInt8]: Int], _ way: Int?) -> Bool {
        for (name, node) in leftValues {
            let child = ignored.child(way, named: name.rawSpan)
            guard let other = rightValues[name] else {
                if ignored.isEnd(child) { continue }
                return false
            }
            guard areEqual(node, other, child) else { return false }
        }
        for name in rightValues.keys where leftValues[name] == nil {
            guard ignored.isEnd(ignored.child(way, named: name.rawSpan)) else { return false }
        }
        return true
    }

    private func child(_ way: Int?, named key: Int, of tape: JSONTape, _ bytes: RawSpan) -> Int? {
        let node = tape[key]
        if !node.hasEscapes { return ignored.child(way, named: bytes.extracting(node.start + 1..<node.end - 1)) }
        var name: [UInt8] = []
        tape.appendString(key, in: bytes, to: &name)
        return ignored.child(way, named: name.rawSpan)
    }

    private static func count(_ tape: JSONTape, _ object: Int) -> Int {
        var (key, count) = (object + 1, 0)
        while key < tape[object].next {
            key = tape[key + 1].next
            count += 1
        }
        return count
    }

    /// By name, unescaped, the node of the last value. By Swift's seeded hash, so that no upstream can choose names that
    /// collide.
    private static func table(_ tape: JSONTape, _ object: Int, _ bytes: RawSpan) -> [[UInt8]: Int] {
        var table: [[UInt8]: Int] = [:]
        var key = object + 1
        while key < tape[object].next {
            var name: [UInt8] = []
            tape.appendString(key, in: bytes, to: &name)
            table[name] = key + 1
            key = tape[key + 1].next
        }
        return table
    }
}
