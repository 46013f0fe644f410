// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// What the handlers of one loop, or of one worker, have at hand.
///
/// Not shared: each loop and each worker has its own.
final class ServingContext {
    var configuration: ServerConfiguration {
        didSet { forgetSlots() }
    }
    let services: ServerServices
    let registry: ConnectionRegistry
    let workers: QueryWorkers?
    /// When the daemon began to serve, in nanoseconds of the monotonic clock.
    let startedAt: UInt64
    let scratch = QueryScratch()

    /// Who is being answered.
    var asker = Asker(process: 0, connection: 0)

    /// The collections as of the turn at hand.
    private(set) var catalog: Catalog
    /// The time of the turn at hand, in milliseconds since 1970.
    private(set) var now: Int64
    /// Rises with each change of the catalog.
    private(set) var version: UInt64
    private var zones: [String: TimeZoneRules] = [:]
    private var users: [UInt32: String] = [:]
    private var slots: [ViewSlot] = []
    /// The one that a request named last; the next one most often does too.
    private(set) var recent: ViewSlot?
    private var lastInstant = WrittenInstant()
    /// Room for one id.
    var identifier: [UInt8] = []

    init(
        _ configuration: ServerConfiguration, _ services: ServerServices, registry: ConnectionRegistry,
        workers: QueryWorkers?, startedAt: UInt64
    ) {
        self.configuration = configuration
        self.services = services
        self.registry = registry
        self.workers = workers
        self.startedAt = startedAt
        version = services.catalogs.version
        catalog = services.catalogs.current()
        now = configuration.clock.now()
    }

    /// Reads the clock, and the catalog where there is a newer one.
    func refresh() {
        now = configuration.clock.now()
        let newest = services.catalogs.version
        guard newest != version else { return }
        version = newest
        catalog = services.catalogs.current()
        forgetSlots()
    }

    /// Lets go of the catalog, so that data that has been replaced is not kept where nobody asks; ``refresh()`` gets the
    /// newest.
    func letGo() {
        catalog = Catalog(clock: catalog.clock)
        version = 0
        forgetSlots()
    }

    private func forgetSlots() {
        slots.removeAll(keepingCapacity: true)
        recent = nil
    }

    /// How long an answer may be, in bytes; a page that would be longer ends early.
    var answerBytes: Int { min(configuration.limits.answer, registry.unsent.allowance) }

    // MARK: - Collections

    /// The collection of that name, or of that singular.
    ///
    /// - Throws: `unknown_collection` with the nearest name.
    func view(named name: String) throws(RequestError) -> CollectionView {
        if let view = catalog[name] { return view }
        if let view = catalog.views.first(where: { $0.definition.singular == name }) { return view }
        let names = catalog.views.flatMap { [$0.definition.name, $0.definition.singular] }
        let hint: String
        if let nearest = Suggestion.nearest(name, among: names) {
            hint = "did you mean '\(nearest)'?"
        } else {
            hint = "the collections are " + catalog.views.map(\.definition.name).joined(separator: ", ")
        }
        throw RequestError(
            .unknownCollection, "unknown collection '\(name)'", hint: hint,
            details: [RequestError.detail("collection", name)])
    }

    /// The collection that the request names.
    func view(_ arguments: borrowing Arguments) throws(RequestError) -> CollectionView {
        try slot(arguments).view
    }

    /// The collection that the request names, with what its answers have in common.
    func slot(_ arguments: borrowing Arguments) throws(RequestError) -> ViewSlot {
        if slots.isEmpty { makeSlots() }
        if let recent, arguments.isString(.collection, recent.name) { return recent }
        for slot in slots where arguments.isString(.collection, slot.name) {
            recent = slot
            return slot
        }
        let view = try view(named: arguments.requiredString(.collection))
        return slot(of: view)
    }

    private func makeSlots() {
        slots = catalog.views.enumerated().map { makeSlot($1, number: $0) }
    }

    /// The collection of that number; nil where nobody has named one yet.
    func slot(_ number: Int) -> ViewSlot? { number < slots.count ? slots[number] : nil }

    private func slot(of view: CollectionView) -> ViewSlot {
        if slots.isEmpty { makeSlots() }
        return slots.first { $0.view === view }
            ?? makeSlot(view, number: nil)
    }

    private func makeSlot(_ view: CollectionView, number: Int?) -> ViewSlot {
        ViewSlot(view, number: number, clock: catalog.clock, language: configuration.language, now: now)
    }

    /// The records of a collection.
    ///
    /// - Throws: `no_data` with the collection's meta where it has none, and why.
    func snapshot(of view: CollectionView, language: String?) throws(RequestError) -> Snapshot {
        if let snapshot = view.snapshot { return snapshot }
        throw NoData.error(for: view, context: self, language: language)
    }

    /// Refuses where the data is older than the request allows.
    func requireAge(_ view: CollectionView, _ maximum: Int64?, language: String?) throws(RequestError) {
        guard let maximum else { return }
        let meta = view.meta(now: now, clock: catalog.clock)
        if let age = meta.ageMilliseconds, age <= maximum { return }
        let age = meta.ageMilliseconds.map { "\($0) ms old" } ?? "of unknown age"
        var writer = JSONWriter()
        writeMeta(view, language: language, to: &writer)
        throw RequestError(
            .notFresh, "\(view.definition.name) is \(age), and at most \(maximum) ms was asked for",
            hint: "refresh with wait, or allow older data", details: [("meta", writer.bytes)])
    }

    // MARK: - Meta

    /// Writes the meta object of a collection.
    func writeMeta(_ view: CollectionView, language: String?, to writer: inout JSONWriter) {
        guard language == nil || language == configuration.language else {
            return MetaText(view, catalog.clock, language: language ?? "", now: now).write(now: now, to: &writer)
        }
        slot(of: view).writeMeta(now: now, to: &writer)
    }

    /// Writes an instant. Records are seen in crowds: most often it is the one before.
    func writeInstant(_ milliseconds: Int64, to writer: inout JSONWriter) {
        if milliseconds != lastInstant.milliseconds { lastInstant = WrittenInstant(milliseconds) }
        lastInstant.write(to: &writer)
    }

    /// Writes an instant as a member.
    func writeInstant(_ name: StaticString, _ milliseconds: Int64, to writer: inout JSONWriter) {
        if milliseconds != lastInstant.milliseconds { lastInstant = WrittenInstant(milliseconds) }
        lastInstant.write(name, to: &writer)
    }

    // MARK: - Time

    /// The rules of an IANA time zone.
    ///
    /// - Throws: `bad_params` for a name that is none.
    func zone(named name: String?) throws(RequestError) -> TimeZoneRules {
        let name = name ?? "UTC"
        if let rules = zones[name] { return rules }
        guard let rules = try? TimeZoneRules.load(name) else {
            throw RequestError(
                .badParams, "unknown time zone '\(name)'", hint: "use an IANA name, such as Europe/Warsaw",
                details: [RequestError.detail("parameter", "time_zone")])
        }
        if zones.count >= Self.zonesKept { zones.removeAll() }
        zones[name] = rules
        return rules
    }

    // MARK: - Users

    /// The name of a user, as the machine's own files have it; the number where they do not.
    func userName(_ uid: UInt32) -> String {
        if let name = users[uid] { return name }
        let name = Accounts.userName(uid) ?? String(uid)
        if users.count >= Self.zonesKept { users.removeAll() }
        users[uid] = name
        return name
    }

    /// How many time zones, or users, are remembered.
    private static let zonesKept = 64
}
