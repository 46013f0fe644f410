// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery
import ClaimsTestSupport
import Testing

/// Rules that hold for every filter, tried on many random ones; a failure names the filter.
struct RandomFilterTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `both forms read back as the same filter`(_ seed: UInt64) throws {
        var filters = RandomFilter(seed: seed)
        for _ in 0..<250 {
            let node = filters.node()
            let text = node.text
            let again = try FilterParser.parse(text)
            #expect(again == node, "\(text)")
            #expect(again.text == text)
            #expect(try FilterParser.parse(tree: JSONValue.parse(node.tree.compactBytes)) == node, "\(text)")
        }
    }

    @Test(arguments: 11...18 as ClosedRange<UInt64>)
    func `every spelling of a filter means the same`(_ seed: UInt64) throws {
        var filters = RandomFilter(seed: seed)
        var spelling = FilterSpelling(random: SeededGenerator(seed: seed))
        for _ in 0..<250 {
            let node = filters.node()
            let text = spelling.text(of: node)
            #expect(try FilterParser.parse(text) == node, "\(text)")
        }
    }

    @Test(arguments: 21...28 as ClosedRange<UInt64>)
    func `a typed filter finds what the naive evaluator finds`(_ seed: UInt64) throws {
        var filters = RandomFilter(seed: seed)
        for _ in 0..<250 {
            let node = filters.node()
            #expect(Library.ids(try node.typed(in: Library.context)) == Library.naiveIDs(node), "\(node.text)")
        }
    }

    @Test(arguments: 31...34 as ClosedRange<UInt64>)
    func `days are those of the time zone`(_ seed: UInt64) throws {
        // Ahead by half an hour and some until the 20th, when clocks go back by one.
        let calendar = NaiveCalendar { $0 <= 20_777 ? 330 : 270 }
        let context = FilterContext(definition: Library.definition, now: Library.now) { calendar.startOfDay($0) }
        var filters = RandomFilter(seed: seed)
        for _ in 0..<250 {
            let node = filters.node()
            let found = Library.ids(try node.typed(in: context))
            #expect(found == Library.naiveIDs(node, calendar: calendar), "\(node.text)")
        }
    }
}
