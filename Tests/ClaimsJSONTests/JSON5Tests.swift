// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

@Suite struct JSON5Tests {
    static func parse(_ text: String) throws(JSON5Error) -> JSON5Node {
        try JSON5.parse(Array(text.utf8), file: "f.json5")
    }

    /// The tree without its positions.
    static func plain(_ node: JSON5Node) -> JSONValue {
        switch node.value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(plain))
        case .object(let members): .object(JSONObject(members.map { .init($0.key, plain($0.node)) }))
        }
    }

    static func value(_ text: String) throws(JSON5Error) -> JSONValue { plain(try parse(text)) }

    @Test func `the kitchen sink of relaxations is read`() throws {
        let text = """
            // a line comment
            {
              /* a block
                 comment **/
              bare: 'single "quoted"', "quoted": "double 'quoted'", 'k': 0x1F,
              $dollar_1: +.5, _under: 5., żółw: -Infinity,
              \\u0061b\\u0063: 1,
            }
            """
        #expect(
            try Self.value(text) == [
                "bare": "single \"quoted\"", "quoted": "double 'quoted'", "k": 31, "$dollar_1": .number("0.5"),
                "_under": 5, "żółw": .number("-Infinity"), "abc": 1,
            ])
    }

    @Test func `trailing commas end arrays and objects, but do not make them`() throws {
        #expect(try Self.value("[1,]") == [1])
        #expect(try Self.value("{a:1,}") == ["a": 1])
        #expect(try Self.value("[]") == [] && Self.value("{}") == [:])
        for text in ["[,]", "{,}", "[1,,]", "{a:1,,}", "[,1]"] {
            #expect(throws: JSON5Error.self) { try Self.value(text) }
        }
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "-0"), ("+7", "7"), (".25", "0.25"), ("-.5", "-0.5"), ("5.", "5"), ("5.e2", "5e2"),
        ("1.50", "1.50"), ("1E+3", "1e3"), ("1e-03", "1e-03"), ("0xff", "255"), ("-0XaB", "-171"),
        ("Infinity", "Infinity"),
        ("+Infinity", "Infinity"), ("-Infinity", "-Infinity"), ("NaN", "NaN"), ("-NaN", "NaN"),
        ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"), ("12345678901234567890123", "12345678901234567890123"),
    ])
    func `numbers are respelled as JSON has them`(text: String, expected: String) throws {
        #expect(try Self.value(text) == .number(expected))
        #expect(try Self.value("[\(text)]") == [.number(expected)])
    }

    @Test(arguments: [
        "01", "00", "-", "+", ".", "1.e", "1e", "1e+", "0x", "0xg", "1a", "0x1.5", "1_000", "++1", "- 1", "Inf", "-x",
        "1.2.3", "0x1FFFFFFFFFFFFFFFF", "010", "1\\u0061", "Nan", ".e1",
    ])
    func `malformed numbers are refused`(text: String) {
        #expect(throws: JSON5Error.self) { try Self.value(text) }
    }

    @Test(arguments: [
        (#"'\b\f\n\r\t\v\0\\\'\"\/'"#, "\u{8}\u{C}\n\r\t\u{B}\0\\'\"/"), (#"'\A\C\/\D\C'"#, "AC/DC"),
        (#"'\x41\xe9'"#, "Aé"), (#"'\u00e9\uD83D\uDE80'"#, "é🚀"),
        ("'a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}f'", "abcdef"),
        ("'a\u{2028}b\tc'", "a\u{2028}b\tc"), ("''", ""), ("\"it's\"", "it's"), ("'żółw 🚀'", "żółw 🚀"),
    ])
    func `strings take escapes and continuations`(text: String, expected: String) throws {
        #expect(try Self.value(text) == .string(expected))
    }

    @Test(arguments: [
        "'", "\"a'", "'a\nb'", "'a\rb'", #"'\x4'"#, #"'\u12'"#, #"'\1'"#, #"'\01'"#, #"'\ud800'"#, #"'\ud800\ud800'"#,
        #"'\udc00'"#, #"'\"#, #"'\u"#, "'\\uFFF\u{FF11}'",
    ])
    func `malformed strings are refused`(text: String) {
        #expect(throws: JSON5Error.self) { try Self.value(text) }
    }

    @Test(arguments: [
        "{1a:1}", "{a-b:1}", "{a b:1}", "{\\u0031:1}", "{\\u002d:1}", "{:1}", "{a}", "{a:}", "{\\x61:1}",
        "{\u{200D}a:1}",
    ])
    func `what is no identifier is no key`(text: String) {
        #expect(throws: JSON5Error.self) { try Self.value(text) }
    }

    @Test(arguments: ["true", "false", "null", "Infinity", "NaN", "$", "_", "ünï1", "a\u{301}", "ͱ\u{200C}"])
    func `reserved words and other letters may be keys`(key: String) throws {
        #expect(try Self.value("{\(key):1}") == .object(JSONObject([.init(key, 1)])))
    }

    @Test func `every kind of white space separates`() throws {
        let blank = "\t\u{B}\u{C} \u{A0}\u{FEFF}\n\r\u{2028}\u{2029}\u{1680}\u{2003}\u{3000}/**//***/ //x\n"
        #expect(try Self.value("\(blank)[\(blank)1\(blank),\(blank)]\(blank)//end") == [1])
        #expect(throws: JSON5Error.self) { try Self.value("[1\u{200B}]") }
    }

    @Test(arguments: [
        "", " ", "//", "/**/", "[", "{", "[1", "{a:1", "1 2", "]", "truex", "tru", "[1 2]", "/", "/*", "[/]",
        "undefined",
    ])
    func `what is no value is refused`(text: String) {
        #expect(throws: JSON5Error.self) { try Self.value(text) }
    }

    @Test func `every value and key knows its line and column`() throws {
        let text = "\u{FEFF}{\n  a: 1, żółw: [\r\n    2, /* x\n */ 'y'\r],\u{2028} b:\n{}\n}"
        let root = try Self.parse(text)
        #expect(root.line == 1 && root.column == 2 && root.file == "f.json5")
        guard case .object(let members) = root.value, case .array(let elements) = members[1].node.value else {
            Issue.record("not an object of an array")
            return
        }
        #expect(members.map(\.key) == ["a", "żółw", "b"])
        #expect(members.map { [$0.keyLine, $0.keyColumn] } == [[2, 3], [2, 9], [6, 2]])
        #expect(members.map { [$0.node.line, $0.node.column] } == [[2, 6], [2, 15], [7, 1]])
        #expect(elements.map { [$0.line, $0.column] } == [[3, 5], [4, 5]])
    }

    @Test(arguments: [
        ("{\n  a: 1,\n  b: 2,\n  'a': 3,\n}", 4, 3, "key \"a\" occurs twice, first in line 2"),
        ("{ a: 1 b: 2 }", 1, 6, "expected ',' or '}' after this value"),
        ("[\n1 // one\n2]", 2, 1, "expected ',' or ']' after this value"),
        ("{\n  a: {\n    b: [1],\n  }\n  c: 1,\n}", 4, 3, "expected ',' or '}' after this value"),
        ("{\n  a: [1, { b: 2 }] c: 1,\n}", 2, 18, "expected ',' or '}' after this value"),
        ("{ a 1 }", 1, 5, "expected ':'"), ("{\n  a: ?\n}", 2, 6, "expected a value"),
        ("{ a: [1,", 1, 9, "expected a value, but the file ends here"),
        ("{}\n{}", 2, 1, "expected the end of the file"),
        ("[\n /* x\n", 2, 2, "comment without an end"), ("{ a: 'x\n'", 1, 8, "line end in a string"),
        ("{ a: 'x", 1, 6, "string without an end"), ("[ 012 ]", 1, 3, "number with a leading zero"),
        ("[ '\\ud800' ]", 1, 4, "half of a surrogate pair"), ("{ a: tru }", 1, 6, "expected a value"),
        ("{ ?: 1 }", 1, 3, "expected a key"),
    ])
    func `an error says where and what`(text: String, line: Int, column: Int, message: String) {
        #expect(throws: JSON5Error(file: "f.json5", line: line, column: column, message: message)) {
            try Self.parse(text)
        }
    }

    @Test func `invalid UTF-8 is refused where it begins`() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            #expect(throws: JSON5Error(file: "x", line: 2, column: 3, message: "invalid UTF-8")) {
                try JSON5.parse(Array("[\n1,".utf8) + bytes + Array("]".utf8), file: "x")
            }
        }
    }

    @Test func `depth has a limit`() throws {
        let deep = { (count: Int) in String(repeating: "[", count: count) + String(repeating: "]", count: count) }
        _ = try Self.parse(deep(JSON5.maximumDepth))
        #expect(throws: JSON5Error(file: "f.json5", line: 1, column: 65, message: "nested too deep")) {
            try Self.parse(deep(JSON5.maximumDepth + 1))
        }
        #expect(throws: JSON5Error.self) { try Self.parse(String(repeating: "{a:[", count: 100_000)) }
    }

    @Test func `all JSON is JSON5 but for duplicate keys`() throws {
        for grammarCase in GrammarCase.accepted
        where !grammarCase.name.hasPrefix("duplicated") && grammarCase.name != "500 arrays deep" {
            let node = try JSON5.parse(grammarCase.bytes, file: grammarCase.name)
            let expected = try JSON5.parse(try JSONValue.parse(grammarCase.bytes).compactBytes, file: "")
            #expect(Self.plain(node) == Self.plain(expected), "\(grammarCase.name)")
        }
        var random = RandomJSON(seed: 5)
        for _ in 0..<500 {
            let document = try Document(random.spell(random.value(depth: 4)))
            if document.hasDuplicates {
                #expect(throws: JSON5Error.self) { try JSON5.parse(document.bytes, file: "") }
            } else {
                _ = try JSON5.parse(document.bytes, file: "")
            }
        }
    }

    @Test func `damaged files never crash`() {
        let sample = Array("// c\n{ a: 'x\\u0041\\\n', /* */ b: [0x1F, -.5e+3, Infinity, \"\\x41ż\"], $c: {}, }\n".utf8)
        for index in sample.indices {
            _ = try? JSON5.parse(Array(sample[..<index]), file: "")
            for replacement in AgreementTests.replacements + Array("'+$_x*".utf8) {
                var bytes = sample
                bytes[index] = replacement
                _ = try? JSON5.parse(bytes, file: "")
            }
        }
    }
}
