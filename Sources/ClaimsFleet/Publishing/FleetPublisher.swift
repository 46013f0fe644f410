// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// Writes files and manifests of a leader into its folder, and names them in its head. It reads state.db beside
/// commits, so that it delays none; after a crash or a full disk the next publication catches up.
///
/// It belongs to one thread.
final class FleetPublisher {
    /// Hashes of a definition, without secrets.
    struct Hashes {
        var request: String
        var definition: String
        var access: String
        /// Whether the records are written on this host, so that a head gives their current state.
        var isHome = false
    }

    /// The last publication of a source, as state.db keeps it.
    struct Published: Equatable {
        var state: String
        var mark: ExportMark
        var manifest: FileReference
        /// The state of another host that could be continued, whether or not this publication did.
        var continued: String?
    }

    /// The entries that this process has published, and the entries of the process before.
    let head: HeadWriter
    private let store: StateStore
    private let folder: FleetFolder
    private let version: String
    private let clock: WallClock
    private let cancellation: HTTPCancellation
    private var published: [SourceID: Published] = [:]
    private var manifests: [SourceID: FleetManifest] = [:]
    /// The sources as they were when their published records were read.
    private var rows: [SourceID: SourceRow] = [:]
    /// The times at which the published records were read, or a little before.
    private var readAt: [SourceID: Int64] = [:]
    private var sweptAt: Int64?
    /// Whether files may have erased records. A process that was killed may have left such files.
    private var hasErased = true
    /// Whether sources were erased whose files may still be there.
    private var isErasing = false
    /// The sources whose next head names no files with erased records any more.
    private var erasedOf: Set<SourceID> = []

    /// - Parameter cancellation: has a publication under way end soon, with an error.
    init(
        _ store: StateStore, folder: FleetFolder, head: HeadWriter, version: String, clock: WallClock,
        cancellation: HTTPCancellation
    ) {
        self.store = store
        self.folder = folder
        self.head = head
        self.version = version
        self.clock = clock
        self.cancellation = cancellation
    }

    /// Publishes the head as this process begins, also without a source: others see that the address serves it, before they
    /// need it.
    func begin(for issuer: any HeadIssuer) throws(FleetError) {
        try drop(for: issuer)
        try head.write { _ in }
    }

    /// Publishes the state of a source.
    ///
    /// - Parameters:
    ///   - readsRecords: whether the records may have changed.
    ///   - issueTime: called once all files are written; nil: another host asks for the source now.
    /// - Returns: the entry of the new head; nil if there is nothing to publish.
    func publish(
        _ source: SourceID, _ hashes: Hashes, readsRecords: Bool, issueTime: () -> Int64?
    ) throws(FleetError) -> HeadEntry? {
        if readsRecords || rows[source] == nil {
            try readRecords(of: source, hashes.definition, now: issueTime() ?? clock.now())
        }
        guard let published = published[source], let read = rows[source], hashes.isHome || read.asOf != nil
        else { return nil }
        // A refresh that has ended since then is published next: this head covers only the records that were read.
        let known = store.catalog.current()[source.collection]?.condition.source(of: source.site) ?? read
        let row = readsRecords ? read : known
        let lastError = hashes.isHome ? nil : row.lastError
        let fault = lastError.map { error in
            HeadEntry.Fault(
                kind: error.kind.rawValue, reason: error.reason?.rawValue, status: error.status, at: error.at,
                failures: max(1, row.failures))
        }
        guard let issuedAt = issueTime() else { return nil }
        // Records of a home are as of the time at which they were read.
        let asOf = hashes.isHome ? min(issuedAt, readAt[source] ?? issuedAt) : read.asOf ?? issuedAt
        let fullAsOf = hashes.isHome ? asOf : read.full.asOf
        let next =
            hashes.isHome
            ? issuedAt + RecordHomes.interval
            : HeadJudgement.nextRefresh(row.due, issuedAt: issuedAt, now: clock.now())
        var entry = HeadEntry(
            issuedAt: issuedAt, asOf: asOf, fullAsOf: fullAsOf,
            state: published.state,
            manifest: published.manifest, request: hashes.request, definition: hashes.definition,
            access: hashes.access, version: version, error: fault, nextRefresh: next,
            retryAfter: hashes.isHome ? nil : row.retryAfter)
        entry = try head.write { entries in
            entry.issuedAt = HeadJudgement.issueTime(entry.issuedAt, after: entries[source]?.issuedAt)
            entries[source] = entry
            return entry
        }
        if erasedOf.remove(source) != nil { hasErased = true }
        try sweep(for: Set([source]))
        return entry
    }

