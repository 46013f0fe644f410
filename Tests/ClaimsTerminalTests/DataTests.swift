// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
@testable import ClaimsTerminal
import Testing

struct DataTests {
    private func line(
        _ dialect: SeparatedValues.Dialect, isForTerminal: Bool = false, _ record: String, _ keys: [String]
    ) throws -> String {
        var bytes: [UInt8] = []
        SeparatedValues(dialect, isForTerminal: isForTerminal)
            .append(try Example.value(record), keys: keys.map { Array($0.utf8) }, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `TSV escapes tab, newline and backslash`() throws {
        let record = #"{"a":"one\ttwo\nthree\\four\rfive","b":1.50,"c":true,"d":["x",null],"e":"quote\" , comma"}"#
        #expect(
            try line(.tsv, record, ["a", "b", "missing", "c", "d", "e"])
                == #"one\ttwo\nthree\\four\rfive"# + "\t1.50\t\ttrue\t" + #"["x",null]"# + "\tquote\" , comma\n")
    }

    @Test func `a spreadsheet gets no text that it takes for a formula, and numbers as they are`() throws {
        let record =
            #"{"a":"=1+1","b":"+48 22","c":"-x","d":"@sum","e":"\tx","f":"\nx","g":"\rx","h":-1.50,"i":"a=b","j":"","k":"-5"}"#
        #expect(
            try line(.spreadsheet, record, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"])
                == "'=1+1,'+48 22,'-x,'@sum,'\tx,\"'\nx\",\"'\rx\",-1.50,a=b,,'-5\r\n")
        #expect(try line(.spreadsheet, #"{"a":"=\"x\",1"}"#, ["a"]) == "\"'=\"\"x\"\",1\"\r\n")
        #expect(SeparatedValues(.spreadsheet).preamble == [0xEF, 0xBB, 0xBF])
        #expect(SeparatedValues(.csv).preamble.isEmpty && SeparatedValues(.tsv).preamble.isEmpty)
    }

    @Test func `CSV quotes what RFC 4180 wants quoted`() throws {
        let record = #"{"a":"plain","b":"a,b","c":"say \"hi\"","d":"two\nlines","e":"tab\tstays","f":""}"#
        #expect(
            try line(.csv, record, ["a", "b", "c", "d", "e", "f"])
                == "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",tab\tstays,\n")
    }

    @Test func `into a pipe data is as it is, onto a terminal controls are shown`() throws {
        let record = #"{"a":"\u001b[31m\u009b\u202e"}"#
        #expect(try line(.tsv, record, ["a"]) == "\u{1B}[31m\u{9B}\u{202E}\n")
        #expect(try line(.tsv, isForTerminal: true, record, ["a"]) == #"\\x1b[31m\\x9b\\u202e"# + "\n")
        #expect(try line(.tsv, isForTerminal: true, #"{"a":"x\ry"}"#, ["a"]) == #"x\ry"# + "\n")
        #expect(try line(.csv, isForTerminal: true, record, ["a"]) == #"\x1b[31m\x9b\u202e"# + "\n")
    }

    @Test func `each character that a table escapes is escaped in TSV and CSV on a terminal`() throws {
        for scalar in (UInt32(0x80)...0xE007F).compactMap(Unicode.Scalar.init) where TextSafety.isUnsafe(scalar) {
            for isCSV in [false, true] {
                let shown = try line(isCSV ? .csv : .tsv, isForTerminal: true, #"{"a":"x\#(String(scalar))y"}"#, ["a"])
                #expect(shown == "x" + (isCSV ? "" : "\\") + Escaping.name(scalar) + "y\n")
            }
        }
    }

    @Test func `JSON for a terminal is the same JSON`() throws {
        let json = #"{"a":"\#u{9B}31m \#u{7F} \#u{202E} \#u{E0041}\#u{FEFF} Łódź","b":[],"c":{},"d":[1,{"e":"}"}]}"#
        let safe = JSONLayout.terminalSafe(Array(json.utf8))
        #expect(!String(decoding: safe, as: UTF8.self).unicodeScalars.contains(where: TextSafety.isUnsafe))
        #expect(try JSONValue.parse(safe) == JSONValue.parse(json))
        let indented = JSONLayout.indented(safe)
        #expect(try JSONValue.parse(indented) == JSONValue.parse(json))
        #expect(
            String(decoding: JSONLayout.indented(Array(#"{"a":[],"b":[1,2]}"#.utf8)), as: UTF8.self)
                == "{\n  \"a\": [],\n  \"b\": [\n    1,\n    2\n  ]\n}")
    }

    @Test func `every object says which schema it follows`() {
        func versioned(_ json: String) -> String {
            String(decoding: JSONLayout.versioned(Array(json.utf8)), as: UTF8.self)
        }
        #expect(versioned("{}") == #"{"schema_version":1}"#)
        #expect(versioned(#"{"a":1}"#) == #"{"schema_version":1,"a":1}"#)
    }
}
