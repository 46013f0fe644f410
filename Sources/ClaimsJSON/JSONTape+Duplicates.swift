// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension JSONTape {
    /// Whether any object at or below `node` has two members of one name, compared unescaped.
    public func hasDuplicates(_ node: Int = 0, in bytes: RawSpan) -> Bool {
        guard node < count else { return false }
        return !supersededNames(in: node, bytes).isEmpty
    }

    /// The first name node in the whole tape that a later member of the same object repeats; nil if there is none.
    public func firstDuplicate(in bytes: RawSpan) -> Int? {
        count == 0 ? nil : supersededNames(in: 0, bytes).first
    }

    /// The name nodes inside `node` that a later member of the same object repeats, ascending.
    ///
    /// Allocates only if an object has many members, or names that look alike at first sight.
    func supersededNames(in node: Int, _ bytes: RawSpan) -> [Int] {
        var found: [Int] = []
        for index in node..<self[node].next where self[index].kind == .object {
            collectSuperseded(of: index, bytes, into: &found)
        }
        // Objects are visited outer ones first, so the names of inner ones may come late.
        if found.count > 1 { found.sort() }
        return found
    }

    private func collectSuperseded(of object: Int, _ bytes: RawSpan, into found: inout [Int]) {
        // Sixty-four bits over the names' lengths and ends: a bit met for the first time is a new name.
        var seen: UInt64 = 0
        var members = 0
        var hasEscapes = false
        let alreadyFound = found.count
        let nodes = nodes.span
        var key = object + 1
        let end = nodes[object].next
        while key < end {
            let node = nodes[key]
            if node.hasEscapes { hasEscapes = true }
            let length = node.end &- node.start
            let mixed = length &* 7 &+ Int(bytes.byte(at: node.start + 1)) &* 3 &+ Int(bytes.byte(at: node.end - 2))
            let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: mixed & 63)
            if seen & bit != 0 || hasEscapes {
                if members > 16 {
                    found.removeSubrange(alreadyFound...)
                    return compareHashed(of: object, bytes, into: &found)
                }
                if let earlier = lastName(equalTo: key, from: object + 1, bytes) { found.append(earlier) }
            }
            seen |= bit
            members += 1
            key = nodes[key + 1].next
        }
    }

    /// The last of the names before `key`, which begin at `first`, that is the same.
    private func lastName(equalTo key: Int, from first: Int, _ bytes: RawSpan) -> Int? {
        let nodes = nodes.span
        let name = nodes[key]
        let length = name.end &- name.start
        var last: Int?
        var other = first
        while other < key {
            let node = nodes[other]
            if node.hasEscapes || name.hasEscapes || node.end &- node.start == length,
                areEqualNames(other, key, bytes)
            {
                last = other
            }
            other = nodes[other + 1].next
        }
        return last
    }

    /// By Swift's seeded hash, so that no upstream can choose names that collide.
    private func compareHashed(of object: Int, _ bytes: RawSpan, into found: inout [Int]) {
        var last: [[UInt8]: Int] = [:]
        var key = object + 1
        let end = self[object].next
        while key < end {
            var name: [UInt8] = []
            appendString(key, in: bytes, to: &name)
            if let earlier = last.updateValue(key, forKey: name) { found.append(earlier) }
            key = self[key + 1].next
        }
    }

    private func areEqualNames(_ left: Int, _ right: Int, _ bytes: RawSpan) -> Bool {
        let other = self[right]
        if !other.hasEscapes {
            return isName(left, bytes.extracting(other.start + 1..<other.end - 1), in: bytes)
        }
        var name: [UInt8] = []
        appendString(right, in: bytes, to: &name)
        return isName(left, name.rawSpan, in: bytes)
    }
}
