// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsBrowse

@Suite struct KeyDecoderTests {
    private func events(_ text: String) -> [InputEvent] { events(Array(text.utf8)) }

    private func events(_ bytes: [UInt8]) -> [InputEvent] {
        var decoder = KeyDecoder()
        return decoder.read(bytes, at: 0) + decoder.expire(at: .max)
    }

    @Test(
        arguments: [
            ("a", .character("a")), (" ", .character(" ")), ("ł", .character("ł")), ("日", .character("日")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7f}", .backspace), ("\u{8}", .backspace),
            ("\u{0}", .control("@")), ("\u{3}", .control("c")), ("\u{1a}", .control("z")), ("\u{1c}", .control("\\")),
            ("\u{1f}", .control("_")), ("\u{1b}", .escape),
            ("\u{1b}[A", .up), ("\u{1b}OB", .down), ("\u{1b}[C", .right), ("\u{1b}[1;5D", .left), ("\u{1b}Oa", .up),
            ("\u{1b}[a", .up), ("\u{1b}[H", .home), ("\u{1b}OF", .end), ("\u{1b}[1~", .home), ("\u{1b}[4~", .end),
            ("\u{1b}[7~", .home), ("\u{1b}[8$", .end), ("\u{1b}[5~", .pageUp), ("\u{1b}[6;2~", .pageDown),
            ("\u{1b}[6^", .pageDown), ("\u{1b}[2~", .insert), ("\u{1b}[3~", .delete), ("\u{1b}[Z", .backTab),
            ("\u{1b}OP", .function(1)), ("\u{1b}[[E", .function(5)), ("\u{1b}[11~", .function(1)),
            ("\u{1b}[1;2S", .function(4)), ("\u{1b}[17~", .function(6)), ("\u{1b}[24~", .function(12)),
            ("\u{1b}[34~", .function(20)), ("\u{1b}OM", .enter), ("\u{1b}Oq", .character("1")),
        ] as [(String, Key)]) func `each key has its form`(_ text: String, _ key: Key)
    {
        #expect(events(text) == [.key(key)])
    }

    @Test func `an escape character and another one are Esc and that key`() {
        #expect(events("\u{1b}j") == [.key(.escape), .key(.character("j"))])
        #expect(events("\u{1b}\u{1b}[A") == [.key(.escape), .key(.up)])
        #expect(events("\u{1b}ł") == [.key(.escape), .key(.character("ł"))])
        #expect(events("\u{1b}[") == [.key(.escape), .key(.character("["))])
        #expect(events("\u{1b}O") == [.key(.escape), .key(.character("O"))])
    }

    @Test func `an escape character alone is Esc after its time and not before`() {
        var decoder = KeyDecoder()
        #expect(decoder.read([0x1B], at: 100).isEmpty)
        #expect(decoder.deadline == 100 + KeyDecoder.maxEscapeTime)
        #expect(decoder.expire(at: 99 + KeyDecoder.maxEscapeTime).isEmpty)
        #expect(decoder.expire(at: 100 + KeyDecoder.maxEscapeTime) == [.key(.escape)])
        #expect(decoder.deadline == nil)
        #expect(decoder.read(Array("[".utf8), at: 0) == [.key(.character("["))])
    }

    @Test(arguments: [
        "\u{1b}[I", "\u{1b}[?62;4c", "\u{1b}[27;5;9~", "\u{1b}[97;5u", "\u{1b}[<0;1;1m", "\u{1b}[<2;1;1M",
        "\u{1b}[>1 q",
        "\u{1b}[99999999999999999999999~", "\u{1b}[" + String(repeating: "1;", count: 500) + "A", "\u{1b}Oz",
        "\u{1b}[201~",
    ]) func `an unknown sequence is swallowed whole`(_ text: String) {
        #expect(events(text + "j") == [.key(.character("j"))])
    }

    @Test func `a sequence that is broken off hides nothing that follows`() {
        #expect(events("\u{1b}[1;\u{1b}[B") == [.key(.down)])
        #expect(events("\u{1b}[1\u{3}") == [.key(.control("c"))])
    }

    @Test func `bytes that are no UTF-8 are dropped`() {
        #expect(
            events([0xFF, 0x80, 0xC5, 0x61, 0xE0, 0x80, 0x80, 0xC2, 0x9B, 0x62]) == [
                .key(.character("a")), .key(.character("b")),
            ])
        #expect(events([0xED, 0xA0, 0x80, 0xC1, 0xBF, 0xF4, 0x90, 0x80, 0x80]).isEmpty)
    }

    @Test func `the mouse tells presses of its first button and steps of its wheel`() {
        #expect(events("\u{1b}[<0;12;3M\u{1b}[<0;12;3m") == [.press(row: 2, column: 11)])
        #expect(events("\u{1b}[<64;1;1M\u{1b}[<65;1;1M") == [.wheel(-1), .wheel(1)])
        #expect(events("\u{1b}[<32;1;1M").isEmpty)
        #expect(events([0x1B, 0x5B, 0x4D, 32, 33 + 11, 33 + 2]) == [.press(row: 2, column: 11)])
        #expect(
            events([0x1B, 0x5B, 0x4D, 32, 255, 255, 0x6A]) == [
                .press(row: 222, column: 222), .key(.character("j")),
            ])
    }

    @Test func `a paste is one text without line ends and control characters`() {
        #expect(
            events("\u{1b}[200~a\r\nb\nc\td\u{3}\u{1b}[A\u{1b}[201~q") == [
                .paste("a b c d[A"), .key(.character("q")),
            ])
        #expect(events("\u{1b}[200~\u{1b}\u{1b}[201~") == [.paste("")])
        let long = String(repeating: "x", count: KeyDecoder.maxPasteBytes)
        #expect(events("\u{1b}[200~\(long)yz\u{1b}[201~") == [.paste(long)])
    }

    @Test func `a paste that the terminal does not end is over after a silence`() {
        var decoder = KeyDecoder()
        #expect(decoder.read("\u{1b}[200~ab\u{1b}[2".utf8, at: 5).isEmpty)
        #expect(decoder.deadline == 5 + KeyDecoder.maxPasteSilence)
        #expect(decoder.expire(at: 5 + KeyDecoder.maxPasteSilence) == [.paste("ab[2")])
    }

    @Test func `bytes mean the same wherever they are cut`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\u{1b}", "[", "O", "A", "~", "1", ";", "<0;3;4M", "[200~", "\u{1b}[201~", "M", "$", "ł", "日", "👩‍🚒", "\r\n",
            "j",
        ].map { Array($0.utf8) }
        for round in 0..<RandomRounds.count(400) {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                bytes += generator.oneIn(3) ? [UInt8.random(in: 0...255, using: &generator)] : generator.pick(pieces)
            }
            var decoder = KeyDecoder()
            var cut: [InputEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(7, rest.count), using: &generator)
                cut += decoder.read(rest.prefix(count), at: 0)
                rest = rest.dropFirst(count)
            }
            cut += decoder.expire(at: .max)
            #expect(cut == events(bytes), "seed \(seed), round \(round): \(bytes)")
            let controls = cut.contains { event in
                guard case .paste(let text) = event else { return false }
                return text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
            }
            #expect(!controls, "seed \(seed), round \(round)")
        }
    }
}
