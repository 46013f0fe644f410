// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct ListBoundsTests {
    @Test func `4 KiB of a value are kept, up to the end of a scalar`() {
        let long = String(repeating: "ł", count: 5000)
        let record = FakeDaemon.value(#"{"id":"1","text":"\#(long)","n":1.50,"deep":[1,{"a":null}]}"#)
        let kept = KeptRecord.copy(record)
        #expect(kept["text"]?.string == String(repeating: "ł", count: 2048))
        #expect(kept["n"]?.source == "1.50")
        #expect(kept["deep"]?.source == #"[1,{"a":null}]"#)
        #expect(kept["id"]?.string == "1")
    }

    @Test func `the records of a page share its line unless one of them is large`() {
        let page = FakeDaemon.value(#"[{"id":"1"},{"id":"2"}]"#)
        #expect(KeptRecord.all(page.elements).allSatisfy { $0.document === page.document })
        let large = FakeDaemon.value(#"[{"id":"1"},{"id":"2","t":"\#(String(repeating: "x", count: 9000))"}]"#)
        #expect(KeptRecord.all(large.elements).allSatisfy { $0.document !== large.document })
    }

    @Test func `the sequence of a clock is between its first dot and the rest`() {
        #expect(ClockSequence.of("7d1c.812-AQID") == 812)
        #expect(ClockSequence.of("7d1c.9") == 9)
        #expect(ClockSequence.of("now") == nil)
    }
}
