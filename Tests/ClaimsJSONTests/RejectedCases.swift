// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension GrammarCase {
    /// The texts that every reader must refuse: the families of JSONTestSuite's `n_` files, in bytes of our own.
    static let rejected: [GrammarCase] =
        rejectedArrays + rejectedNumbers + rejectedObjects + rejectedStrings + rejectedStructures + rejectedEncodings

    private static let rejectedArrays: [GrammarCase] = [
        GrammarCase("no comma between elements", "[3 false]"),
        GrammarCase("array of a letter and a stray byte", raw: "[b\u{E5}]"),
        GrammarCase("colon instead of comma", #"["": 2]"#),
        GrammarCase("comma after the array", #"[""],"#),
        GrammarCase("comma before a number", "[,4]"),
        GrammarCase("double comma", "[5,,6]"),
        GrammarCase("double comma at the end", #"["q",,]"#),
        GrammarCase("extra bracket", #"["q"]]"#),
        GrammarCase("trailing comma", #"["",]"#),
        GrammarCase("unclosed array of a string", #"["q""#),
        GrammarCase("unclosed array of a bad value", "[q"),
        GrammarCase("inner array without comma", "[7[8]]"),
        GrammarCase("stray byte as a value", raw: "[\u{FF}]"),
        GrammarCase("semicolon between elements", "[4:5;6]"),
        GrammarCase("only a comma", "[,]"),
        GrammarCase("only a minus", "[-]"),
        GrammarCase("missing value before a comma", #"[   , "" ]"#),
        GrammarCase("unclosed over lines", "[\"q\",\n8\n,7,"),
        GrammarCase("number and comma", "[4,]"),
        GrammarCase("number and several commas", "[4,,,]"),
        GrammarCase("vertical tab and form feed", "[\"\u{B}q\"\\f]"),
        GrammarCase("star inside", "[*]"),
        GrammarCase("unclosed array of empty string", #"["""#),
        GrammarCase("unclosed with trailing comma", "[9,"),
        GrammarCase("unclosed with newlines", "[9,\n8\n,8"),
        GrammarCase("unclosed with an object inside", "[{}"),
        GrammarCase("incomplete false", "[fals]"),
        GrammarCase("incomplete null", "[nul]"),
        GrammarCase("incomplete true", "[tru]"),
    ]

    private static let rejectedNumbers: [GrammarCase] =
        [
            "321\u{0}", "[++4321]", "[+3]", "[+Inf]", "[-07]", "[-3.0.]", "[-4.]", "[-NaN]", "[.-3]", "[.7e-8]",
            "[0.3.4]", "[0.4e+]", "[0.4e]", "[0.e2]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[3.0e+]", "[3.0e-]", "[3.0e]",
            "[3 000.0]", "[3eE4]", "[5.e+6]", "[5.e-6]", "[5.e6]", "[8.e+]", "[Inf]", "[NaN]", "[\u{FF12}]", "[3+4]",
            "[0x7]", "[0x77]", "[Infinity]", "[0e+-2]", "[-321.654qux]", "[-Infinity]", "[-qux]", "[- 3]", "[-034]",
            "[-.321]", "[-3x]", "[3ea]", "[3.]", "[.321]", "[3.8qb-]", "[3.8011670033033330-]", "[034]", "[-00.5]",
            "[-00e5]", "[00.5]", "[00e5]", "-", "-0e", "1.", "1e", "01", "00",
        ].map { GrammarCase("number \($0)", $0) } + [
            GrammarCase("stray byte in a bigger integer", raw: "[321\u{E5}]"),
            GrammarCase("stray byte in an exponent", raw: "[3e2\u{E5}]"),
            GrammarCase("stray byte after 0", raw: "[0\u{E5}]\n"),
            GrammarCase("stray byte after e", raw: "[3e\u{E5}]"),
        ]

    private static let rejectedObjects: [GrammarCase] = [
        GrammarCase("bad value", #"["k", truth]"#),
        GrammarCase("bracket as key", "{[: \"k\"}\n"),
        GrammarCase("comma instead of colon", #"{"k", null}"#),
        GrammarCase("double colon", #"{"k"::"v"}"#),
        GrammarCase("emoji as key", "{\u{1F1F5}\u{1F1F1}}"),
        GrammarCase("garbage before the end", #"{"k":"v" 321}"#),
        GrammarCase("single quotes", "{'k':7}"),
        GrammarCase("stray byte in a key, trailing comma", raw: "{\"\u{B7}\":\"7\",}"),
        GrammarCase("missing colon", #"{"k" v}"#),
        GrammarCase("missing key", #"{:"v"}"#),
        GrammarCase("missing colon between strings", #"{"k" "v"}"#),
        GrammarCase("missing value", #"{"k":"#),
        GrammarCase("no colon at the end", #"{"k""#),
        GrammarCase("number as key", "{7:7}"),
        GrammarCase("huge number as key", "{88888E888:7}"),
        GrammarCase("literals as members", "{null:null,null:null}"),
        GrammarCase("several trailing commas", #"{"id":7,,,,,}"#),
        GrammarCase("single-quoted member", "{'k':7}"),
        GrammarCase("trailing comma", #"{"id":7,}"#),
        GrammarCase("trailing comment", #"{"k":"v"}/**/"#),
        GrammarCase("open trailing comment", #"{"k":"v"}/**//"#),
        GrammarCase("trailing line comment", #"{"k":"v"}//"#),
        GrammarCase("half a comment", #"{"k":"v"}/"#),
        GrammarCase("two commas in a row", #"{"k":"v",,"l":"w"}"#),
        GrammarCase("unquoted key", #"{k: "v"}"#),
        GrammarCase("unterminated value", #"{"k":"v"#),
        GrammarCase("single string", #"{ "only" : "one", "q" }"#),
        GrammarCase("number sign after", #"{"k":"v"}#"#),
    ]

    private static let rejectedStrings: [GrammarCase] =
        [
            " ", #"["\uD8FF\"]"#, #"["\uD8FF\u"]"#, #"["\uD8FF\u7"]"#, #"["\uD8FF\u7x"]"#, "[\u{F3}]", "[\"\\\u{0}\"]",
            #"["\x7f"]"#, #"["\\\"]"#, "[\"\\\t\"]", "[\"\\\u{1F680}\"]", #"["\"]"#, #"["\u00Q"]"#, #"["\uD83D\uDE"]"#,
            #"["\uD8FF\uD8FF\x"]"#, #"["\q"]"#, #"["\uz123"]"#, "[\\u0020\"qux\"]", #"[\n]"#, "\"", "['one quote']",
            "qux", #"["\"#, "[\"q\u{0}q\"]", "[\"line\nline\"]", "[\"\t\"]", #""\U0041BC""#, #""x"y"#, #"["\0"]"#,
            #"["\'"]"#, "\"\u{1F}\"", "\"\u{1}\"",
        ].map { GrammarCase("string \($0)", $0) } + [
            GrammarCase("stray byte in an escape", raw: "[\"\\u\u{E5}\"]"),
            GrammarCase("stray byte as an escape", raw: "[\"\\\u{E5}\"]"),
        ]

    private static let rejectedStructures: [GrammarCase] =
        [
            "[\u{2060}]", "\u{FEFF}", "<.>", "[<null>]", "[5]y", "[5]]", #"["pqr]"#, "pq\u{FC}", "[True]", "7]",
            #"{"y": false,"#, "[][]", "]", "[", "", "[\u{0}]", "4@", "{}}", #"{"":"#, #"{"k":/*note*/"v"}"#,
            #"{"k": false} "y""#, "['", "[,", "[{", #"["q"#, #"["q""#, "{", "{]", "{,", "{[", #"{"q"#, "{'q'",
            #"["\{["\{["\{["\{"#, "\u{EB}", "*", #"{"k":"v"}#{}"#, #"[\u000A""]"#, "[7", "[ true, nul", "[ false, fals",
            "[ false, tru", #"{"zxc":"vbn""#, "\u{EE}", "\u{2060}", "\u{C}[]", "\u{B}[]", "\u{A0}[]", "[]\u{0}",
            "\u{FEFF}[]", "nullnull", "tru", "truex", "[1]2", "/**/1", "#", ",", ":", #"{"a":1 "b":2}"#, "[[]", "{{}}",
        ].map { GrammarCase("structure \($0)", $0) } + [
            GrammarCase("100,000 open arrays", String(repeating: "[", count: 100_000)),
            GrammarCase("50,000 open arrays of objects", String(repeating: #"[{"":"#, count: 50_000) + "\n"),
            GrammarCase("incomplete byte order mark", raw: "\u{EF}\u{BB}{}"),
            GrammarCase("lone stray byte", raw: "\u{E5}"),
        ]

    /// Left open by the RFC or the suite (its `i_` files); we refuse them.
    private static let rejectedEncodings: [GrammarCase] =
        [
            #"{"\uDFAA":0}"#, #"["\uDADA"]"#, #"["\uD888\u1234"]"#, #"["\uD800\n"]"#, #"["\uDd1e\uD834"]"#,
            #"["\uDFAA"]"#,
            #"["\uD800\uD800\n"]"#, #"["\ud800"]"#, #"["\ud800abc"]"#, #"["\uDC00\uDC00"]"#,
        ].map { GrammarCase("surrogate \($0)", $0) }
        + [
            "\u{E9}", "\u{80}", "\u{BF}", "\u{C0}\u{AF}", "\u{C1}\u{BF}", "\u{E0}\u{80}\u{AF}", "\u{E0}\u{9F}\u{BF}",
            "\u{ED}\u{A0}\u{80}", "\u{ED}\u{BF}\u{BF}", "\u{F0}\u{8F}\u{BF}\u{BF}", "\u{F4}\u{90}\u{80}\u{80}",
            "\u{F5}\u{80}\u{80}\u{80}", "\u{F8}\u{88}\u{80}\u{80}\u{80}", "\u{FC}\u{83}\u{BF}\u{BF}\u{BF}\u{BF}",
            "\u{FE}", "\u{FF}", "\u{E0}\u{FF}", "\u{E2}\u{82}", "\u{F0}\u{9F}\u{98}", "\u{C3}(", "\u{E2}\u{28}\u{A1}",
            "\u{E2}\u{82}\u{28}", "\u{F0}\u{28}\u{8C}\u{BC}", "\u{F0}\u{90}\u{28}\u{BC}", "\u{F0}\u{90}\u{8C}\u{28}",
        ].map { raw in
            GrammarCase("bytes \(raw.unicodeScalars.map { String($0.value, radix: 16) })", raw: "[\"ab\(raw)\"]")
        } + [
            GrammarCase("UTF-16, big endian", raw: "\0[\0\"\0\u{E9}\0\"\0]"),
            GrammarCase("UTF-16, little endian", raw: "[\0\"\0\u{E9}\0\"\0]\0"),
            GrammarCase("UTF-16 with its mark", raw: "\u{FF}\u{FE}[\0\"\0\u{E9}\0\"\0]\0"),
        ]
}
