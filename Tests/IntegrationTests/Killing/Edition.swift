// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport

/// One state of an upstream's collection, known by its number: from one to the next some records change, some come and
/// some go, and one record tells the number.
struct Edition {
    /// The outcome that a refresh is to have.
    enum Kind: CaseIterable {
        case whole
        /// The first records only: held where there are many, unless it is accepted.
        case small
        /// Too many records without an id: held.
        case spoilt
        /// No records: held.
        case empty
        /// Not JSON: a failure.
        case broken
    }

    /// Records that no edition is without: what is archived in the tests is of these.
    static let constant = 10
    private static let records = 300
    /// The record that tells the number.
    private static let stamp = "stamp"
    private static let filler = String(repeating: "words that fill the record ", count: 8)

    let number: Int
    let kind: Kind

    /// The title of each record, by id.
    var titles: [String: String] {
        var titles = [Self.stamp: "edition \(number)"]
        let count = kind == .small ? Self.constant : Self.records
        for record in 0..<count where isPresent(record) {
            titles["\(record)"] = "record \(record) of \(lastChange(of: record))"
        }
        return titles
    }

    /// The answer of the upstream.
    var body: String {
        if kind == .empty { return "[]" }
        let records = titles.sorted { $0.key < $1.key }.enumerated().map { index, entry in
            let id = kind == .spoilt && index % 2 == 0 ? "" : #""id":"\#(entry.key)","#
            return "{\(id)\"title\":\"\(entry.value)\",\"text\":\"\(Self.filler)\"}"
        }
        let body = "[" + records.joined(separator: ",\n") + "]"
        return kind == .broken ? String(body.prefix(body.utf8.count / 2)) : body
    }

    /// The number that the served records tell; nil where none does.
    static func number(in titles: [String: String]) -> Int? {
        titles[stamp].flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    private func isPresent(_ record: Int) -> Bool {
        record < Self.constant || Self.chance(record, number / 4) % 4 != 0
    }

    /// The newest edition up to this one in which the record has another title than before.
    private func lastChange(of record: Int) -> Int {
        var number = number
        while number > 0, Self.chance(number, record) % 3 != 0 { number -= 1 }
        return number
    }

    private static func chance(_ first: Int, _ second: Int) -> UInt64 {
        var generator = SeededGenerator(seed: UInt64(first) << 32 | UInt64(second))
        return generator.next() >> 8
    }
}
