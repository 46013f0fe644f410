// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport

/// Random upstream objects for `Shelf`: few values that often meet, and what orders and indexes may get wrong.
struct ShelfObjects {
    var chance: SeededGenerator
    /// How many different ids there are to draw from.
    var ids = 100_000
    /// Whether each record also has a word in its note that no other has.
    var hasOwnWords = false

    private var made = 0

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    mutating func objects(_ count: Int) -> [String] {
        (0..<count).map { _ in object() }
    }

    /// - Parameter known: the id; nil: a random one.
    mutating func object(id known: String? = nil) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", known ?? id())
        if !chance.oneIn(8) { writer.member("title", text(1...6)) }
        if hasOwnWords {
            made += 1
            writer.member("note", "\(text(0...12)) ref-\(200_000 + made * 7)/\(made % 97)")
        } else if chance.oneIn(3) {
            writer.member("note", text(0...12))
        }
        if !chance.oneIn(4) { writer.member("place", text(1...2)) }
        if !chance.oneIn(5) {
            writer.member("state", chance.pick(["new", "OPEN", "shut", "gone", "BROKEN", "Lost 1"]))
        }
        if !chance.oneIn(3) { writer.member("kind", chance.pick(["small", "large", "huge"])) }
        if !chance.oneIn(6) { writer.member("level", Int.random(in: -5...20, using: &chance)) }
        if !chance.oneIn(3) { writer.member("price", raw: Array(chance.pick(Self.prices).utf8)) }
        if !chance.oneIn(3) { writer.member("at", "2026-11-0\(Int.random(in: 1...9, using: &chance))T08:01:02Z") }
        if !chance.oneIn(3) { writer.member("day", "2026-11-1\(Int.random(in: 0...9, using: &chance))") }
        if !chance.oneIn(3) { writer.member("flag", chance.oneIn(2)) }
        if !chance.oneIn(3) { writer.member("link", chance.pick(Self.links)) }
        if chance.oneIn(4) { writer.member("extra", raw: Array(#"{"a":[1,{"b":null}]}"#.utf8)) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private mutating func id() -> String {
        let number = Int.random(in: 0..<ids, using: &chance)
        return chance.oneIn(5) ? chance.pick(["A-\(number)", "a\(number)", "00\(number)", "x\(number)y"]) : "\(number)"
    }

    private mutating func text(_ words: ClosedRange<Int>) -> String {
        (0..<Int.random(in: words, using: &chance)).map { _ in word() }.joined(separator: chance.oneIn(9) ? "\t " : " ")
    }

    private mutating func word() -> String {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: "w\(Int.random(in: 0..<5000, using: &chance))"
        case 1: chance.pick(Self.rare)
        default: chance.pick(Self.frequent)
        }
    }

    static let frequent = [
        "water", "Water", "WATER", "damage", "the", "a", "pump", "pumps", "pumping", "of", "Straße", "STRASSE",
        "wysłana",
        "Łódź", "réunion", "c++", "d'Ivoire", "ui", "es", "quiet",
    ]
    static let rare = [
        "a\u{1}b", "a", "a\u{7f}", String(repeating: "long", count: 9), String(repeating: "long", count: 9) + "er",
        "日本語",
        "ab", "abc", "abcd", "b\u{2}", "\u{301}",
    ]
    static let prices = ["1", "1.0", "1.50", "-3", "1e3", "0.1", "12345678901234567890.5", "-0.001", "999"]
    static let links = [
        "https://a.example/x", "https://a.example/X", "HTTPS://b.example/ß", "https://a.example/x/y",
        "https://c.example",
    ]
}
