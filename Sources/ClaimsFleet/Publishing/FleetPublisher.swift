// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

/// Writes files and manifests of a leader into its folder, and has its head name them. It reads state.db beside commits, so
/// that it delays none; after a crash or a full disk the next publication catches up.
///
/// It belongs to one thread.
final class FleetPublisher {
    /// Hashes of a definition, without secrets.
    struct Hashes {
        var request: String
        var definition: String
        var access: String
        /// Whether the records are written on this host, so that a head tells how they are now.
        var isHome = false
    }

    /// The last publication of a source, as state.db keeps it.
    struct Published: Equatable {
        var state: String
        var mark: ExportMark
        var manifest: FileReference
    }

    /// The entries that this process has published, and those of the process before.
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
    private var sweptAt: Int64?
    /// Whether files may have records that were erased. A process that was killed may have left such ones.
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
    /// - Returns: the entry of the new head; nil where there is nothing to tell.
    func publish(
        _ source: SourceID, _ hashes: Hashes, readsRecords: Bool, issueTime: () -> Int64?
    ) throws(FleetError) -> HeadEntry? {
        if readsRecords || rows[source] == nil { try readRecords(of: source, now: issueTime() ?? clock.now()) }
        guard let published = published[source], let read = rows[source], hashes.isHome || read.asOf != nil
        else { return nil }
        // A refresh that has ended since then is published next: this head says no more of the records than was read.
        let known = store.catalog.current()[source.collection]?.condition.source(of: source.site) ?? read
        let row = readsRecords ? read : known
        let fault = row.lastError.map { error in
            HeadEntry.Fault(
                kind: error.kind.rawValue, reason: error.reason?.rawValue, status: error.status, at: error.at,
                failures: max(1, row.failures))
        }
        guard let issuedAt = issueTime() else { return nil }
        let fullAsOf = hashes.isHome ? issuedAt : read.full.asOf
        let next = hashes.isHome ? issuedAt + RecordHomes.interval : row.due
        var entry = HeadEntry(
            issuedAt: issuedAt, asOf: hashes.isHome ? issuedAt : read.asOf ?? issuedAt, fullAsOf: fullAsOf,
            state: published.state,
            manifest: published.manifest, request: hashes.request, definition: hashes.definition,
            access: hashes.access, version: version, error: fault, nextRefresh: next, retryAfter: row.retryAfter)
        entry = try head.write { entries in
            entry.issuedAt = HeadJudgement.issueTime(entry.issuedAt, after: entries[source]?.issuedAt)
            entries[source] = entry
            return entry
        }
        if erasedOf.remove(source) != nil { hasErased = true }
        try sweep(for: Set([source]))
        return entry
    }

    /// Drops the sources that are not shared any more, and those that another host asks for now.
    func drop(for issuer: any HeadIssuer) throws(FleetError) {
        let shared = Set(issuer.sources)
        for source in head.entries.keys where !shared.contains(source) || issuer.follows(source) { try erase(source) }
        if isErasing { try finishErasing() }
    }

    /// Deletes all that this host has published of a source.
    func erase(_ source: SourceID) throws(FleetError) {
        guard try known(source) != nil || head.entries[source] != nil else { return }
        do throws(StoreError) { try store.database.keep(.published, "", of: source) } catch {
            throw FleetError(error.message)
        }
        (published[source], manifests[source], rows[source]) = (nil, nil, nil)
        isErasing = true
        try finishErasing(source)
    }

    /// Deletes the files of erased sources once the head on disk names them no more. After an error it is done later.
    ///
    /// - Parameter source: the source that is to leave the head now.
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

    /// Brings the files of a source up to what state.db has.
    private func readRecords(of source: SourceID, now: Int64) throws(FleetError) {
        let known = try known(source)
        let before = known.flatMap { folder.has($0.manifest) ? manifest(of: source, $0) : nil }
        try read(source, since: known, before, wantsAll: before.map { !isGoodBase($0) } ?? true, now: now)
    }

    /// Whether further changes may follow those of a manifest.
    private func isGoodBase(_ manifest: FleetManifest) -> Bool {
        let size = manifest.base.files.reduce(0) { $0 + $1.size }
        let changes = manifest.deltas.flatMap(\.files).reduce(0) { $0 + $1.size }
        guard manifest.deltas.count < FleetManifest.maxDeltas, changes * 2 <= size || manifest.deltas.isEmpty else {
            return false
        }
        // A file that somebody has deleted makes a new base necessary.
        return manifest.files.allSatisfy { folder.has($0) }
    }

