// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct PlainLineTests {
    @Test func `an empty line is the next page, and a number opens its record`() {
        #expect(PlainLine("") == .next)
        #expect(PlainLine("  ") == .next)
        #expect(PlainLine(" 13 ") == .open(13))
        #expect(PlainLine("0") == .unknown("0"))
        #expect(PlainLine("-3") == .unknown("-3"))
    }

    @Test func `letters are those of the keys, with numbers and words behind them`() {
        #expect(PlainLine("a 3") == .act(.archive, numbers: [3], words: "3"))
        #expect(PlainLine("a3") == .act(.archive, numbers: [3], words: "3"))
        #expect(PlainLine("a 3 4") == .act(.archive, numbers: [3, 4], words: "3 4"))
        #expect(PlainLine("f status!=ok") == .act(.filter, numbers: [], words: "status!=ok"))
        #expect(PlainLine("s -status name") == .act(.sort, numbers: [], words: "-status name"))
        #expect(PlainLine("J") == .act(.followingRecord, numbers: [], words: ""))
        #expect(PlainLine("?") == .act(.help, numbers: [], words: ""))
        #expect(PlainLine("l 2") == .open(2))
    }

    @Test func `a slash searches for all that follows it`() {
        #expect(PlainLine("/pump south") == .search("pump south"))
        #expect(PlainLine("/ q ") == .search("q"))
        #expect(PlainLine("/") == .search(""))
    }

    @Test func `b, c and q are of this form alone`() {
        #expect(PlainLine("b") == .previous)
        #expect(PlainLine("c packs") == .choose("packs"))
        #expect(PlainLine("c") == .choose(""))
        #expect(PlainLine("q") == .quit)
    }

    @Test func `a word is no command, though it begins with a letter of one`() {
        #expect(PlainLine("quit now") == .unknown("quit now"))
        #expect(PlainLine("units") == .unknown("units"))
        #expect(PlainLine("ł") == .unknown("ł"))
        #expect(PlainLine("m") == .unknown("m"))
    }

    @Test func `every letter of the keys that is no movement means something in lines`() {
        let movements: Set<BrowseAction> = [
            .nextPage, .previousPage, .nextTab, .previousTab, .chooseTab, .mouse, .redraw, .quit,
        ]
        for binding in BrowseKeys.bindings where !movements.contains(binding.action) {
            for case .character(let letter) in binding.keys {
                let line = PlainLine("\(letter) 3")
                #expect(line != .unknown("\(letter) 3"), "\(letter)")
            }
        }
    }

    @Test func `the help names each letter once, and what is refused with what it lacks`() {
        let letters = PlainHelp.letters.map(\.action)
        #expect(Set(letters).count == letters.count)
        for action in letters { #expect(BrowseKeys.binding(of: action) != nil) }
        let lines = PlainHelp(.english, roles: ["read"], CollectionDescription.example).lines
        #expect(lines.contains("/TEXT: search for words; / alone shows all again"))
        #expect(
            lines.contains {
                $0.hasPrefix("a 3: (archive record 3, or take it out; a 3 5 7 takes several) Needs the role archive")
            })
        #expect(lines.contains { $0.hasPrefix("n: (new record) Books: read-only") })
        #expect(
            PlainHelp(.polish, roles: ["read", "admin"], .example).lines.contains("A: przyjmij wstrzymane dane (pyta)"))
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func `lines come out however the bytes are cut`(size: Int) {
        let bytes = Array("a 3\r\n\n/łódź\nlast".utf8)
        var lines = PlainLines()
        var found: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines.append(bytes[start..<min(bytes.count, start + size)])
            while let line = lines.next() { found.append(line) }
        }
        #expect(found == ["a 3", "", "/łódź"])
        lines.end()
        let outcome1 = lines.next()
        #expect(outcome1 == "last")
        let outcome2 = lines.next()
        #expect(outcome2 == nil)
    }

    @Test func `a line without an end does not fill the memory`() {
        var lines = PlainLines()
        lines.append([UInt8](repeating: 0x61, count: PlainLines.maxLineBytes + 1)[...])
        let outcome3 = lines.next()?.utf8.count
        #expect(outcome3 == PlainLines.maxLineBytes)
    }
}

extension CollectionDescription {
    /// A collection that can only be read.
    static let example = CollectionDescription(
        name: "books", title: "Books", singular: "book", fields: [], list: ["id"])
}
