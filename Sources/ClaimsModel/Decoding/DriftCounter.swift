// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Counts drift as records go by, without allocating once a kind of drift has been met.
struct DriftCounter: Sendable {
    let fields: [Field]
    /// Values, each after the number of its field in two bytes.
    private var values = ByteTable()
    private var valueCounts: [Int] = []
    private var memberCounts: [Int] = []
    /// Seven places, one for each kind of JSON value, for each field.
    private var typeCounts: [Int]
    private var unlisted = 0
    private var key: [UInt8] = []

    init(fields: [Field]) {
        self.fields = fields
        typeCounts = [Int](repeating: 0, count: fields.count * Self.kinds)
    }

    private static let kinds = 7

    mutating func countType(_ field: Int, found: JSONKind) {
        typeCounts[field * Self.kinds + Int(found.rawValue)] += 1
    }

    /// Counts a new member by its number among the new ones.
    mutating func countMember(_ number: Int) {
        if number == memberCounts.count { memberCounts.append(0) }
        memberCounts[number] += 1
    }

    mutating func countUnlisted() { unlisted += 1 }

    mutating func countValue(_ field: Int, _ value: RawSpan) {
        guard value.byteCount <= DriftReport.longestText else { return countUnlisted() }
        key.removeAll(keepingCapacity: true)
        key.append(UInt8(truncatingIfNeeded: field >> 8))
        key.append(UInt8(truncatingIfNeeded: field))
        key.append(bytes: value)
        if let number = values.find(key.rawSpan) {
            valueCounts[number] += 1
        } else if values.count < DriftReport.longestList {
            _ = values.insert(key)
            valueCounts.append(1)
        } else {
            countUnlisted()
        }
    }

    func report(newMembers names: [String]) -> DriftReport {
        DriftReport(
            newValues: valueCounts.indices.map { number in
                let key = values[number]
                let field = Int(key.byte(at: 0)) << 8 | Int(key.byte(at: 1))
                let value = key.extracting(2..<key.byteCount).text
                return .init(field: fields[field].name, value: value, count: valueCounts[number])
            },
            newMembers: zip(names, memberCounts).map { .init(name: $0, count: $1) },
            typeChanges: typeCounts.indices.filter { typeCounts[$0] > 0 }.map { place in
                let field = fields[place / Self.kinds]
                return .init(
                    field: field.name, expected: field.type,
                    found: JSONKind(rawValue: UInt8(place % Self.kinds)) ?? .null, count: typeCounts[place])
            },
            unlisted: unlisted)
    }
}
