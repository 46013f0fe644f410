// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport

/// Random upstream objects whose values lie close together, so that many filters match some of them.
enum FeedObjects {
    private static let titles = ["Water pump", "water  Tap", #"Äpfel \"zwei\""#, "", "  ", "pump", "naïve\\ntea"]
    private static let states = ["new", "OPEN", "shut", "gone", "what", " else ", "o-dd"]
    private static let extras = [#"{"a":[1,2]}"#, #"{ "a" : [1, 2] }"#, "null", "7", #"" ""#, #"[1.0,{"b":"c"}]"#]

    static func instant(_ ms: Int64) -> String {
        var text: [UInt8] = []
        Instant(ms: ms).append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// An object of the collection `shelf`, with most of its fields.
    static func shelf(_ id: Int, _ random: inout SeededGenerator) -> String {
        var members = [#""id":\#(random.oneIn(2) ? "\(id)" : "\"\(id)\"")"#]
        func add(_ name: String, _ value: String) {
            if !random.oneIn(4) { members.append(#""\#(name)":\#(value)"#) }
        }
        add("title", "\"\(titles.randomElement(using: &random) ?? "")\"")
        add("note", "\"\(titles.randomElement(using: &random) ?? "")\"")
        add("state", "\"\(states.randomElement(using: &random) ?? "")\"")
        add("kind", random.oneIn(3) ? "7" : #""large""#)
        add("level", "\(Int.random(in: 0..<6, using: &random))")
        add("price", ["1.0", "1.00", "\"2.50\"", "-3"].randomElement(using: &random) ?? "0")
        add("at", "\"\(instant(FeedFixture.now + Int64.random(in: -200...200, using: &random) * 3_600_000))\"")
        add("day", "\"2027-01-\(Int.random(in: 10..<20, using: &random))\"")
        add("flag", random.oneIn(2) ? "true" : "false")
        add("link", #""https://Example.org/\#(id % 3)""#)
        add("extra", extras.randomElement(using: &random) ?? "1")
        add("other", "\(Int.random(in: 0..<3, using: &random))")
        return "{\(members.shuffled(using: &random).joined(separator: ","))}"
    }

    /// An object of the collection `notes`.
    static func note(_ id: Int, _ random: inout SeededGenerator) -> String {
        let title = titles.randomElement(using: &random) ?? ""
        let at = instant(FeedFixture.now + Int64.random(in: -200...200, using: &random) * 3_600_000)
        return #"{"id":"n\#(id)","title":"\#(title)","level":\#(Int.random(in: 0..<6, using: &random)),"at":"\#(at)"}"#
    }

    /// Adds, replaces and takes away some of the 25 objects of a body, by their numbers.
    static func change(_ body: inout [Int: String], of name: String, _ random: inout SeededGenerator) {
        let share = [2, 5, 30].randomElement(using: &random) ?? 5
        for id in 0..<25 where random.oneIn(share) {
            if random.oneIn(4) {
                body[id] = nil
            } else {
                body[id] = name == "shelf" ? shelf(id, &random) : note(id, &random)
            }
        }
    }
}
