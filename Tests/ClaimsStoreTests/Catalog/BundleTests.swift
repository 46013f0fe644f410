// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct BundleTests {
    private let bundle = #"[{"id":"a","name":"Ä"},{"id":"b"},{"name":"no id"}]"#

    @Test func `a bundle is served until an upstream has answered`() throws {
        let fixture = try OpenerFixture(bundle: bundle)
        #expect(fixture.documents == [#"{"id":"a","name":"Ä"}"#, #"{"id":"b"}"#])
        #expect(fixture.view?.state == .ready && fixture.view?.source == .bundle)
        let revision = fixture.store.catalog.current().revision
        let meta = try #require(fixture.view?.meta(now: OpenerFixture.now, revision: revision))
        #expect(meta.freshness == .bundle && meta.asOf == nil && meta.ageMilliseconds == nil)
        #expect(meta.quarantined == 1 && meta.generation == 1)
        #expect(fixture.reported == [.bundled(records: 2)])
        #expect(try fixture.rows("SELECT count(*) FROM record") == ["0"])
        let result = try fixture.take(#"[{"id":"c"}]"#)
        #expect(result.counts.added == 1 && result.counts.removed == 0)
        #expect(fixture.view?.source == .upstream && fixture.documents == [#"{"id":"c"}"#])
        #expect(fixture.store.catalog.current().revision.seq == 2)
        fixture.store.close()
        let again = try OpenerFixture(fixture.folder, bundle: bundle)
        #expect(again.view?.source == .cache && again.documents == [#"{"id":"c"}"#])
    }

    @Test func `a warm start reads no bundle`() throws {
        let first = try OpenerFixture(bundle: bundle)
        let files = first.files
        first.store.close()
        let definition = try OpenerFixture.definition(bundle: "bundle.json")
        let second = try OpenerFixture(first.folder, definitions: [definition])
        #expect(second.reported.isEmpty && second.files == files)
        #expect(second.documents.count == 2 && second.view?.source == .bundle)
    }

    @Test func `another bundle takes the place of the first`() throws {
        let first = try OpenerFixture(bundle: bundle)
        first.store.close()
        let second = try OpenerFixture(first.folder, bundle: #"[{"id":"z"}]"#)
        #expect(second.documents == [#"{"id":"z"}"#])
        #expect(second.store.catalog.current().revision.seq == 2)
        #expect(second.files.count == 1)
    }

    @Test func `a bundle that is declared no more is served no more`() throws {
        let first = try OpenerFixture(bundle: bundle)
        first.store.close()
        let second = try OpenerFixture(first.folder)
        #expect(second.view?.snapshot == nil && second.view?.state == .loading)
        #expect(second.view?.source == nil)
    }

    @Test func `a broken bundle is reported, and the collection is without data`() throws {
        let fixture = try OpenerFixture(bundle: "[{")
        #expect(fixture.view?.snapshot == nil)
        guard case .badBundle(let path, _)? = fixture.reported.first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(path == fixture.folder("data/bundle.json"))
    }

    @Test func `a lost file is built from the bundle again`() throws {
        let first = try OpenerFixture(bundle: bundle)
        first.store.close()
        try Directory.remove(first.folder("cache"))
        let second = try OpenerFixture(first.folder, bundle: bundle)
        #expect(second.documents.count == 2 && second.view?.source == .bundle)
    }
}
