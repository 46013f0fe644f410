// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// Overlays in two parts beside overlays of the same entries that are built at once.
@Suite struct OverlayPartsTests {
    private static let definition = Shelf.definition

    /// A random record of the shelf.
    private static func object(_ id: String, _ chance: inout SeededGenerator) -> String {
        let words = (0..<3).map { _ in chance.pick(["water", "the", "pump", "pumps", "Straße", "quiet", "of"]) }
        var members = [#""id":"\#(id)""#, #""title":"\#(words.joined(separator: " "))""#]
        if !chance.oneIn(4) { members.append(#""state":"\#(chance.pick(["new", "OPEN", "shut", "BROKEN"]))""#) }
        if !chance.oneIn(3) { members.append(#""level":\#(Int.random(in: -5...20, using: &chance))"#) }
        if chance.oneIn(3) { members.append(#""day":"2026-11-1\#(Int.random(in: 0...9, using: &chance))""#) }
        return "{\(members.joined(separator: ","))}"
    }

    /// Two sets of committed records, and recent ones over the first.
    private struct Below {
        let fixtures: [SnapshotFixture]
        let all: [CommittedRecords]

        init(_ chance: inout SeededGenerator) throws {
            let first = try SnapshotFixture((0..<60).map { object("\($0)", &chance) }, definition)
            let second = try SnapshotFixture((20..<80).map { object("\($0)", &chance) }, definition)
            var recent = RecentRecords.Contents()
            for record in try Shelf.decode((10..<30).map { object("\($0)", &chance) }, definition) {
                recent.set(RecentRecords.Entry(record, firstSeen: 3, changedAt: 4, stateKey: 9))
            }
            for id in 40..<44 { recent.remove(Array("\(id)".utf8)) }
            fixtures = [first, second]
            all = [
                CommittedRecords(file: first.snapshot), CommittedRecords(file: second.snapshot),
                CommittedRecords(
                    FileStack(first.snapshot),
                    recent: try RecentRecords.build(recent, over: FileStack(first.snapshot), definition)),
            ]
        }
    }

    /// The written records, and their overlay.
    private struct Model {
        var chance: SeededGenerator
        let below: Below
        var committed: CommittedRecords?
        var written: [[UInt8]: OverlayEntry] = [:]
        var overlay: RecordOverlay?
        /// The building of an older part that has begun and not ended.
        var task: RenewalTask?
        var adopted = 0

        init(seed: UInt64) throws {
            chance = SeededGenerator(seed: seed &* 7919)
            below = try Below(&chance)
            committed = below.all[0]
        }

        private mutating func entry() -> OverlayEntry {
            let id = "\(Int.random(in: 0..<200, using: &chance))"
            let states: [PendingState?] = [nil, .queued, .accepted, .stuck]
            let state = chance.pick(states)
            var upstream: [UInt8]? = Array(object(id, &chance).utf8)
            var entry = OverlayEntry(
                id: Array(id.utf8), upstream: nil, firstSeen: 5, changedAt: 6, stateKey: 7,
                pending: state.map { PendingRecord(state: $0, json: Array(#"{"state":"\#($0)","of":"\#(id)"}"#.utf8)) },
                written: RecordWrite(
                    operation: OperationID(time: 1, random: (chance.next(), 2)), submittedAt: 1, uid: 5))
            switch Int.random(in: 0..<10, using: &chance) {
            case 0: upstream = nil
            case 1:
                upstream = nil
                entry.isHidden = true
            case 2: entry.isHidden = true
            case 3: upstream = Array("[\(id)]".utf8)
            default: break
            }
            entry.upstream = upstream
            return entry
        }

        mutating func step() throws {
            if let overlay, overlay.changes.count > 100 { finish() }
            var changed = (0..<Int.random(in: 0...4, using: &chance)).map { _ in entry() }
            changed = changed.enumerated().filter { index, entry in
                !changed[(index + 1)...].contains { $0.id == entry.id }
            }
            .map(\.element)
            var removed = written.keys.sorted { $0.lexicographicallyPrecedes($1) }.shuffled(using: &chance)
                .prefix(Int.random(in: 0...(chance.oneIn(20) ? 60 : 3), using: &chance)).map(\.self)
            if chance.oneIn(9) { removed.append(Array("none".utf8)) }
            removed.removeAll { id in changed.contains { $0.id == id } }
            let base = chance.oneIn(15) ? chance.pick(below.all) : committed
            var next = overlay
            if let overlay {
                next = try overlay.applying(
                    changed, removing: removed, over: base, definition: definition, joined: nil)
                if let next, next.olderEnd != overlay.olderEnd { adopted += 1 }
            } else {
                next = try RecordOverlay.build(changed, over: base, definition: definition, joined: nil)
            }
            // A transaction that fails leaves everything as it was.
            if chance.oneIn(8) { return }
            (overlay, committed) = (next, base)
            for id in removed { written[id] = nil }
            for entry in changed { written[entry.id] = entry }
            // As the thread does that watches the catalog, and may be late.
            if let overlay, overlay.isFull, task == nil { task = OverlayRenewal.begin(overlay) }
            switch Int.random(in: 0..<20, using: &chance) {
            case 0...1: finish()
            case 2: task = nil
            default: break
            }
        }

        private mutating func finish() {
            task?.run()
            task = nil
        }
    }

    @Test(arguments: 0..<6)
    func `an overlay in two parts serves what one serves that is built at once, however late the thread is`(
        seed: UInt64
    ) throws {
        var model = try Model(seed: seed + 1)
        for step in 0..<RandomRounds.count(240) {
            try model.step()
            let whole = try RecordOverlay.build(
                Array(model.written.values), over: model.committed, definition: Self.definition, joined: nil)
            #expect((model.overlay == nil) == (whole == nil), "step \(step)")
            guard let overlay = model.overlay, let whole else { continue }
            try expectSame(overlay, whole, model, "seed \(seed), step \(step)")
        }
        #expect(model.adopted > 0)
    }

    private func expectSame(
        _ overlay: RecordOverlay, _ whole: RecordOverlay, _ model: Model, _ place: Comment
    ) throws {
        #expect(overlay.version == whole.version && overlay.counts == whole.counts, place)
        #expect(overlay.count == whole.count && overlay.count == model.written.count, place)
        #expect(overlay.objectBytes == whole.objectBytes, place)
        #expect(Set(overlay.ids) == Set(model.written.keys), place)
        #expect(Set(overlay.unserved.map(\.entry.id)) == Set(whole.unserved.map(\.entry.id)), place)
        for entry in overlay.entries {
            let other = whole.entry(forID: entry.id)
            #expect(entry == other, place)
        }
        let marks = ArchiveOverlay.build(
            snapshot: model.committed?.file,
            marks: (0..<200).filter { $0 % 7 == 0 }.map {
                ArchiveMarkChange(id: Array("\($0)".utf8), mark: ArchiveMark(at: 1, uid: 2))
            })
        let views = [overlay, whole].map { overlay in
            CollectionView(
                definition: Self.definition, committed: model.committed, archive: marks,
                condition: CollectionCondition(row: CollectionRow(number: 1, name: "shelf")), overlay: overlay)
        }
        #expect(views[0].rows.count == views[1].rows.count, place)
        #expect(views[0].rows.archivedCount == views[1].rows.archivedCount, place)
        #expect(views[0].rows.unsupported == views[1].rows.unsupported, place)
        for id in 0..<200 { #expect(sight(of: "\(id)", in: views[0]) == sight(of: "\(id)", in: views[1]), place) }
        #expect(try found(in: views[0]) == found(in: views[1]), place)
    }

    /// All that is told of a record.
    private func sight(of id: String, in view: CollectionView) -> [String] {
        let bytes = Array(id.utf8)
        guard let row = view.rows.row(forID: bytes.rawSpan), let (snapshot, own) = view.rows.layer(of: row) else {
            return [String(view.overlay?.contains(bytes) == true), String(view.served(bytes) == nil)]
        }
        let over = view.rows.overlayRow(row)
        let pending = over.flatMap { view.overlay?.pending($0) }
        let served = view.served(bytes).map { ServedComparison.document($0, in: view) } ?? []
        return [
            String(decoding: snapshot.document(own).array, as: UTF8.self), "\(snapshot.changedAt(own))",
            "\(snapshot.firstSeen(own)) \(snapshot.stateKey(own))", "\(view.rows.isArchived(row))",
            "\(view.rows.isUnlisted(row))", String(decoding: pending?.json ?? [], as: UTF8.self),
            "\(over.flatMap { view.overlay?.written($0)?.submittedAt } ?? 0)", String(decoding: served, as: UTF8.self),
        ]
    }

    /// The ids of some queries' pages, and the totals.
    private func found(in view: CollectionView) throws -> [[String]] {
        let pending = Predicate.pending(PendingState.allCases)
        return try [Predicate.text(Array("e".utf8)), .constant(true), pending].flatMap { predicate in
            try [ArchivedMode.exclude, .include, .only].map { mode in
                var query = PageQuery(predicate: predicate, order: Self.definition.defaultOrder)
                query.limit = 300
                query.archived = mode
                let page = try view.rows.execute(query, scratch: QueryScratch(), budget: .unlimited)
                return ["\(page.total)"]
                    + page.rows.map { String(decoding: view.rows.idBytes(Int($0)) ?? [], as: UTF8.self) }
            }
        }
    }

    private func entries(_ ids: Range<Int>) -> [OverlayEntry] {
        ids.map {
            OverlayEntry(
                id: Array("\($0)".utf8), upstream: Array(#"{"id":"\#($0)"}"#.utf8), firstSeen: 1, changedAt: 2)
        }
    }

    @Test func `a change builds nothing anew but the newer part, until that is full`() throws {
        var overlay = try #require(
            try RecordOverlay.build(entries(0..<500), over: nil, definition: Self.definition, joined: nil))
        let older = try #require(overlay.older)
        #expect(older.rowCount == 500 && overlay.newer == nil && !overlay.isFull)
        for id in 500..<532 {
            let next = try overlay.applying(
                entries(id..<id + 1), over: nil, definition: Self.definition, joined: nil)
            overlay = try #require(next)
            #expect(overlay.older === older && overlay.newer?.rowCount == id - 499)
        }
        let task = try #require(OverlayRenewal.begin(overlay))
        #expect(overlay.isFull && OverlayRenewal.begin(overlay) == nil)
        var next = try #require(
            try overlay.applying(entries(0..<1), over: nil, definition: Self.definition, joined: nil))
        #expect(next.older === older && next.newer?.rowCount == 33 && next.count == 532)
        task.run()
        next = try #require(
            try next.applying([], removing: [Array("1".utf8)], over: nil, definition: Self.definition, joined: nil))
        #expect(next.older?.rowCount == 532 && next.newer?.rowCount == 1 && next.count == 531 && !next.isFull)
        // An overlay that was taken over is not waited for again.
        #expect(OverlayRenewal.begin(next) != nil)
    }

    @Test func `where the thread is late by many changes, a commit waits for it`() throws {
        var overlay = try #require(
            try RecordOverlay.build(entries(0..<200), over: nil, definition: Self.definition, joined: nil))
        overlay = try #require(
            try overlay.applying(entries(200..<328), over: nil, definition: Self.definition, joined: nil))
        #expect(overlay.newer?.rowCount == 128)
        let task = try #require(OverlayRenewal.begin(overlay))
        let before = overlay
        let commit = try BackgroundCall { [entries = entries(328..<329)] in
            try before.applying(entries, over: nil, definition: Self.definition, joined: nil)
        }
        task.run()
        let next = try #require(try commit.result())
        #expect(next.older?.rowCount == 328 && next.newer?.rowCount == 1 && next.count == 329)
    }

    @Test func `where no thread builds it, a commit of many changes builds the older part`() throws {
        let overlay = try #require(
            try RecordOverlay.build(entries(0..<10), over: nil, definition: Self.definition, joined: nil))
        var task = OverlayRenewal.begin(overlay)
        #expect(task != nil)
        // The task is dropped: its thread has ended.
        task = nil
        let next = try #require(
            try overlay.applying(entries(5..<200), over: nil, definition: Self.definition, joined: nil))
        #expect(next.older?.rowCount == 200 && next.newer == nil && next.count == 200)
    }

    @Test func `a part that ends after another was built in its stead is not taken over`() throws {
        let overlay = try #require(
            try RecordOverlay.build(entries(0..<10), over: nil, definition: Self.definition, joined: nil))
        let late = try #require(
            try overlay.applying(entries(10..<120), over: nil, definition: Self.definition, joined: nil))
        let task = try #require(OverlayRenewal.begin(overlay))
        task.run()
        let next = try #require(
            try late.applying(entries(0..<130), over: nil, definition: Self.definition, joined: nil))
        let end = try #require(
            try next.applying(entries(7..<8), over: nil, definition: Self.definition, joined: nil))
        #expect(next.older?.rowCount == 130 && end.older === next.older && end.count == 130)
    }
}
