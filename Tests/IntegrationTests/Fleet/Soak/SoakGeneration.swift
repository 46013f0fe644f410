// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport

/// The records of an upstream at one moment, known by a number: from one number to the next some records change, some come
/// and some go, and one record tells the number.
struct SoakGeneration {
    private static let records = 150
    /// The record that tells the number.
    private static let stamp = "stamp"
    /// The time of one number, in milliseconds.
    static let time: Int64 = 10_000

    let number: Int

    /// The generation that an upstream has a while after its start, in milliseconds. Now and then it stays as it is, and now
    /// and then the one before comes back.
    init(after time: Int64) {
        let step = Int(time / Self.time)
        switch step % 8 {
        case 4: number = step - 1
        case 7: number = step - 2
        default: number = step
        }
    }

    init(number: Int) { self.number = number }

    /// The number that records tell; nil where none does.
    static func number(in names: [String: String]) -> Int? {
        names[stamp].flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }

    /// The name of each record, by its id.
    var names: [String: String] {
        var names = [Self.stamp: "generation \(number)"]
        for record in 0..<Self.records where isPresent(record) {
            names["\(record)"] = "record \(record) of \(lastChange(of: record))"
        }
        return names
    }

    /// The answer of the upstream.
    var body: String {
        let records = names.sorted { $0.key < $1.key }.map { "{\"id\":\"\($0.key)\",\"name\":\"\($0.value)\"}" }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    private func isPresent(_ record: Int) -> Bool { Self.chance(record, (number + record) / 16) % 4 != 0 }

    /// The newest number up to this one at which the record got another name.
    private func lastChange(of record: Int) -> Int {
        var number = number
        while number > 0, Self.chance(number, record) % 25 != 0 { number -= 1 }
        return number
    }

    private static func chance(_ first: Int, _ second: Int) -> UInt64 {
        var generator = SeededGenerator(seed: UInt64(first) << 32 | UInt64(second))
        return generator.next() >> 8
    }
}
