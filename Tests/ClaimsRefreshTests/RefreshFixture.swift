// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import ClaimsUpstream
import Synchronization

@testable import ClaimsRefresh
@testable import ClaimsStore

/// A collection, `things`, with real stores, a real upstream and a clock that stands still until it is moved.
final class RefreshFixture: Sendable {
    static let start: Int64 = 1_800_000_000_000
    static let records = #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"},{"id":4,"name":"d"}]"#

    let folder: TemporaryFolder
    let upstream: UpstreamProcess
    let store: StateStore
    let opener: CollectionOpener
    let context: RefreshContext
    let refresher: Refresher
    private let time: Time
    let reports = Monitor<[RefreshReport]>([])
    /// The collections that were erased because their time was over.
    let erased = Monitor<[ErasedCollection]>([])

    private final class Time: Sendable {
        let now = Atomic<Int64>(RefreshFixture.start)
        /// Milliseconds since the boot.
        let uptime = Atomic<UInt64>(60_000)
    }

    /// - Parameters:
    ///   - other: a fixture whose folder and upstream to go on with, as after a restart.
    ///   - isDefined: false: the definition is gone.
    ///   - revision: the type of the field by which positions are named.
    ///   - isNameRequired: whether a record without a name goes to quarantine.
    ///   - shared: the other hosts that share the source.
    ///   - change: what is different about the source.
    init(
        after other: RefreshFixture? = nil, settings: Settings = Settings(), bundle: String? = nil,
        url: String? = nil, stateIn: String? = nil, cacheIn: String? = nil, isDefined: Bool = true,
        history: LimitOverrides<HistorySettings> = LimitOverrides(), revision: FieldType = .integer,
        isNameRequired: Bool = false, shared: (any SharedSources)? = nil,
        change: (inout Source, UpstreamProcess) throws -> Void = { _, _ in }
    ) throws {
        folder = try other?.folder ?? TemporaryFolder()
        upstream = try other?.upstream ?? UpstreamProcess(["things.json": Self.records])
        try Directory.create(folder("state"))
        if let bundle { try folder.write("data/bundle.json", bundle) }
        store = try StateStore(directory: stateIn ?? folder("state"))
        let time = other?.time ?? Time()
        self.time = time
        let clock = WallClock { time.now.load(ordering: .sequentiallyConsistent) }
        opener = CollectionOpener(
            store: store, directory: cacheIn ?? folder("cache"), bundleDirectory: folder("data"), clock: clock,
            report: { _, _ in })
        var source = Source(ReadRequest(url: url ?? upstream.url("things.json"), root: try JSONPointer("")))
        try change(&source, upstream)
        let definition = try Self.definition(
            source, bundle: bundle == nil ? nil : "bundle.json", history: history, revision: revision,
            isNameRequired: isNameRequired)
        try opener.open(isDefined ? [definition] : [])
        var context = RefreshContext(
            opener: opener,
            fetcher: SourceFetcher(
                spoolDirectory: folder("cache"),
                access: UpstreamAccess(
                    credentials: CredentialReader(directory: folder("credentials")), gate: HostGate(clock: clock)),
                clock: clock, sinceBoot: { time.uptime.load(ordering: .sequentiallyConsistent) * 1_000_000 },
                wait: { _, cancellation in cancellation.isCancelled }),
            machine: "machine", clock: clock, random: { 0.5 })
        context.shared = shared
        self.context = context
        let reports = reports
        let erased = erased
        refresher = Refresher(context, settings: settings)
        refresher.observe { event in
            switch event {
            case .began: break
            case .ended(let report): reports.update { $0.append(report) }
            case .erased(let collection): erased.update { $0.append(collection) }
            }
        }
    }

    deinit {
        refresher.stop()
    }

    /// With sites, the field 4 has their names; without, a number or time that rises with each change.
    static func definition(
        _ source: Source, bundle: String? = nil, history: LimitOverrides<HistorySettings> = LimitOverrides(),
        revision: FieldType = .integer, isNameRequired: Bool = false
    ) throws -> Definition {
        let revision = Field(name: "rev", type: revision, from: [try JSONPointer("/rev")])
        let last = source.sites == nil ? revision : Field(name: "site", type: .text)
        return Definition(
            name: "things", source: source, bundle: bundle,
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(
                    name: "name", type: .text, from: [try JSONPointer("/name")], isSearched: true,
                    isRequired: isNameRequired),
                Field(name: "owner", type: .text, from: [try JSONPointer("/owner")]),
                Field(name: "owner_name", type: .text, from: [try JSONPointer("/ownerName")]),
                last,
            ],
            isArchivable: true, history: history)
    }

    /// Closes everything, as a stop of the daemon does.
    func close() {
        refresher.stop()
        store.close()
    }

    var now: Int64 { time.now.load(ordering: .sequentiallyConsistent) }

    func advance(_ duration: Duration) {
        time.uptime.add(UInt64(duration.wholeMilliseconds), ordering: .sequentiallyConsistent)
        step(duration)
    }

    /// Sets the wall clock, forward or back.
    func step(_ duration: Duration) {
        time.now.add(duration.wholeMilliseconds, ordering: .sequentiallyConsistent)
        // As the daemon does when the clock was set.
        refresher.wake()
    }

    var view: CollectionView? { store.catalog.current()["things"] }

    var meta: CollectionMeta? { view?.meta(now: now, revision: store.catalog.current().revision) }

    var documents: [String] {
        guard let records = view?.committed else { return [] }
        return records.rowsByID.map { row in
            let record = records.record(row)
            return String(decoding: record.snapshot.document(record.row).array, as: UTF8.self)
        }
    }

    /// Refreshes, and waits for the end.
    @discardableResult
    func refresh(
        _ options: RefreshOptions = RefreshOptions(), of source: SourceID = "things"
    ) throws -> RefreshReport {
        let done = Monitor<RefreshReport?>(nil)
        let answer = refresher.refresh(source, options) { report in done.update { $0 = report } }
        guard answer == .started || answer == .joined else { throw TestFailure("the refresh was not begun: \(answer)") }
        guard let report = done.wait(upTo: LineClient.timeout, { $0 }) else {
            throw TestFailure("the refresh does not end")
        }
        return report
    }

    /// Puts a changed source in force, as a reload of the daemon does.
    func reload(_ change: (inout Source) throws -> Void) throws {
        guard var source = view?.definition.source else { throw TestFailure("there is no source") }
        try change(&source)
        try opener.reload([Self.definition(source)])
        refresher.configure(Settings())
    }

    /// Waits until the next request is due before `time`, and returns when.
    func dueMoves(from time: Int64) -> Int64? { due { $0 < time } }

    /// Waits until the next request is due at a time that is wanted, and returns it.
    func due(_ isWanted: @Sendable (Int64) -> Bool) -> Int64? {
        let due = Monitor<Int64?>(nil)
        let look: @Sendable (Catalog) -> Void = { catalog in
            let next = catalog["things"]?.condition.source.due
            due.update { $0 = next }
        }
        store.catalog.observe(look)
        look(store.catalog.current())
        return due.wait(upTo: LineClient.timeout) { due in due.flatMap { isWanted($0) ? $0 : nil } }
    }

    func serve(_ body: String, as name: String = "things") throws {
        try upstream.folder.write("\(name).json", body)
    }
}
