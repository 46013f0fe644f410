// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct ForgettingTests {
    private static let now = OpenerFixture.now

    private func forget(
        _ ids: [String], _ opener: CollectionOpener, of name: String = "things", isDryRun: Bool = false
    ) throws -> ForgetOutcome {
        try opener.forget(
            ForgetOrder(
                collection: name, ids: ids.map { Array($0.utf8) }, isDryRun: isDryRun, uid: 7, at: Self.now))
    }

    private func texts(_ ids: [[UInt8]]) -> [String] { ids.map { String(decoding: $0, as: UTF8.self) } }

    /// The files of the state and cache folders that have a text.
    private func files(with text: String, in folder: TemporaryFolder) throws -> [String] {
        let pattern = Array(text.utf8)
        var found: [String] = []
        for directory in [folder("state"), folder("cache")] {
            for name in try Directory.list(directory) {
                let bytes: [UInt8]
                do throws(SystemError) {
                    bytes = try Files.readAll(Paths.join(directory, name), cap: 1 << 30)
                } catch {
                    // A snapshot that is superseded goes on another thread.
                    guard error.isNotFound else { throw error }
                    continue
                }
                if ByteSearch.firstIndex(of: pattern.rawSpan, in: bytes.rawSpan) != nil { found.append(name) }
            }
        }
        return found
    }

    @Test func `what is forgotten is served no more and in no file`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":"1","name":"keep one"},{"id":"2","name":"zebra"},{"id":"3","name":"keep three"}]"#)
        try fixture.take(#"[{"id":"1","name":"keep one"},{"id":"2","name":"giraffe"},{"id":"3","name":"keep three"}]"#)
        #expect(try files(with: "zebra", in: fixture.folder) != [])
        let outcome = try forget(["2", "9"], fixture.opener)
        #expect(texts(outcome.forgotten) == ["2"] && texts(outcome.missing) == ["9"] && outcome.refused == [])
        #expect(texts(outcome.returns) == ["2"])
        #expect(fixture.documents.count == 2 && fixture.view?.condition.row.records == 2)
        for word in ["zebra", "giraffe"] { #expect(try files(with: word, in: fixture.folder) == []) }
        #expect(try files(with: "keep three", in: fixture.folder) != [])
        #expect(try fixture.rows("SELECT op || id || cause FROM local_change") == ["removed2forget"])
        #expect(try fixture.rows("SELECT id FROM change WHERE id = '2'") == [])
        #expect(try fixture.rows("SELECT key FROM meta WHERE key GLOB 'erasing*'") == [])
        // The next answer brings it as new.
        let again = try fixture.take(
            #"[{"id":"1","name":"keep one"},{"id":"2","name":"giraffe"},{"id":"3","name":"keep three"}]"#)
        #expect(again.counts.added == 1 && again.counts.updated == 0)
    }

    @Test func `a dry run tells the same and changes nothing`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":"1","name":"zebra"}]"#)
        let before = fixture.store.catalog.current().revision
        let outcome = try forget(["1", "9"], fixture.opener, isDryRun: true)
        #expect(texts(outcome.forgotten) == ["1"] && texts(outcome.missing) == ["9"])
        #expect(fixture.documents.count == 1 && fixture.store.catalog.current().revision == before)
        #expect(try files(with: "zebra", in: fixture.folder) != [])
    }

    @Test func `a record that is gone upstream is erased from the log and from the terms of the snapshot`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":"1","name":"keep"},{"id":"2","name":"zebra stripes"}]"#)
        try fixture.take(#"[{"id":"1","name":"keep"}]"#)
        let outcome = try forget(["2"], fixture.opener)
        #expect(texts(outcome.forgotten) == ["2"] && outcome.returns == [])
        #expect(try files(with: "zebra", in: fixture.folder) == [])
        #expect(try files(with: "stripes", in: fixture.folder) == [])
        #expect(texts(try forget(["2"], fixture.opener).missing) == ["2"])
    }

    /// The answer of a second request: keys and labels.
    private func table(_ labels: [(key: String, label: String)]) throws -> JoinTable {
        var table = try #require(JoinTable(definition: OpenerFixture.definition(join: true)))
        var tape = JSONTape()
        for (key, label) in labels {
            let bytes = Array(#"{"key":"\#(key)","label":"\#(label)"}"#.utf8)
            _ = try tape.parse(bytes.rawSpan, from: 0, depth: 8)
            let isAdded = table.add(tape, bytes.rawSpan)
            #expect(isAdded)
        }
        return table
    }

    @Test func `what a join gave the record goes with it, what others need stays`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition(join: true)])
        let body = #"[{"id":1,"name":"k"},{"id":2,"name":"gone"},{"id":3,"name":"both"},{"id":4,"name":"both"}]"#
        let others = [(key: "k", label: "keep this"), (key: "both", label: "keep ours")]
        try fixture.take(body, joined: table([(key: "gone", label: "zebra")] + others))
        // The later of two values for one key counts.
        let labels = others + [(key: "gone", label: "okapi"), (key: "gone", label: "giraffe")]
        try fixture.take(body, joined: table(labels))
        #expect(try files(with: "giraffe", in: fixture.folder) != [])
        #expect(texts(try forget(["2", "3"], fixture.opener).forgotten) == ["2", "3"])
        for word in ["zebra", "okapi", "giraffe"] { #expect(try files(with: word, in: fixture.folder) == []) }
        #expect(
            try fixture.rows("SELECT value FROM join_value ORDER BY value") == [
                #"["both","keep ours"]"#, #"["k","keep this"]"#,
            ])
        #expect(fixture.documents.last == #"{"id":"4","name":"both","label":"keep ours"}"#)
        // The next answer has all values again.
        let again = try fixture.take(body, joined: table(others + [(key: "gone", label: "giraffe")]))
        #expect(again.counts.added == 2 && fixture.documents[1] == #"{"id":"2","name":"gone","label":"giraffe"}"#)
    }

    @Test func `superseded values of a join go with the commit that supersedes them`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition(join: true)])
        let body = #"[{"id":1,"name":"a"}]"#
        func values() throws -> [String] { try fixture.rows("SELECT value FROM join_value ORDER BY value") }
        try fixture.take(body, joined: table([(key: "a", label: "zebra"), (key: "b", label: "okapi")]))
        #expect(try fixture.take(body, joined: table([(key: "a", label: "giraffe")])).isNew)
        #expect(try values() == [#"["a","giraffe"]"#])
        // No record changes.
        let table = try table([(key: "a", label: "giraffe"), (key: "c", label: "gnu")])
        #expect(try fixture.take(body, joined: table).isNew == false)
        #expect(try values() == [#"["a","giraffe"]"#, #"["c","gnu"]"#])
        let row = try #require(fixture.view).condition.row
        #expect(try fixture.store.database.joined(of: row) == table.stored)
    }

    @Test func `an archive mark and what is in quarantine go too`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition(isNameRequired: true)])
        try fixture.take(#"[{"id":"1","name":"keep"},{"id":"2","label":"zebra"}]"#)
        let marked = Monitor<Bool>(false)
        fixture.store.archive(
            ArchiveChange(collection: "things", ids: [Array("5".utf8)], isArchiving: false, uid: 1, at: Self.now)
        ) { _ in marked.update { $0 = true } }
        _ = marked.wait { $0 ? true : nil }
        #expect(fixture.view?.condition.row.quarantined == 1)
        let outcome = try forget(["2"], fixture.opener)
        #expect(texts(outcome.forgotten) == ["2"] && fixture.view?.condition.row.quarantined == 0)
        #expect(try files(with: "zebra", in: fixture.folder) == [])
    }

    @Test func `records that later snapshots share with earlier files are erased from these`() throws {
        let fixture = try OpenerFixture()
        let filling = String(repeating: "x", count: 1000)
        func body(_ second: String) -> String {
            let records = (1...6000).map {
                #"{"id":"\#($0)","name":"n\#($0) \#($0 == 2 ? second : "")","text":"\#(filling)"}"#
            }
            return "[" + records.joined(separator: ",") + "]"
        }
        try fixture.take(body("zebra"))
        // The next one links the file of the one before.
        try fixture.take(body("zebra").replacing("n3 ", with: "changed "))
        let held = try #require(fixture.view?.snapshot)
        #expect(texts(try forget(["2"], fixture.opener).forgotten) == ["2"])
        #expect(try files(with: "zebra", in: fixture.folder) == [])
        // Readers of the old one go on.
        #expect(held.count == 6000 && fixture.view?.snapshot?.count == 5999)
    }

    @Test func `a start finishes what a crash has left`() throws {
        let folder = try TemporaryFolder()
        do {
            let fixture = try OpenerFixture(folder)
            try fixture.take(#"[{"id":"1","name":"keep"},{"id":"2","name":"zebra"}]"#)
            try fixture.take(#"[{"id":"1","name":"keep"},{"id":"2","name":"giraffe"}]"#)
            // The commit, and nothing after it.
            #expect(throws: StoreError.self) {
                try fixture.opener.forget(
                    ForgetOrder(
                        collection: "things", ids: [Array("2".utf8)], isDryRun: false, uid: 7, at: Self.now),
                    while: { false })
            }
            #expect(fixture.documents.count == 1)
            #expect(try fixture.rows("SELECT key FROM meta WHERE key GLOB 'erasing*'").count == 1)
            fixture.store.close()
        }
        let fixture = try OpenerFixture(folder)
        #expect(fixture.documents.count == 1)
        #expect(try fixture.rows("SELECT key FROM meta WHERE key GLOB 'erasing*'") == [])
        for word in ["zebra", "giraffe"] { #expect(try files(with: word, in: folder) == []) }
    }

    @Test func `a record that was written here is erased with its edits, and the others keep theirs`() throws {
        let fixture = try LocalFixture()
        try fixture.submit("create", nil, ["title": "zebra"], op: 1)
        try fixture.submit("create", nil, ["title": "keep"], op: 2)
        try fixture.opener.fold("things")
        let id = LocalFixture.op(1).text
        try fixture.submit("update", id, ["title": "giraffe"], op: 3)
        try fixture.submit("update", LocalFixture.op(2).text, ["title": "kept"], op: 4)
        let outcome = try forget([id], fixture.opener)
        #expect(texts(outcome.forgotten) == [id] && outcome.returns == [])
        for word in ["zebra", "giraffe"] { #expect(try files(with: word, in: fixture.folder) == []) }
        #expect(fixture.served.count == 1 && fixture.served[LocalFixture.op(2).text]?.contains("kept") == true)
        #expect(fixture.view?.condition.row.records == 1)
        #expect(try fixture.base.rows("SELECT op FROM operation").count == 2)
        let reopened = try fixture.reopened()
        #expect(reopened.served.count == 1 && reopened.served[LocalFixture.op(2).text]?.contains("kept") == true)
    }

    @Test func `a record with unsettled operations is refused`() throws {
        let fixture = try LocalFixture(nil, LocalFixture.upstream())
        try fixture.base.take(#"[{"id":"1","title":"one"},{"id":"2","title":"zebra"}]"#)
        try fixture.submit("update", "1", ["title": "other"], op: 1)
        let outcome = try forget(["1", "2"], fixture.opener)
        #expect(texts(outcome.refused) == ["1"] && texts(outcome.forgotten) == ["2"])
        #expect(fixture.served["1"]?.contains("other") == true && fixture.served["2"] == nil)
        #expect(try files(with: "zebra", in: fixture.folder) == [])
    }

    @Test func `whatever was moved around in the file, nothing of what is forgotten is left`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let fixture = try OpenerFixture()
        var records: [Int: String] = [:]
        var forgotten: Set<String> = []
        var number = 0
        func word(_ random: inout SeededGenerator) -> String {
            number += 1
            return String(repeating: "word\(number)end ", count: [1, 3, 30, 300].randomElement(using: &random) ?? 1)
        }
        func take() throws {
            let body = records.sorted { $0.key < $1.key }.map { #"{"id":"\#($0)","name":"\#($1)"}"# }
            try fixture.take("[" + body.joined(separator: ",") + "]")
        }
        var words: [Int: Set<String>] = [:]
        for _ in 1...12 {
            for _ in 1...40 {
                let id = Int.random(in: 1...120, using: &random)
                let text = word(&random)
                records[id] = text
                words[id, default: []].insert(String(text.prefix { $0 != " " }))
            }
            try take()
            let ids = Array(records.keys.sorted().shuffled(using: &random).prefix(4))
            _ = try forget(ids.map(String.init), fixture.opener)
            for id in ids {
                records[id] = nil
                forgotten.formUnion(words.removeValue(forKey: id) ?? [])
            }
        }
        for word in forgotten { #expect(try files(with: word, in: fixture.folder) == [], "seed \(seed)") }
    }
}
