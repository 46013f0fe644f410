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

    @Test func `numbers that no daemon tells do no harm`() {
        var stage = BrowseStage.begun(BrowseStage.units(300))
        let huge = Int64.max
        let answer = FakeDaemon.value(
            #"{"records":[{"id":"1"}],"total":\#(huge),"rank":\#(huge),"groups":[{"key":"a","label":"A","total":\#(huge)},"#
                + #"{"key":"b","label":"B","total":\#(huge)}],"meta":{"clock":"e.\#(huge)"}}"#)
        guard let units = stage.model.state.description(of: "units") else { return #expect(Bool(false)) }
        let page = ListPage(answer, of: units, isGrouped: true)
        #expect(page.total == ListPage.maxCount)
        #expect(page.rank == Int(ListPage.maxCount))
        #expect(page.groups.allSatisfy { $0.total == ListPage.maxCount })
        stage.daemon.refusal = ("busy", #","retry_after_ms":\#(huge)"#)
        stage.press("G")
        stage.settle()
        stage.daemon.refusal = nil
        stage.wait(60_000)
        #expect(stage.selectedID == "299")
        var query = ListQuery()
        query.filter = "a=b"
        let refusal = Refusal(kind: "bad_filter", message: "", position: .min, length: .max)
        #expect(InputProblem(refusal, in: query).range == 0..<3)
        #expect(InputProblem(Refusal(kind: "", message: "", position: .max), in: query).range == 3..<3)
    }
}
