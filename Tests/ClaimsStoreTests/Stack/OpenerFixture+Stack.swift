// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// Bounds with which a few changes go through all files of a stack.
enum SmallStack {
    static let layers = LayerBounds(maxYoung: 3, maxMiddle: 24)
    static let bounds = RecentBounds(maxChanges: 1, maxRecords: 2, layers: layers)
    /// The number of records of the base.
    static let count = 60

    static func definition(searchesLabel: Bool = false) throws -> Definition {
        let base = try OpenerFixture.sourceDefinition(deleted: .mark(try JSONPointer("/gone")))
        var fields = base.fields
        fields[2].isSearched = searchesLabel
        return Definition(name: base.name, source: base.source, fields: fields, isArchivable: true)
    }

    static func records(_ ids: some Sequence<Int>, _ name: String) -> String {
        "[" + ids.map { #"{"id":\#($0),"name":"\#(name) \#($0)","label":"l\#($0 % 7)"}"# }.joined(separator: ",") + "]"
    }

    static func gone(_ ids: [Int]) -> String {
        "[" + ids.map { #"{"id":\#($0),"gone":true}"# }.joined(separator: ",") + "]"
    }
}

/// A state of the files of a collection, with the steps that lead to it.
enum StackState: String, CaseIterable, CustomTestStringConvertible {
    case base, recentOverBase, young, recentOverYoung, middle, recentOverMiddle, youngOverMiddle, all

    var testDescription: String { rawValue }

    var roles: [StackRole] {
        switch self {
        case .base, .recentOverBase: [.base]
        case .young, .recentOverYoung: [.base, .young]
        case .middle, .recentOverMiddle: [.base, .middle]
        case .youngOverMiddle, .all: [.base, .middle, .young]
        }
    }

    private var hasRecent: Bool {
        switch self {
        case .recentOverBase, .recentOverYoung, .recentOverMiddle, .all: true
        case .base, .young, .middle, .youngOverMiddle: false
        }
    }

    /// A collection in this state. Each file has changed and new records, and one that is gone.
    func make(_ folder: TemporaryFolder? = nil, cacheIn cache: String? = nil) throws -> OpenerFixture {
        let fixture = try OpenerFixture(folder, definitions: [SmallStack.definition()], cacheIn: cache)
        try fill(fixture, SmallStack.bounds)
        try #require(
            fixture.roles == roles && (fixture.view?.committed?.recent != nil) == hasRecent, "\(fixture.roles)")
        return fixture
    }

    /// The same records in one base.
    func makePlain() throws -> OpenerFixture {
        let fixture = try OpenerFixture(definitions: [SmallStack.definition()])
        try fill(fixture, .none)
        return fixture
    }

    private func fill(_ fixture: OpenerFixture, _ bounds: RecentBounds) throws {
        func take(_ records: String, at: Int64) throws {
            try fixture.take([.changes(records)], at: at, bounds: bounds)
        }
        try fixture.take([.whole(SmallStack.records(0..<SmallStack.count, "first"))])
        try fixture.mark([2, 5, 11, 190], isArchiving: true)
        if roles.contains(.middle) {
            try take(SmallStack.records([1, 5, 6, 150], "middle"), at: 5)
            try take(SmallStack.gone([7]), at: 6)
            try take(SmallStack.records([8, 9, 151], "middle"), at: 7)
        }
        if roles.contains(.young) {
            try take(SmallStack.gone([10]), at: 8)
            try take(SmallStack.records([5, 160], "young"), at: 9)
        }
        if hasRecent {
            try take(SmallStack.records([11], "recent"), at: 10)
            try take(SmallStack.gone([12]), at: 11)
        }
    }
}

extension OpenerFixture {
    var roles: [StackRole] { view?.committed?.files.layers.map(\.role) ?? [] }

    /// The names of the snapshot files that state.db names.
    var namedFiles: Set<String> {
        Set(view?.condition.row.identities(epoch: store.epoch).map(\.fileName) ?? [])
    }

    /// The name of the file of a role.
    func fileName(_ role: StackRole) throws -> String {
        try #require(view?.committed?.files[role]?.snapshot.identity.fileName)
    }

