// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsRefresh
import ClaimsTestSupport
import Testing

@Suite("Drafts of random documents")
struct RandomDraftTests {
    @Test("A draft has no problems, decodes every record, and fits every value, unless nothing can be the id.")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var documents = RandomDocuments(seed: seed)
        for round in 0..<RandomRounds.count(150) {
            let body = documents.next()
            do {
                let definition = try Drafting.draft(body)
                let outcome = try Drafting.decode(body, definition)
                #expect(outcome.quarantined == [] && outcome.wrong == 0, "seed \(seed), round \(round): \(body)")
            } catch let error as DraftError {
                switch error {
                case .noID, .repeatedID: continue
                default: Issue.record("seed \(seed), round \(round): \(error) of \(body)")
                }
            }
        }
    }
}

/// Arrays of objects that resemble each other more or less.
private struct RandomDocuments {
    private var generator: SeededGenerator
    private static let names = [
        "id", "Name", "updated_at", "any", "next", "Ünïcode", "a/b", "~t", "x\\ny", "2x", "", "state", "meta",
        "deletedAt",
        "\\u2028", "\\\"", "*/",
    ]
    private static let texts = [
        "", " ", "ok", "OK", "faulty", "2026-11-20", "2026-11-20T08:00:00Z", "https://x.example", "12", "1.50", "-0",
        "a\\nb", "\\u2029", "zażółć", "1e99", "a b", "a_b", "\\u0000", "unknown",
    ]
    private static let numbers = [
        "0", "-1", "12345678901234567890", "1.0", "2.5", "1e3", "1e99999999999999999999", "-0",
    ]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> String {
        let shape = (0..<Int.random(in: 1...6, using: &generator)).map { _ in generator.pick(Self.names) }
        let records = (0..<Int.random(in: 1...30, using: &generator)).map { number in
            let others = members(shape, depth: 0)
            if generator.oneIn(200) { return "{\(others)}" }
            return others.isEmpty ? "{\"key\":\(number)}" : "{\"key\":\(number),\(others)}"
        }
        let array = "[\(records.joined(separator: ","))]"
        return generator.oneIn(2)
            ? array : "{\"next\":\(value(depth: 3)),\"d\":{\"\(generator.pick(Self.names))\":\(array)}}"
    }

    private mutating func members(_ shape: [String], depth: Int) -> String {
        let names = generator.oneIn(4) ? shape + [generator.pick(Self.names)] : shape
        return names.filter { _ in !generator.oneIn(6) }.map { "\"\($0)\":\(value(depth: depth))" }
            .joined(separator: ",")
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 5 ? 8 : 11), using: &generator) {
        case 0: return "null"
        case 1: return "true"
        case 2...5: return "\"\(generator.pick(Self.texts))\""
        case 6, 7: return generator.pick(Self.numbers)
        case 8: return "[\(value(depth: depth + 1))]"
        default: return "{\(members(["id", "Name", "state"], depth: depth + 1))}"
        }
    }
}