    /// The last publication of a source; nil: there was none.
    private func known(_ source: SourceID) throws(FleetError) -> Published? {
        if published[source] == nil {
            do throws(StoreError) {
                published[source] = try store.database.fleetText(.published, of: source).flatMap {
                    Published(stored: $0)
                }
            } catch { throw FleetError(error.message) }
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

    private func read(
        _ source: SourceID, since known: Published?, _ before: FleetManifest?, wantsAll: Bool, now: Int64
    ) throws(FleetError) {
        var writer = ExportWriter(folder) { [cancellation] in cancellation.isCancelled }
        let export: SourceExport?
        do throws(StoreError) {
            // Files are written while the view is open.
            export = try store.database.export(source, since: known?.mark, wantsAll: wantsAll, to: &writer)
        } catch { throw FleetError(error.message) }
        guard let export else { return }
        rows[source] = export.source
        let join = try join(export, before, of: source)
        if let known, let before, !export.isWhole, writer.isEmpty, join == before.join {
            // Nothing has changed but the numbers.
            return try keep(
                Published(state: known.state, mark: export.mark, manifest: known.manifest), before, of: source)
        }
        let state = RandomBytes.hexadecimal(Self.stateSize)
        var manifest: FleetManifest
        if let known, var next = before, !export.isWhole {
            next.deltas.append(.init(from: known.state, to: state, files: writer.files))
            manifest = next
        } else {
            manifest = FleetManifest(base: .init(state: state, records: writer.records, files: writer.files))
        }
        manifest.join = join
        manifest.forgotten = try forgotten(of: source)
        manifest.forget(export.forgotten, at: now)
        if !export.forgotten.isEmpty {
            erasedOf.insert(source)
            do throws(StoreError) {
                try store.database.keep(.forgotten, FleetManifest.stored(manifest.forgotten), of: source)
            } catch { throw FleetError(error.message) }
        }
        let json = manifest.json
        guard json.count <= FleetManifest.maxSize else {
            throw FleetError("the list of files is over \(FleetManifest.maxSize) bytes")
        }
        let reference = try folder.write(json)
        try keep(Published(state: state, mark: export.mark, manifest: reference), manifest, of: source)
    }

    /// The erased ids that are handed on, of this host's time and that of the leaders before.
    private func forgotten(of source: SourceID) throws(FleetError) -> [FleetManifest.Forgotten] {
        do throws(StoreError) {
            return FleetManifest.forgotten(stored: try store.database.fleetText(.forgotten, of: source))
        } catch { throw FleetError(error.message) }
    }

    private func join(
        _ export: SourceExport, _ before: FleetManifest?, of source: SourceID
    ) throws(FleetError) -> FleetManifest.Join? {
        guard store.catalog.current()[source.collection]?.definition.source.join != nil else { return nil }
        var writer = ExportWriter(folder) { [cancellation] in cancellation.isCancelled }
        do throws(StoreError) {
            for line in export.joined.split(separator: ASCII.newline) { try writer.record(Array(line).rawSpan) }
            try writer.end()
        } catch { throw FleetError(error.message) }
        if let known = before?.join, known.files == writer.files { return known }
        return FleetManifest.Join(state: RandomBytes.hexadecimal(Self.stateSize), files: writer.files)
    }

    /// Keeps what is published before a head names it: after a crash the next head goes on from there.
    private func keep(_ next: Published, _ manifest: FleetManifest, of source: SourceID) throws(FleetError) {
        if published[source] != next {
            do throws(StoreError) { try store.database.keep(.published, next.stored, of: source) } catch {
                throw FleetError(error.message)
            }
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
        guard let value = try? JSONValue.parse(text), let state = value["state"]?.string,
            let manifest = value["manifest"].flatMap({ FileReference($0) }),
            let number = value["number"]?.integer, let generation = value["generation"]?.integer,
            let seq = value["seq"]?.integer, let key = value["key"]?.integer
        else { return nil }
        self.state = state
        self.manifest = manifest
        mark = ExportMark(
            number: number, generation: UInt64(bitPattern: generation), seq: UInt64(bitPattern: seq), key: key)
    }

    var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state)
        writer.key("manifest")
        manifest.write(to: &writer)
        writer.member("number", mark.number)
        writer.member("generation", Int64(bitPattern: mark.generation))
        writer.member("seq", Int64(bitPattern: mark.seq))
        writer.member("key", mark.key)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes the records and ids of an export into files of a folder, one after the other, so that little is in memory.
struct ExportWriter: ExportReceiver {
    private let folder: FleetFolder
    /// Whether the rest is not wanted any more.
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

    /// Whether there is nothing to tell.
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

    mutating func beginWhole() throws(StoreError) { self = ExportWriter(folder, isCancelled: isCancelled) }

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

    /// The number of records after which the writer looks whether they are still wanted.
    private static let checkInterval = 1024
    /// Room for what stands around the lists, in bytes.
    private static let frame = 64
}