    /// Drops the sources that are not shared any more, and the sources that another host asks for now.
    func drop(for issuer: any HeadIssuer) throws(FleetError) {
        let shared = Set(issuer.sources)
        for source in head.entries.keys where !shared.contains(source) || issuer.follows(source) { try erase(source) }
        if isErasing { try finishErasing() }
    }

    /// Deletes all that this host has published of a source.
    func erase(_ source: SourceID) throws(FleetError) {
        let known = try known(source)
        guard known != nil || head.entries[source] != nil else { return }
        let rest = known?.withoutFiles ?? ""
        try stored { () throws(StoreError) in try store.database.keep(.published, rest, of: source) }
        (published[source], manifests[source], rows[source]) = (nil, nil, nil)
        isErasing = true
        try finishErasing(source)
    }

    /// Deletes the files of erased sources once the head on disk names them no more. After an error it is done later.
    ///
    /// - Parameter source: the source that leaves the head now.
    private func finishErasing(_ source: SourceID? = nil) throws(FleetError) {
        hasErased = true
        try head.write { entries in
            if let source { entries[source] = nil }
        }
        try sweep(for: [])
        isErasing = false
    }

    /// Deletes, now and then, the files that no manifest in force names.
    ///
    /// - Parameter sources: sources that may not be in the head yet.
    private func sweep(for sources: Set<SourceID>) throws(FleetError) {
        let now = clock.now()
        if !hasErased, let sweptAt, sweptAt <= now, now - sweptAt < Self.sweepInterval { return }
        sweptAt = now
        var named: Set<String> = []
        let entries = head.entries
        for source in sources.union(entries.keys) {
            guard let known = try known(source) else { continue }
            named.insert(known.manifest.sha256)
            named.formUnion(manifest(of: source, known)?.files.map(\.sha256) ?? [])
        }
        // After a restore of state.db the head may name others.
        for entry in entries.values where !named.contains(entry.manifest.sha256) {
            let manifest = folder.content(of: entry.manifest, maxSize: FleetManifest.maxSize)
            named.insert(entry.manifest.sha256)
            named.formUnion(manifest.flatMap { FleetManifest(json: $0) }?.files.map(\.sha256) ?? [])
        }
        folder.sweep(keeping: named, now: now, isUrgent: hasErased)
        hasErased = false
    }

    // MARK: - Records

    /// Updates the files of a source to the state of state.db.
    ///
    /// - Parameter definition: the hash of the settings that decode the records here.
    private func readRecords(of source: SourceID, _ definition: String, now: Int64) throws(FleetError) {
        let known = try known(source)
        let before = known.flatMap { folder.has($0.manifest) ? manifest(of: source, $0) : nil }
        readAt[source] = now
        let view: ExportView? = try stored { () throws(StoreError) in try store.database.exportView(of: source) }
        guard let view else { return }
        rows[source] = view.source
        let continued = try stored { () throws(StoreError) in try ContinuedState.read(of: source, in: store.database) }
        var start = continued?.state == known?.continued ? nil : continued
        if start?.isGood(definition: definition, version: version) == false { start = nil }
        let join = try join(view, before?.join, start, of: source)
        var next: (state: String, manifest: FleetManifest)
        let erased = try forgotten(in: view, since: known?.mark ?? start?.mark)
        // Published files must have nothing of an erased record: a base replaces all files.
        let isKept = start == nil && erased.isEmpty
        if let known, let before, isKept, isGoodBase(before), try hasChanges(view, since: known.mark) {
            let changes = try changes(in: view, since: known.mark)
            if changes.isEmpty, join == before.join {
                // Nothing has changed but the numbers.
                var same = known
                (same.mark, same.continued) = (view.mark, continued?.state)
                return try keep(same, before, of: source)
            }
            next = (RandomBytes.hexadecimal(Self.stateSize), before)
            next.manifest.deltas.append(.init(from: known.state, to: next.state, files: changes.files))
        } else {
            let earlier = start.map { (state: $0.state, mark: $0.mark, join: $0.join) }
            next = try base(view, earlier ?? known.map { ($0.state, $0.mark, before?.join?.state) }, join)
        }
        next.manifest.join = join
        next.manifest.forgotten = try forgotten(of: source)
        next.manifest.forget(erased, at: now)
        if !erased.isEmpty {
            erasedOf.insert(source)
            let list = FleetManifest.stored(next.manifest.forgotten)
            try stored { () throws(StoreError) in try store.database.keep(.forgotten, list, of: source) }
        }
        let json = next.manifest.json
        guard json.count <= FleetManifest.maxSize else {
            throw FleetError("the list of files is over \(FleetManifest.maxSize) bytes")
        }
        let published = Published(
            state: next.state, mark: view.mark, manifest: try folder.write(json), continued: continued?.state)
        try keep(published, next.manifest, of: source)
    }

