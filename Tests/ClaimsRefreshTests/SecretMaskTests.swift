// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsRefresh
import Foundation
import Testing

/// Secrets in what an upstream echoes, and in the addresses that were asked.
struct SecretMaskTests {
    private let mask = SecretMask([Array("s3/cr+et \"x".utf8)])

    @Test(arguments: [
        "s3/cr+et \"x", #"s3/cr+et \"x"#, #"s3\/cr+et \"x"#, "s3%2Fcr%2Bet%20%22x", "s3%2fcr%2bet+%22x",
        "czMvY3IrZXQgIng=", "czMvY3IrZXQgIng%3D", "czMvY3IrZXQgIng%3d",
        // The way of each framework: some leave `/`, some encode one character alone, some encode twice.
        "s3/cr%2Bet%20%22x", "s3/cr+et &quot;x", "s3/cr&#43;et&#32;&#x22;x", "s3&sol;cr&plus;et &quot;x",
        #"s3/cr\u002bet \u0022x"#, #"s3\u002Fcr+et\u0020\"x"#, #"s3/cr\x2bet \x22x"#, "s3%252Fcr%252Bet%2520%2522x",
        "s3/cr+et &amp;quot;x", #"s3/cr\\u002bet \\u0022x"#, "73332f63722b6574202278",
        "73332F63722B6574202278", "czMvY3IrZXQgIng", "Y3pNdlkzSXJaWFFnSW5nPQ==", "czMvY3Ir\r\nZXQgIng=",
        // HTML of browsers: without `;` before letters, with zeros.
        "s3/cr&#43et &quot;x", "s3/cr&#x2b;et &quotx", "&#x00000073;3/cr+et&#0000032\"x",
        "s3=2Fcr=2Bet=20\"x", "=73=33=2F=63=72=2B=65=74=20=22=78", "s3/cr=\r\n+et \"x", #"s3/cr\u{2b}et \u{000022}x"#,
        #"s3/cr\053et \042x"#, "s3/cr\n+et \"x", "s3/cr&shy;+et \"x", "s3/cr\u{200B}+et \"x",
        "73:33:2f:63:72:2b:65:74:20:22:78", "73 33 2F 63 72 2B 65 74 20 22 78",
        "0x73, 0x33, 0x2f, 0x63, 0x72, 0x2b, 0x65, 0x74, 0x20, 0x22, 0x78",
        "115, 51, 47, 99, 114, 43, 101, 116, 32, 34, 120", "cwAzAC8AYwByACsAZQB0ACAAIgB4AA==",
        "0073 0033 002f 0063 0072 002b 0065 0074 0020 0022 0078",
    ])
    func `a secret is hidden in each form in which it is echoed`(form: String) {
        #expect(mask.text("the key \(form) is wrong") == "the key *** is wrong")
        #expect(mask.value(.string(form)) == .string("***"))
    }

    @Test(arguments: [
        ("dXNlcjpzMy9jcitldCAieA==", "dXNlcj***"), ("eDpzMy9jcitldCAieDp5", "eD***p5"), ("00733332f", "00733332f"),
        ("key s3%2Fcr%2", "key ***"), ("key s3\\u002Fcr\\u00", "key ***"), ("key czMvY3Ir", "key ***"),
        ("100% &amp; \\u0041 %zz \\q &nothing; aGVsbG8=", "100% &amp; \\u0041 %zz \\q &nothing; aGVsbG8="),
    ])
    func `what is around a secret stays, and a beginning at the end goes`(text: String, told: String) {
        #expect(mask.text(text) == told)
    }

    @Test(
        arguments: [1, 2, 3, 4, 5, 6, 7],
        [
            "&#%d;", "&#%d", "&#x%x;", "\\u{%x}", "=%X", "%%%x", "%02x:", "%d ", "%02x ", "0x%02x, ", "%c\u{200B}",
            "%c<wbr>", "%c\u{AD}", "%c\n",
        ])
    func `a long secret that a text is cut within is hidden from its beginning`(cut: Int, format: String) {
        let secret = Array("token-".utf8) + (0..<114).map { UInt8(0x41 + $0 * 7 % 26) }
        let mask = SecretMask([secret])
        let encoded = secret.map { $0.formatted(format) }.joined()
        let text = mask.text(Array(encoded.utf8.dropLast(cut)))
        #expect(text.hasPrefix("***") && text.utf8.count < 12, "\(text)")
        #expect(mask.text(String(repeating: " ", count: cut) + encoded, upTo: 256).utf8.count < 20)
        let adjoining = mask.text(String(repeating: "y", count: cut) + encoded, upTo: 256)
        #expect(adjoining.utf8.count < 20, "\(adjoining)")
    }

    @Test func `a secret is hidden in the character set of a server`() {
        let mask = SecretMask([Array("clé-żółć".utf8), Array("clé-secrète".utf8)])
        #expect(mask.text("<cl%E9-secr%E8te> <cl\u{e9}-%C5%BC%C3%B3%C5%82%C4%87>") == "<***> <***>")
    }

    @Test func `a secret with escapes of its own is found as it is and encoded`() {
        let mask = SecretMask([Array(#"a%41&amp;\u0042"#.utf8), Array("żółć-€".utf8)])
        for form in [
            #"a%41&amp;\u0042"#, "a%2541%26amp;%5Cu0042", #"a%41\u0026amp;\\u0042"#, #"a%41&amp;amp;\u0042"#,
            #"\u017c\u00f3\u0142\u0107-\u20ac"#, "%C5%BC%C3%B3%C5%82%C4%87-%E2%82%AC",
            "&#380;&#243;&#322;&#x107;-&#8364;",
        ] {
            #expect(mask.text("<\(form)>") == "<***>", "\(form)")
        }
    }

    @Test func `long texts are searched as far as they are shown`() {
        let long = String(repeating: "ab%2F", count: 100_000)
        #expect(mask.text(long, upTo: 20) == "ab%2Fab%2Fab%2Fab%2F…")
        #expect(
            mask.text(String(repeating: "a", count: 15) + "s3%2Fcr%2Bet%20%22x" + long, upTo: 20).hasPrefix(
                "aaaaaaaaaaaaaaa***"))
        let array = JSONValue.array([JSONValue](repeating: .string("s3/cr+et \"x"), count: 10_000))
        let text = mask.value(array).string ?? ""
        #expect(text.hasPrefix(#"["***","***","#) && !text.contains("s3/"))
    }

    @Test(arguments: [
        ("https://e.example/a?b=1", "https://e.example/a?b=1"),
        ("https://e.example/a?api_key=abc&b=1", "https://e.example/a?api_key=***&b=1"),
        ("https://e.example/a?b&X-Sig=a=b", "https://e.example/a?b&X-Sig=***"),
        ("https://e.example/a?access_token=7&pageToken=8", "https://e.example/a?access_token=***&pageToken=8"),
        ("https://e.example/a?author=me&keyword=pump", "https://e.example/a?author=me&keyword=pump"),
        ("https://e.example/a?q=s3%2Fcr%2Bet%20%22x", "https://e.example/a?q=***"),
    ])
    func `an address is told without its secrets`(url: String, told: String) {
        #expect(mask.address(url) == told)
    }

    @Test func `the secrets of an address are known by the names of their parameters`() {
        #expect(SecretMask.secrets(in: "https://e.example/a?key=abc&page=2&next_token=d&sig=e") == ["abc", "e"])
        #expect(SecretMask.secrets(in: "https://e.example/key=abc").isEmpty)
    }
}

extension UInt8 {
    /// The number as C's printf writes it.
    fileprivate func formatted(_ format: String) -> String { String(format: format, Int(self)) }
}
