// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// Writes files, manifests and the head of a leader into its folder. It reads state.db beside commits, so that it delays none;
/// after a crash or a full disk the next publication catches up.
///
/// It belongs to one thread.
final class FleetPublisher {
    /// The order to publish a source.
    struct Order {
        var source: SourceID
        /// Greater than that of every head that this host has seen.
        var issuedAt: Int64
        /// Hashes without secrets.
        var request: String
        var definition: String
        var access: String
        /// Whether the records may have changed.
        var readsRecords: Bool
    }

    /// The last publication of a source, as state.db keeps it.
    struct Published: Equatable {
        var state: String
        var mark: ExportMark
        var manifest: FileReference
    }

    private let store: StateStore
    private let folder: FleetFolder
    private let key: SigningKey
    private let fleet: String
    private let issuer: Issuer
    private let version: String
    private let clock: WallClock
    private var published: [SourceID: Published] = [:]
    private var manifests: [SourceID: FleetManifest] = [:]
    /// The entries of the head: those that this process has published, and those of the process before.
    private var entries: [SourceID: HeadEntry]
    /// The sources as they were when their published records were read.
    private var rows: [SourceID: SourceRow] = [:]
    private var sweptAt: Int64?
    /// Whether files may have records that were erased.
    private var hasErased = false
    /// All sources that this host may have published.
    private let sources: () -> [SourceID]

    init(
        _ store: StateStore, folder: FleetFolder, key: SigningKey, fleet: String, issuer: Issuer,
        version: String, clock: WallClock, earlier: [SourceID: HeadEntry], sources: @escaping () -> [SourceID]
    ) {
        self.store = store
        self.folder = folder
        self.key = key
        self.fleet = fleet
        self.issuer = issuer
        self.version = version
        self.clock = clock
        self.sources = sources
        entries = earlier
    }

    /// The states of sources that this host had published, as state.db knows them.
    static func states(of sources: some Sequence<SourceID>, in store: StateStore) -> [SourceID: String] {
        var states: [SourceID: String] = [:]
        for source in sources {
            // A text that cannot be read now makes the source be taken from the own address, which is right, too.
            guard let text = try? store.database.fleetText(of: source) else { continue }
            states[source] = Published(stored: text)?.state
        }
        return states
    }

    /// Publishes the head as this process begins, also without a source: others see that the address serves it, before they
    /// need it.
    func begin() throws(FleetError) { try writeHead() }

    /// Publishes the state of a source.
    ///
    /// - Returns: the entry of the new head; nil where there is nothing to tell yet.
    func publish(_ order: Order) throws(FleetError) -> HeadEntry? {
        let source = order.source
        if order.readsRecords || rows[source] == nil { try readRecords(of: source) }
        guard let published = published[source], let read = rows[source], let asOf = read.asOf else { return nil }
        // A refresh that has ended since then is published next: this head says no more of the records than was read.
        let known = store.catalog.current()[source.collection]?.condition.source(of: source.site) ?? read
        let row = order.readsRecords ? read : known
        let fault = row.lastError.map { error in
            HeadEntry.Fault(
                kind: error.kind.rawValue, reason: error.reason?.rawValue, status: error.status, at: error.at,
                failures: max(1, row.failures))
        }
        let entry = HeadEntry(
            issuedAt: order.issuedAt, asOf: asOf, fullAsOf: read.full.asOf, state: published.state,
            manifest: published.manifest, request: order.request, definition: order.definition, access: order.access,
            version: version, error: fault, nextRefresh: row.due, retryAfter: row.retryAfter)
        entries[source] = entry
        try writeHead()
        return entry
    }

    /// Says once more how sources are whose request is under way.
    ///
    /// - Returns: the entries of the new head.
    func repeatEntries(
        of sources: Set<SourceID>, next: Int64, issuedAt: (SourceID) -> Int64
    ) throws(FleetError) -> [SourceID: HeadEntry] {
        var repeated: [SourceID: HeadEntry] = [:]
        for source in sources {
            guard var entry = entries[source] else { continue }
            entry.issuedAt = issuedAt(source)
            entry.nextRefresh = next
            entries[source] = entry
            repeated[source] = entry
        }
        if !repeated.isEmpty { try writeHead() }
        return repeated
    }

    private func writeHead() throws(FleetError) {
        let head = FleetHead(fleet: fleet, host: issuer.host, epoch: issuer.epoch, sources: entries)
        let file = try head.signed(by: key)
        guard file.count <= FleetHead.maxSize else { throw FleetError("the head is over \(FleetHead.maxSize) bytes") }
        try folder.write(head: file)
        try sweep()
    }

