// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
@testable import ClaimsTerminal
import Glibc
import Testing

struct ErrorReportTests {
    private func report(
        _ refusal: Refusal, selector: Selector? = nil, filter: String? = nil
    ) throws -> ErrorReport {
        try #require(ErrorReport(.client(.refused(refusal)), selector: selector, filter: filter, messages: .english))
    }

    private static let codes: [(ErrorKind, Int32)] = [
        (.badFilter, 2), (.badSort, 2), (.badCursor, 2), (.badParams, 2), (.unknownCollection, 2), (.notFound, 3),
        (.forbidden, 5), (.noData, 6), (.notFresh, 7), (.parseError, 8), (.invalidRequest, 8), (.tooLarge, 8),
        (.conflict, 9), (.notArchivable, 9), (.timeout, 10), (.busy, 10), (.upstreamFailed, 11), (.cancelled, 130),
        (.storageFull, 1), (.internal, 1), (.unknownMethod, 1),
    ]

    @Test(arguments: codes)
    func `every kind has its exit code`(_ kind: ErrorKind, _ code: Int32) {
        #expect(ExitCode(kind: kind.rawValue).rawValue == code)
    }

    @Test func `a kind that is younger than this program is a failure`() {
        #expect(ExitCode(kind: "novel") == .failure)
    }

    @Test func `the place in the filter is underlined`() throws {
        let refusal = Refusal(
            kind: "bad_filter", message: "unknown field 'statsu'", position: 7, length: 6,
            hint: "did you mean 'status'?")
        let text = try report(refusal, filter: "日本 statsu!=ok").text(isColored: false)
        #expect(
            text == "claimsctl: unknown field 'statsu'\n  日本 statsu!=ok\n       ^^^^^^\n  did you mean 'status'?\n")
    }

    @Test func `of a long filter the part around the mistake is shown`() throws {
        let long =
            String(repeating: "name~pump ", count: 300) + "statsu!=ok " + String(repeating: "name~pump ", count: 200)
        let refusal = Refusal(kind: "bad_filter", message: "unknown field 'statsu'", position: 3000, length: 6)
        for width in [40, 80] {
            let lines = try report(refusal, filter: long).text(isColored: false, width: width).split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[1].count < width && lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
            let column = lines[2].prefix { $0 == " " }.count
            #expect(lines[1].dropFirst(column).hasPrefix("statsu!=ok") && lines[2].dropFirst(column) == "^^^^^^")
        }
        #expect(try report(refusal, filter: long).text(isColored: false).count < 1000)
    }

    @Test func `a hint about quotes says what a shell leaves of them`() {
        #expect(
            Advice.forShell(#"no field; to look for this text, quote it: "a=b""#)
                == "no field; to look for this text, write --text 'a=b'")
        #expect(
            Advice.forShell(#"żeby szukać tego tekstu, ujmij go w cudzysłów: "a=b""#)
                == "żeby szukać tego tekstu, napisz --text 'a=b'")
        #expect(
            Advice.forShell(#"no field; to look for this text, quote it: "a=b""#, takesText: false)
                == #"no field; to look for this text, write '"a=b"'"#)
        #expect(Advice.forShell(#"quote it: "it's=b""#) == #"quote it: "it's=b""#)
        #expect(Advice.forShell("did you mean 'status'?") == "did you mean 'status'?")
    }

    @Test func `on a terminal long lines break at words`() throws {
        let refusal = Refusal(
            kind: "internal", message: "one two three four five six", hint: "seven eight nine ten eleven")
        #expect(
            try report(refusal).text(isColored: false, width: 22)
                == "claimsctl: one two\n  three four five six\n  seven eight nine ten\n  eleven\n")
    }

    @Test func `a place beyond the filter does no harm`() throws {
        for (position, length) in [(99, 5), (-4, 3), (2, .max), (3, -1)] {
            let refusal = Refusal(kind: "bad_filter", message: "m", position: position, length: length)
            #expect(try report(refusal, filter: "abc").text(isColored: false).contains("^"))
        }
    }

    @Test func `a misspelt option is not taken for a collection`() throws {
        let refusal = Refusal(kind: "unknown_collection", message: "no collection 'limt'")
        let misspelt = try report(refusal, selector: Selector("limt", isOption: true))
        #expect(misspelt.code == .usage)
        #expect(misspelt.hint == "did you mean '--limit'?")
        let meant = try report(refusal, selector: Selector("limt", isOption: false))
        #expect(meant.message == "no collection 'limt'")
    }

    @Test func `an option that names a collection which is left out is told the mistake in its definition`() throws {
        let data = try Example.value(#"{"collection":"units","problems":[{"collection":"units","message":"m"}]}"#)
        let refusal = Refusal(
            kind: "unknown_collection", message: "the definition of 'units' has a mistake", hint: "units.json5:1:3: m",
            data: data)
        let report = try report(refusal, selector: Selector("unit", isOption: true))
        #expect(report.message == "the definition of 'units' has a mistake" && report.hint == "units.json5:1:3: m")
        #expect(report.code == .usage)
    }

    @Test func `what the daemon says cannot steer the terminal`() throws {
        let refusal = Refusal(kind: "internal", message: "bad \u{1B}[2J", hint: "\u{9B}x")
        let text = try report(refusal).text(isColored: true)
        #expect(text == "claimsctl: bad \\x1b[2J\n  \\x9bx\n")
    }

    @Test func `as JSON an error is one object on one line`() throws {
        let refusal = Refusal(kind: "busy", message: "too\nmany", retryAfter: 50)
        let json = String(decoding: try report(refusal).json, as: UTF8.self)
        #expect(
            json
                == #"{"schema_version":1,"error":{"kind":"busy","message":"too\nmany","retry_after_ms":50,"exit_code":10}}"#
                + "\n")
    }

    @Test func `as JSON an error has no character that steers a terminal or turns text around`() throws {
        let message = "a\u{9B}2J\u{7F}\u{202E}\u{2066}\u{FEFF}z"
        let bytes = try report(Refusal(kind: "internal", message: message)).json
        let json = String(decoding: bytes, as: UTF8.self)
        #expect(json.contains(#"a\u009b2J\u007f\u202e\u2066\ufeffz"#))
        #expect(try JSONValue.parse(json)["error"]?["message"]?.string == message)
    }

    @Test func `a daemon that cannot be reached has a reason and a way out`() throws {
        func report(_ errno: Int32) throws -> ErrorReport {
            try #require(
                ErrorReport(
                    .client(.unreachable(path: "/s", SystemError("connect", errno: errno))), messages: .english))
        }
        #expect(try report(ENOENT).code == .unreachable)
        #expect(try report(ECONNREFUSED).hint?.hasPrefix("nobody listens there") == true)
        #expect(try report(EACCES).code == .forbidden)
        #expect(try report(ETIMEDOUT).code == .timeout)
        #expect(ErrorReport(.output(.closed), messages: .english) == nil)
    }
}
