// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

@Suite struct SiteIntakeTests {
    @Test func `the answer of a site replaces its own records, whose ids and field name it`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(sites: ["warsaw", "cracow"])])
        let first = try fixture.take([.site("warsaw", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)])
        #expect(first.counts[0].added == 2)
        // The same bytes as at the other site are other records.
        let second = try fixture.take([.site("cracow", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)])
        #expect(second.counts[0].added == 2 && second.extents == [AnswerExtent(before: 0, after: 2, quarantined: 0)])
        let third = try fixture.take([.site("warsaw", #"[{"id":2,"name":"b"},{"id":"3","name":"c"}]"#)])
        #expect(third.counts[0].added == 1 && third.counts[0].removed == 1 && third.counts[0].updated == 0)
        #expect(third.extents == [AnswerExtent(before: 2, after: 2, missing: 1, quarantined: 0)])
        let documents = [
            #"{"id":"cracow:1","name":"a","site":"cracow"}"#, #"{"id":"cracow:2","name":"b","site":"cracow"}"#,
            #"{"id":"warsaw:2","name":"b","site":"warsaw"}"#, #"{"id":"warsaw:3","name":"c","site":"warsaw"}"#,
        ]
        #expect(fixture.documents == documents)
        #expect(
            try fixture.rows("SELECT id FROM record ORDER BY id") == ["cracow:1", "cracow:2", "warsaw:2", "warsaw:3"])
    }

    @Test func `answers of several sites make one generation, each with its own counts`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(sites: ["a", "b", "c"])])
        try fixture.take([.site("a", #"[{"id":1},{"id":2}]"#), .site("b", #"[{"id":1}]"#), .site("c", #"[{"id":5}]"#)])
        let taken = try fixture.take([
            .site("b", #"[{"id":1},{"id":7,"name":"x"},9]"#), .site("a", #"[{"id":2}]"#),
            .site("c", #"[{"id":6}]"#, isIncremental: true),
        ])
        #expect(taken.counts.map(\.added) == [1, 0, 1] && taken.counts.map(\.removed) == [0, 1, 0])
        #expect(taken.counts.map(\.quarantined) == [1, 0, 0])
        #expect(
            fixture.documents.map { String($0.prefix(11)) } == [
                #"{"id":"a:2""#, #"{"id":"b:1""#, #"{"id":"b:7""#, #"{"id":"c:5""#, #"{"id":"c:6""#,
            ])
        #expect(fixture.view?.condition.row.generation == 2)
        #expect(fixture.view?.condition.sites.count == 3)
    }

    @Test func `the quarantine of a site stays while others answer`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(sites: ["a", "b"])])
        try fixture.take([.site("a", #"[{"id":1},7]"#), .site("b", #"[{"id":1},7,8]"#)])
        #expect(try fixture.quarantine() == ["a 7", "b 7", "b 8"])
        #expect(Set(try fixture.rows("SELECT number FROM quarantined")).count == 3)
        try fixture.take([.site("a", #"[{"id":1},9]"#)])
        #expect(try fixture.quarantine().sorted() == ["a 9", "b 7", "b 8"])
        #expect(fixture.view?.condition.row.quarantined == 3)
        try fixture.take([.site("b", #"[{"id":1}]"#)])
        #expect(try fixture.quarantine() == ["a 9"] && fixture.view?.condition.row.quarantined == 1)
    }

    @Test func `a snapshot that is built anew of the stored records knows their sites`() throws {
        let definition = try OpenerFixture.sourceDefinition(sites: ["warsaw", "cracow"])
        let fixture = try OpenerFixture(definitions: [definition])
        try fixture.take([
            .site("warsaw", #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#), .site("cracow", #"[{"id":1,"name":"a"}]"#),
        ])
        let before = fixture.documents
        fixture.store.close()
        for file in fixture.files { Files.remove(fixture.folder("cache/\(file)")) }
        let again = try OpenerFixture(fixture.folder, definitions: [definition])
        #expect(again.documents == before && before.count == 3)
        // Without sites their records stay under their ids until the only source answers.
        again.store.close()
        let single = try OpenerFixture(fixture.folder, definitions: [OpenerFixture.definition()])
        #expect(
            single.documents.map { String($0.prefix(16)) } == [
                #"{"id":"cracow:1""#, #"{"id":"warsaw:1""#, #"{"id":"warsaw:2""#,
            ])
        // Equal bytes are another record, as the request is another one.
        try single.take([.whole(#"[{"id":1,"name":"a"}]"#)], trustsBytes: false)
        #expect(single.documents == [#"{"id":"1","name":"a"}"#])
    }

    @Test func `records of other sources stay until they are told to leave`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition()])
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":"warsaw:9","name":"b"}]"#)])
        fixture.opener.reload([try OpenerFixture.sourceDefinition(sites: ["warsaw", "cracow"])])
        try fixture.take([.site("cracow", #"[{"id":1}]"#)])
        #expect(fixture.documents.count == 3)
        try fixture.take([.site("warsaw", #"[{"id":1}]"#)], dropsOtherSources: true)
        #expect(
            fixture.documents == [
                #"{"id":"cracow:1","site":"cracow"}"#, #"{"id":"warsaw:1","site":"warsaw"}"#,
            ])
    }
}