    /// Deletes all that this host has published of a source, because records were erased, and another host asks for it now.
    func erase(_ source: SourceID) throws(FleetError) {
        guard try known(source) != nil else { return }
        do throws(StoreError) { try store.database.keep(fleetText: "", of: source) } catch {
            throw FleetError(error.message)
        }
        (published[source], manifests[source], entries[source], rows[source]) = (nil, nil, nil, nil)
        hasErased = true
        try writeHead()
    }

    /// Deletes, now and then, the files that no manifest in force names.
    private func sweep() throws(FleetError) {
        let now = clock.now()
        if !hasErased, let sweptAt, sweptAt <= now, now - sweptAt < Self.sweepInterval { return }
        sweptAt = now
        var named: Set<String> = []
        for source in sources() {
            // Those of sources that were not asked since the start are in force, too.
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
    private func readRecords(of source: SourceID) throws(FleetError) {
        let known = try known(source)
        let before = known.flatMap { manifest(of: source, $0) }
        try read(source, since: known, before, wantsAll: before.map { !isGoodBase($0) } ?? true)
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
                published[source] = try store.database.fleetText(of: source).flatMap { Published(stored: $0) }
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
        _ source: SourceID, since known: Published?, _ before: FleetManifest?, wantsAll: Bool
    ) throws(FleetError) {
        var writer = ExportWriter(folder)
        let export: SourceExport?
        do throws(StoreError) {
            // Files are written while the view is open.
            export = try store.database.export(source, since: known?.mark, wantsAll: wantsAll, to: &writer)
        } catch { throw FleetError(error.message) }
        guard let export else { return }
        rows[source] = export.source
        let join = try join(export, before)
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
        manifest.forgotten = before?.forgotten ?? []
        manifest.forget(export.forgotten, at: clock.now())
        if !export.forgotten.isEmpty { hasErased = true }
        let reference = try folder.write(manifest.json)
        try keep(Published(state: state, mark: export.mark, manifest: reference), manifest, of: source)
    }

    private func join(_ export: SourceExport, _ before: FleetManifest?) throws(FleetError) -> FleetManifest.Join? {
        guard !export.joined.isEmpty else { return nil }
        let lines = export.joined.split(separator: ASCII.newline)
        let content = Array("{\"records\":[".utf8) + Array(lines.joined(separator: [ASCII.comma])) + Array("]}".utf8)
        let file = try folder.write(content)
        if let known = before?.join, known.files == [file] { return known }
        return FleetManifest.Join(state: RandomBytes.hexadecimal(Self.stateSize), files: [file])
    }

    /// Keeps what is published before a head names it: after a crash the next head goes on from there.
    private func keep(_ next: Published, _ manifest: FleetManifest, of source: SourceID) throws(FleetError) {
        if published[source] != next {
            do throws(StoreError) { try store.database.keep(fleetText: next.stored, of: source) } catch {
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
            let generation = value["generation"]?.integer,
            let seq = value["seq"]?.integer, let key = value["key"]?.integer
        else { return nil }
        self.state = state
        self.manifest = manifest
        mark = ExportMark(
            generation: UInt64(bitPattern: generation), seq: UInt64(bitPattern: seq), key: key)
    }

    var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state)
        writer.key("manifest")
        manifest.write(to: &writer)
        writer.member("generation", Int64(bitPattern: mark.generation))
        writer.member("seq", Int64(bitPattern: mark.seq))
        writer.member("key", mark.key)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Writes the records and ids of an export into files of a folder, one after the other, so that little is in memory.
struct ExportWriter: ExportReceiver {
    /// The size of a file's content, in bytes; a larger record has a file of its own.
    static let maxContent = 8 << 20

    private let folder: FleetFolder
    private(set) var files: [FileReference] = []
    private var list: [UInt8] = []
    private var deleted: [UInt8] = []
    /// The number of records.
    private(set) var records = 0
    /// The number of ids of gone records.
    private var goneIDs = 0

    init(_ folder: FleetFolder) { self.folder = folder }

    /// Whether there is nothing to tell.
    var isEmpty: Bool { records == 0 && goneIDs == 0 }

    mutating func record(_ upstream: RawSpan) throws(StoreError) {
        records += 1
        if list.count + upstream.byteCount + Self.frame > Self.maxContent { try closeFile() }
        if !list.isEmpty { list.append(ASCII.comma) }
        list.append(bytes: upstream)
    }

    mutating func gone(_ id: RawSpan) throws(StoreError) {
        goneIDs += 1
        if list.count + deleted.count + 6 * id.byteCount + Self.frame > Self.maxContent { try closeFile() }
        if !deleted.isEmpty { deleted.append(ASCII.comma) }
        var writer = JSONWriter()
        writer.string(utf8: id)
        deleted += writer.bytes
    }

    mutating func beginWhole() throws(StoreError) { self = ExportWriter(folder) }

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

    /// Room for what stands around the lists, in bytes.
    private static let frame = 64
}