    /// Archives records or brings them back, and waits for it.
    func mark(_ ids: [Int], isArchiving: Bool) throws {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        let change = ArchiveChange(
            collection: "things", ids: ids.map { Array("\($0)".utf8) }, isArchiving: isArchiving, uid: 7, at: Self.now)
        store.archive(change) { result in answer.update { $0 = result } }
        _ = try #require(answer.wait { $0 }).get()
    }

    /// Has the files looked at as large ones are, of which a start reads the beginning only.
    func unverify() throws {
        let catalog = store.catalog
        try store.database.perform { _ in
            _ = catalog.record(in: "things") { $0.opened(isVerified: false, lostFile: $0.lostFile) }
        }
    }

    func forget(_ ids: [Int]) throws {
        let order = ForgetOrder(
            collection: "things", ids: ids.map { Array("\($0)".utf8) }, isDryRun: false, uid: 7, at: Self.now)
        _ = try opener.forget(order)
    }

    /// The state that a start after a crash at this moment finds.
    func crashed(_ definition: Definition? = nil) throws -> OpenerFixture {
        let copy = try folder.copyOfStateAndCache(cacheIn: opener.directory)
        return try OpenerFixture(copy, definitions: [definition ?? SmallStack.definition()])
    }

    /// Everything that is told of the collection, a line for each fact: the answers to queries, each record with its times,
    /// the log of changes and the clock. It is the same however the records lie in files.
    func told() throws -> [String] {
        let view = try #require(view)
        let row = view.condition.row
        var lines = [
            "generation \(row.generation), records \(row.records), seq \(store.catalog.current().revision.seq)",
            "count \(view.rows.count), archived \(view.rows.archivedCount), unsupported \(view.rows.unsupported)",
        ]
        let documents = documents
        for (index, document) in documents.enumerated() where index > 0 && documents[index - 1] == document {
            lines.append("twice: \(document)")
        }
        let ids = try rows("SELECT DISTINCT id FROM version UNION SELECT id FROM archive ORDER BY id")
        for id in ids {
            let served = view.served(Array(id.utf8))
            let times = served.map { "\($0.firstSeen) \($0.changedAt) " + String(decoding: $0.upstream, as: UTF8.self) }
            let mark = view.archive.mark(Array(id.utf8)) == nil ? "" : " archived"
            if times != nil || mark != "" { lines.append("\(id):\(mark) \(times ?? "nowhere")") }
        }
        for predicate: Predicate in [.constant(true), .text(Array("young".utf8)), .not(.text(Array("first".utf8)))] {
            for sort in [[], [SortKey(field: 2, descending: true)]] {
                for archived in [ArchivedMode.exclude, .only] {
                    var query = PageQuery(predicate: predicate, order: RecordOrder(sort, idField: 0))
                    (query.archived, query.facets, query.limit) = (archived, [2], 25)
                    lines += try Self.pages(query, view)
                }
            }
        }
        lines += documents
        lines += try rows(
            """
            SELECT seq || op || id || coalesce(fields, '') FROM changes WHERE seq > (SELECT max(floor) FROM collection)
                ORDER BY seq, id
            """)
        return lines
    }

    /// The first lines that one of two lists has and the other has not, for the report of a failure.
    static func difference(_ lines: [String], _ expected: [String]) -> String {
        let (more, fewer) = (lines.filter { !expected.contains($0) }, expected.filter { !lines.contains($0) })
        return "\(more.prefix(4)) instead of \(fewer.prefix(4))"
    }

    /// The documents of all pages, with the totals.
    static func pages(_ query: PageQuery, _ view: CollectionView) throws -> [String] {
        var query = query
        var lines: [String] = []
        while true {
            let page = try view.rows.execute(query, scratch: QueryScratch(), budget: .unlimited)
            lines.append("total \(page.total) \(page.facets.map { $0.map(\.count) })")
            for row in page.rows {
                let (snapshot, own) = try #require(view.rows.layer(of: Int(row)))
                lines.append(String(decoding: snapshot.document(own).array, as: UTF8.self))
            }
            guard let next = page.next else { return lines }
            query.after = next
        }
    }
}
