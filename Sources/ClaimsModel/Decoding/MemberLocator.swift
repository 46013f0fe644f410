// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Finds the members of a record that a definition uses, and keeps the names of those it does not.
struct MemberLocator: Sendable {
    /// The names that the definition uses, then new ones seen upstream, up to a cap.
    private var names: ByteTable
    private let knownNames: Int
    /// For each name that the definition uses, the node of its value in the record at hand, or -1.
    private(set) var nodes: [Int]
    /// For each name, after one for the beginning, which name followed it last; -1 for none yet. Records of one
    /// upstream have their members in one order, so this saves most look-ups.
    private var followers: [Int]
    private var unescaped: [UInt8] = []

    init(names: ByteTable) {
        self.names = names
        knownNames = names.count
        followers = [Int](repeating: -1, count: names.count + 1)
        nodes = [Int](repeating: -1, count: names.count)
    }

    /// The names met that the definition does not use.
    var newNames: [String] { (knownNames..<names.count).map { names[$0].text } }

    /// Goes through the members of the object on `tape`; of several of one name the last counts.
    mutating func locate(_ tape: JSONTape, _ bytes: RawSpan, _ drifts: inout DriftCounter) {
        for index in nodes.indices { nodes[index] = -1 }
        let end = tape[0].next
        var key = 1
        var previous = 0
        while key < end {
            let name = tape[key]
            let value = key &+ 1
            let number: Int?
            if name.hasEscapes {
                unescaped.removeAll(keepingCapacity: true)
                tape.appendString(key, in: bytes, to: &unescaped)
                number = names.find(unescaped.rawSpan)
            } else {
                let text = bytes.extracting(name.start &+ 1..<name.end &- 1)
                let guess = followers[previous]
                number = guess >= 0 && names[guess].equals(text) ? guess : names.find(text)
            }
            if let number {
                followers[previous] = number
                previous = number &+ 1
            }
            if let number, number < knownNames {
                nodes[number] = value
            } else {
                countNew(number, key, tape, bytes, &drifts)
            }
            key = tape[value].next
        }
    }

    private mutating func countNew(
        _ number: Int?, _ key: Int, _ tape: JSONTape, _ bytes: RawSpan, _ drifts: inout DriftCounter
    ) {
        if let number { return drifts.countMember(number - knownNames) }
        unescaped.removeAll(keepingCapacity: true)
        tape.appendString(key, in: bytes, to: &unescaped)
        guard names.count - knownNames < DriftReport.longestList, unescaped.count <= DriftReport.longestText else {
            return drifts.countUnlisted()
        }
        drifts.countMember(names.insert(unescaped) - knownNames)
        followers.append(-1)
    }
}