    /// A manifest with all records, and with the changes since an earlier state, so that a host which has that state
    /// needs no base. If nothing has changed, the state keeps its name, and no host needs to fetch anything.
    ///
    /// - Parameter start: the state that was published last, or the state of another host that may be continued.
    private func base(
        _ view: borrowing ExportView, _ start: (state: String, mark: ExportMark, join: String?)?,
        _ join: FleetManifest.Join?
    ) throws(FleetError) -> (state: String, manifest: FleetManifest) {
        var all = writer()
        try stored { () throws(StoreError) in try view.writeAll(to: &all) }
        var state = RandomBytes.hexadecimal(Self.stateSize)
        var deltas: [FleetManifest.Delta] = []
        if let start, try hasChanges(view, since: start.mark) {
            let changes = try changes(in: view, since: start.mark)
            if changes.isEmpty, join?.state == start.join {
                state = start.state
            } else {
                deltas = [.init(from: start.state, to: state, files: changes.files)]
            }
        }
        var manifest = FleetManifest(base: .init(state: state, records: all.records, files: all.files))
        manifest.deltas = deltas
        return (state, manifest)
    }

    private func hasChanges(_ view: borrowing ExportView, since mark: ExportMark) throws(FleetError) -> Bool {
        try stored { () throws(StoreError) in try view.hasChanges(since: mark) }
    }

    /// The ids that were erased since a moment; empty without a moment.
    private func forgotten(in view: borrowing ExportView, since mark: ExportMark?) throws(FleetError) -> [[UInt8]] {
        guard let mark else { return [] }
        return try stored { () throws(StoreError) in try view.forgotten(since: mark) }
    }

    /// Writes the changes since a moment, which the log must reach back to.
    private func changes(in view: borrowing ExportView, since mark: ExportMark) throws(FleetError) -> ExportWriter {
        var writer = writer()
        try stored { () throws(StoreError) in try view.writeChanges(since: mark, to: &writer) }
        return writer
    }

    private func writer() -> ExportWriter {
        ExportWriter(folder) { [cancellation] in cancellation.isCancelled }
    }

    private func stored<Result: ~Copyable>(_ body: () throws(StoreError) -> Result) throws(FleetError) -> Result {
        do throws(StoreError) { return try body() } catch { throw FleetError(error.message) }
    }

    /// Whether further changes may follow the changes of a manifest.
    private func isGoodBase(_ manifest: FleetManifest) -> Bool {
        let size = manifest.base.files.reduce(0) { $0 + $1.size }
        let changes = manifest.deltas.flatMap(\.files).reduce(0) { $0 + $1.size }
        guard manifest.deltas.count < FleetManifest.maxDeltas, changes * 2 <= size || manifest.deltas.isEmpty else {
            return false
        }
        // A file that was deleted makes a new base necessary.
        return manifest.files.allSatisfy { folder.has($0) }
    }

    /// The last publication of a source; nil: there was none.
    private func known(_ source: SourceID) throws(FleetError) -> Published? {
        if published[source] == nil {
            let text = try stored { () throws(StoreError) in try store.database.fleetText(.published, of: source) }
            published[source] = text.flatMap { Published(stored: $0) }
        }
        return published[source]
    }

    /// The manifest that is in force; nil if it is not there as it was.
    private func manifest(of source: SourceID, _ known: Published) -> FleetManifest? {
        if manifests[source] == nil {
            manifests[source] = folder.content(of: known.manifest, maxSize: FleetManifest.maxSize)
                .flatMap { FleetManifest(json: $0) }
        }
        return manifests[source]
    }

    /// The erased ids that are passed on, from this host's time and from the leaders before.
    private func forgotten(of source: SourceID) throws(FleetError) -> [FleetManifest.Forgotten] {
        FleetManifest.forgotten(
            stored: try stored { () throws(StoreError) in try store.database.fleetText(.forgotten, of: source) })
    }

    /// The joined values. They keep their name if they are the ones of the last publication, or of the continued state.
    private func join(
        _ view: borrowing ExportView, _ known: FleetManifest.Join?, _ start: ContinuedState?, of source: SourceID
    ) throws(FleetError) -> FleetManifest.Join? {
        guard store.catalog.current()[source.collection]?.definition.source.join != nil else { return nil }
        var writer = writer()
        let values: [UInt8]
        do throws(StoreError) {
            values = try view.joined()
            for line in values.split(separator: ASCII.newline) { try writer.record(Array(line).rawSpan) }
            try writer.end()
        } catch { throw FleetError(error.message) }
        if let known, known.files == writer.files { return known }
        let state = start.flatMap { $0.hasJoin(values) ? $0.join : nil }
        return FleetManifest.Join(state: state ?? RandomBytes.hexadecimal(Self.stateSize), files: writer.files)
    }

    /// Keeps the publication before a head names it: after a crash the next head continues from there.
    private func keep(_ next: Published, _ manifest: FleetManifest, of source: SourceID) throws(FleetError) {
        if published[source] != next {
            try stored { () throws(StoreError) in try store.database.keep(.published, next.stored, of: source) }
        }
        published[source] = next
        manifests[source] = manifest
    }

    /// The size of the name of a state, in bytes.
    private static let stateSize = 16
    /// The interval at which files that nothing names are deleted, in milliseconds.
    private static let sweepInterval: Int64 = 60_000
}

extension FleetPublisher.Published {
    init?(stored text: String) {
        guard let value = try? JSONValue.parse(text), let records = Self.records(stored: text),
            let manifest = value["manifest"].flatMap({ FileReference($0) })
        else { return nil }
        (state, mark) = records
        self.manifest = manifest
        continued = value["continued"]?.string
    }

    /// The state of the records in a stored text, even in a text whose files are deleted.
    static func records(stored text: String) -> (state: String, mark: ExportMark)? {
        guard let value = try? JSONValue.parse(text), let state = value["state"]?.string, let mark = ExportMark(value)
        else { return nil }
        return (state, mark)
    }

    var stored: String { text(manifest) }

    /// The text to keep once the files are deleted: the state alone, as state.db may still have its records. It is no publication.
    var withoutFiles: String { text(nil) }

    private func text(_ manifest: FileReference?) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state)
        if let manifest {
            writer.key("manifest")
            manifest.write(to: &writer)
        }
        mark.writeMembers(to: &writer)
        writer.member("continued", continued)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes the records and ids of an export into files of a folder, one after the other, so that little is in memory.
struct ExportWriter: ExportReceiver {
    private let folder: FleetFolder
    /// Whether the remaining records are not needed any more.
    private let isCancelled: () -> Bool
    private(set) var files: [FileReference] = []
    private var list: [UInt8] = []
    private var deleted: [UInt8] = []
    /// The number of records.
    private(set) var records = 0
    /// The number of ids of gone records.
    private var goneIDs = 0

    init(_ folder: FleetFolder, isCancelled: @escaping () -> Bool) {
        self.folder = folder
        self.isCancelled = isCancelled
    }

    /// Whether there is nothing to publish.
    var isEmpty: Bool { records == 0 && goneIDs == 0 }

    mutating func record(_ upstream: RawSpan) throws(StoreError) {
        records += 1
        if records % Self.checkInterval == 0, isCancelled() { throw StoreError(.closed, "publish records") }
        if list.count + upstream.byteCount + Self.frame > FileReference.maxContent { try closeFile() }
        if !list.isEmpty { list.append(ASCII.comma) }
        list.append(bytes: upstream)
    }

    mutating func gone(_ id: RawSpan) throws(StoreError) {
        goneIDs += 1
        if list.count + deleted.count + 6 * id.byteCount + Self.frame > FileReference.maxContent { try closeFile() }
        if !deleted.isEmpty { deleted.append(ASCII.comma) }
        var writer = JSONWriter()
        writer.string(utf8: id)
        deleted += writer.bytes
    }

    mutating func end() throws(StoreError) {
        if !list.isEmpty || !deleted.isEmpty { try closeFile() }
    }

    private mutating func closeFile() throws(StoreError) {
        let content =
            Array("{\"records\":[".utf8) + list + Array("],\"deleted\":[".utf8) + deleted + Array("]}".utf8)
        do throws(FleetError) { files.append(try folder.write(content)) } catch {
            throw StoreError(.io, "publish records", detail: error.message)
        }
        (list, deleted) = ([], [])
    }

    /// The number of records after which the writer checks whether they are still needed.
    private static let checkInterval = 1024
    /// The room for the text around the lists, in bytes.
    private static let frame = 64
}
