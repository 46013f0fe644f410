// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore
import Synchronization

/// The collections as the answers to one peer see them during one tick: its catalog, the time, and the texts that answers
/// share.
///
/// It shows nothing until a peer has entered. Not shared between threads: each loop and each worker has its own.
///
/// ```swift
/// served.refresh()                                // once a tick
/// served.enter(peer)                              // before each answer
/// let collection = try served.collection(named: "letters")
/// let snapshot = try served.snapshot(of: collection.view, language: nil)
/// served.writeMeta(collection.view, language: nil, to: &writer)
/// ```
final class ServedCatalog {
    /// A change drops the texts, which depend on the language.
    var configuration: ServerConfiguration {
        didSet { dropCollections() }
    }
    private let publisher: CatalogPublisher
    /// All collections in the state of the current tick, whatever the peer sees.
    private var all: Catalog
    /// Whether some collection has rules of access.
    private var hasRules: Bool
    /// The parts of the catalog that peers see. The first one is the whole catalog.
    private var scopes: [Scope]
    private var numbers = CatalogScopes()
    /// The part in which nothing is seen.
    private var nothing: Scope
    /// The part that the peer sees that is being answered.
    private var scope: Scope
    /// Whether everything is shown to every peer.
    private var showsAll = false
    /// The number of the current set of scopes. It is unique over all loops, because a connection takes a stamp along
    /// to another loop.
    private var generation: UInt64
    private static let generations = Atomic<UInt64>(0)

    private static func nextGeneration() -> UInt64 { generations.wrappingAdd(1, ordering: .relaxed).newValue }

    /// The time of the current tick, in milliseconds since 1970.
    private(set) var now: Int64
    /// A number that rises with each change of the catalog.
    private(set) var version: UInt64
    private var users: [UInt32: String] = [:]

    init(_ configuration: ServerConfiguration, _ publisher: CatalogPublisher) {
        self.configuration = configuration
        self.publisher = publisher
        version = publisher.version
        all = publisher.current()
        hasRules = all.hasRules
        generation = Self.nextGeneration()
        scopes = [Scope(ScopedCatalog(whole: all), number: 0)]
        nothing = Scope(ScopedCatalog(nothingOf: all), number: Scope.nobodys)
        scope = nothing
        now = configuration.clock.now()
    }

    /// The collections whose records the peer sees.
    var catalog: Catalog { scope.seen.catalog }
    /// The part of the catalog that the peer sees.
    var seen: ScopedCatalog { scope.seen }
    /// The collection that the last request named; the next one most often names it too.
    var recent: ServedCollection? { scope.recent }

    /// Begins a tick: reads the clock, and accepts the newest catalog.
    func refresh() {
        now = configuration.clock.now()
        let newest = publisher.version
        guard newest != version else { return }
        version = newest
        all = publisher.current()
        hasRules = all.hasRules
        dropCollections()
    }

    /// Releases the catalog, so that replaced data is freed while nothing is asked; ``refresh()`` accepts the newest.
    func release() {
        all = Catalog(revision: all.revision)
        hasRules = false
        version = 0
        dropCollections()
    }

    /// Makes the scopes anew. No answer is under way then.
    private func dropCollections() {
        generation = Self.nextGeneration()
        numbers = CatalogScopes()
        scopes = [Scope(ScopedCatalog(whole: all), number: 0)]
        nothing = Scope(ScopedCatalog(nothingOf: all), number: Scope.nobodys)
        scope = showsAll ? scopes[0] : nothing
    }

    // MARK: - Peers

    /// Shows what a peer sees, until the next peer enters.
    func enter(_ peer: Peer) {
        guard hasRules, !peer.isUnlimited else {
            scope = scopes[0]
            return
        }
        if let number = numbers.number(of: peer) {
            scope = scopes[number]
            return
        }
        if numbers.isFull { dropCollections() }
        let number = numbers.number(of: peer, in: all, publisher.rowSets) { seen in
            if seen.isWhole { return 0 }
            scopes.append(Scope(seen, number: scopes.count))
            return scopes.count - 1
        }
        scope = scopes[number]
    }

    /// Shows everything from now on, for a caller that checks by itself what its peers see.
    func showAll() {
        showsAll = true
        scope = scopes[0]
    }

    /// Shows nothing any more.
    func leave() { scope = nothing }

    /// Whether there is a collection that the peer does not see.
    func hides(_ name: String) -> Bool { catalog[name] == nil && all[name] != nil }

    /// Whether the peer sees as much of a collection as an earlier view of it shows. What was removed is shown to its end.
    func showsSame(_ view: CollectionView) -> Bool {
        let name = view.definition.name
        guard let now = catalog[name] else { return all[name] == nil }
        return now.limit?.name == view.limit?.name
    }

    /// The stamp of the peer's scope, for a caller that keeps it. It is valid until the scopes are made anew; the stamp
    /// of a peer that sees everything is valid until the catalog changes.
    var scopeStamp: ScopeStamp {
        ScopeStamp(number: scope.number, generation: generation, version: version)
    }

    /// The collection at an index of the catalog that a peer sees; nil if no request has named one yet, or the stamp holds
    /// no longer.
    func collection(at index: Int, _ stamp: ScopeStamp) -> ServedCollection? {
        let holds = stamp.number == 0 ? stamp.version == version : stamp.generation == generation
        guard holds else { return nil }
        let collections = scopes[stamp.number].collections
        return index < collections.count ? collections[index] : nil
    }

    // MARK: - Collections

    /// The collection with that name, or with that singular, whose records the peer sees.
    ///
    /// - Throws: `unknown_collection` with the nearest name, or with the mistake in its definition; `forbidden` if the peer
    ///   sees its figures only.
    func view(named name: String) throws(RequestError) -> CollectionView {
        if let view = catalog.view(named: name) { return view }
        if let view = seen.known.view(named: name) { throw .recordsHidden(view.definition.name) }
        throw unknown(name)
    }

    /// The collection with that name, or with that singular, all of whose records the peer sees.
    ///
    /// - Throws: `unknown_collection` or `forbidden`.
    func wholeView(named name: String) throws(RequestError) -> CollectionView {
        let view = try view(named: name)
        if view.limit != nil { throw .limitedView(view.definition.name) }
        return view
    }

    /// The collection with that name, or with that singular, of which the peer sees at least definition and figures.
    ///
    /// - Throws: `unknown_collection` with the nearest name, or with the mistake in its definition.
    func knownView(named name: String) throws(RequestError) -> CollectionView {
        if let view = seen.known.view(named: name) { return view }
        throw unknown(name)
    }

    /// The error about a name that no collection has, as far as the peer sees.
    private func unknown(_ name: String) -> RequestError {
        var error = unknownError(name)
        error.look = all.view(named: name).map { .refused($0.definition.name) }
        return error
    }

    private func unknownError(_ name: String) -> RequestError {
        let catalog = seen.known
        let problems = seen.visible(configuration.problems.all)
        let leftOut = problems.compactMap(\.collection).filter { catalog[$0] == nil }
        let names = catalog.views.flatMap { [$0.definition.name, $0.definition.singular] }
        // The singular of a definition with a mistake is not known, but near to the name.
        if removalHint(name) == nil, let near = Suggestion.nearest(name, among: leftOut + names), leftOut.contains(near)
        {
            return .leftOut(near, because: problems.filter { $0.collection == near })
        }
        let list = catalog.views.map(\.definition.name).joined(separator: ", ")
        let hint =
            Suggestion.question(name, among: names)
            ?? (names.isEmpty
                ? TranslatedText(en: "there are no collections", pl: "nie ma żadnych kolekcji")
                : TranslatedText(en: "the collections are \(list)", pl: "kolekcje to \(list)"))
        return .unknownCollection(name, hint: removalHint(name) ?? hint)
    }

    /// The hint about a collection that was removed; nil for any other name.
    private func removalHint(_ name: String) -> TranslatedText? {
        guard let collection = catalog.removed.first(where: { $0.name == name }) else { return nil }
        guard let end = collection.until(keptFor: configuration.removedKeep) else {
            return TranslatedText(
                en: "its definition was removed; its \(collection.records) records are kept, and come back with it",
                pl:
                    "jej definicja została usunięta; jej rekordy (\(collection.records)) są przechowywane i wrócą razem z nią"
            )
        }
        var text: [UInt8] = []
        Instant(ms: end).append(to: &text)
        let until = String(decoding: text, as: UTF8.self)
        return TranslatedText(
            en: "its definition was removed; its \(collection.records) records are kept until \(until), "
                + "and come back with it",
            pl: "jej definicja została usunięta; jej rekordy (\(collection.records)) są przechowywane do \(until) "
                + "i wrócą razem z nią")
    }

    /// The collection with that name, or with that singular.
    ///
    /// - Throws: `unknown_collection` with the nearest name.
    func collection(named name: String) throws(RequestError) -> ServedCollection {
        if let recent, recent.view.definition.name == name { return recent }
        let found = collection(of: try view(named: name))
        scope.recent = found
        return found
    }

    private func collection(of view: CollectionView) -> ServedCollection {
        if scope.collections.isEmpty { makeCollections() }
        return scope.collections.first { $0.view === view } ?? makeCollection(view, index: nil)
    }

    private func makeCollections() {
        scope.collections = catalog.views.enumerated().map { makeCollection($1, index: $0) }
    }

    private func makeCollection(_ view: CollectionView, index: Int?) -> ServedCollection {
        ServedCollection(view, index: index, revision: catalog.revision, language: configuration.language, now: now)
    }

    /// The records of a collection.
    ///
    /// - Throws: `no_data` with the collection's meta, and the reason, if it has no records.
    func snapshot(of view: CollectionView, language: String?) throws(RequestError) -> Snapshot {
        if let snapshot = view.snapshot, !view.isWithheld(now: now) { return snapshot }
        throw .noData(view, language: language, self)
    }

    /// The rows of a collection: the rows of its snapshot and of the records that lie over it.
    ///
    /// - Throws: `no_data` with the collection's meta, and the reason, if it has neither.
    func rows(of view: CollectionView, language: String?) throws(RequestError) -> ServedRows {
        if view.hasRecords, !view.isWithheld(now: now) { return view.rows }
        throw .noData(view, language: language, self)
    }

    /// Checks that the records of a collection are not withheld.
    ///
    /// - Throws: `no_data` with the collection's meta, if they are withheld.
    func requireShown(_ view: CollectionView, language: String?) throws(RequestError) {
        guard view.isWithheld(now: now) else { return }
        throw .noData(view, language: language, self)
    }

    /// Checks the age of the data against the maximum that a request allows, in milliseconds.
    ///
    /// - Throws: `not_fresh` if the data is older or its age is unknown.
    func requireAge(_ view: CollectionView, maxAge: Int64?, language: String?) throws(RequestError) {
        guard let maxAge else { return }
        let known = view.age(now: now)
        // The data of a site that has never answered is unknown.
        let isComplete = view.definition.source.sites == nil || view.sourceSummary.isComplete
        if isComplete, let known, known <= maxAge { return }
        let name = view.definition.name
        let age =
            !isComplete
            ? TranslatedText(
                en: "has sites that never answered", pl: "mają braki: niektóre oddziały nigdy nie odpowiedziały")
            : known.map { age in
                let span = TimeSpan.rounded(milliseconds: age)
                return TranslatedText(en: "is \(span) old", pl: "mają \(span)")
            } ?? TranslatedText(en: "is of unknown age", pl: "są w nieznanym wieku")
        let limit = TimeSpan.text(of: .milliseconds(maxAge))
        throw RequestError(
            .notFresh,
            TranslatedText(
                en: "\(name) \(age.english), and at most \(limit) was asked for",
                pl: "dane kolekcji \(name) \(age.polish), a mogą mieć co najwyżej \(limit)"),
            hint: TranslatedText(
                en: "refresh with wait, or allow older data",
                pl: "wywołaj refresh z parametrem wait albo dopuść starsze dane"),
            details: [("meta", meta(view, language: language))])
    }

    // MARK: - Meta

    /// Writes the meta object of a collection.
    func writeMeta(_ view: CollectionView, language: String?, to writer: inout JSONWriter) {
        guard language == nil || language == configuration.language else {
            return MetaText(view, catalog.revision, language: language ?? "", now: now).write(now: now, to: &writer)
        }
        collection(of: view).writeMeta(now: now, to: &writer)
    }

    /// The meta object of a collection as text.
    func meta(_ view: CollectionView, language: String?) -> [UInt8] {
        var writer = JSONWriter()
        writeMeta(view, language: language, to: &writer)
        return writer.bytes
    }

    // MARK: - Users

    /// The name of a user, as the machine's own files have it; the number if they do not.
    func userName(_ uid: UInt32) -> String {
        if let name = users[uid] { return name }
        let name = Accounts.userName(uid) ?? String(uid)
        if users.count >= Self.retainedUsers { users.removeAll() }
        users[uid] = name
        return name
    }

    /// The number of user names that are remembered.
    private static let retainedUsers = 64
}

/// A scope that was kept, and when: see ``ServedCatalog/scopeStamp``.
struct ScopeStamp {
    var number = 0
    var generation: UInt64 = 0
    var version: UInt64 = 0
}

/// A part of the catalog that some peers see, with the texts of its collections.
private final class Scope {
    let seen: ScopedCatalog
    /// Its index among the scopes.
    let number: Int
    /// The collections in the catalog's order; empty until a request names one.
    var collections: [ServedCollection] = []
    var recent: ServedCollection?

    /// The number of the scope in which nothing is seen.
    static let nobodys = -1

    init(_ seen: ScopedCatalog, number: Int) {
        self.seen = seen
        self.number = number
    }
}

extension Catalog {
    /// Whether some collection has rules of access.
    fileprivate var hasRules: Bool { views.contains { $0.definition.access?.rules != nil } }

    /// The collection with that name, or with that singular; nil if there is none.
    fileprivate func view(named name: String) -> CollectionView? {
        self[name] ?? views.first { $0.definition.singular == name }
    }
}

/// One collection as answers see it: its view, its snapshot, and the texts that all its answers share.
///
/// The texts are written once for each state of the catalog; the age in them is updated as time goes by. Not shared
/// between threads: it belongs to the ``ServedCatalog`` that made it.
final class ServedCollection {
    let view: CollectionView
    /// The file that has its records, without the records that lie over it.
    let snapshot: Snapshot?
    /// The members of its records that a rule shows; nil: records are answered as they are.
    let shown: ShownMembers?
    /// The rows of the snapshot that are archived or not served; the fast path leaves them alone.
    let exceptions: RowBitmap
    /// Its index in the catalog; nil if it is not part of the catalog any more.
    let index: Int?
    /// The name as requests write it, in UTF-8.
    let name: [UInt8]
    private let revision: Revision
    private let language: String
    private var texts: Texts

    /// The texts that change with time.
    private struct Texts: ~Copyable {
        var meta: MetaText
        var detail: DetailWriter
        /// The time for which `detail` has the age, in milliseconds since 1970.
        var time: Int64?
    }

    /// - Parameters:
    ///   - language: the language of the messages in the meta object.
    ///   - now: in milliseconds since 1970.
    init(_ view: CollectionView, index: Int?, revision: Revision, language: String, now: Int64) {
        self.view = view
        self.index = index
        snapshot = view.snapshot
        shown = ShownMembers(of: view.definition)
        exceptions = view.rows.baseExceptions
        self.revision = revision
        self.language = language
        name = Array(view.definition.name.utf8)
        let meta = MetaText(view, revision, language: language, now: now)
        let detail = DetailWriter(view, meta: meta)
        texts = Texts(meta: meta, detail: detail)
    }

    /// Writes the meta object as of `now`, in milliseconds since 1970.
    func writeMeta(now: Int64, to writer: inout JSONWriter) {
        update(&texts, now: now)
        texts.meta.write(now: now, to: &writer)
    }

    /// Calls `body` with the writer of `detail`, which has the age as of `now`, in milliseconds since 1970.
    @inline(__always)
    func withDetail<Result>(now: Int64, _ body: (inout DetailWriter) -> Result) -> Result {
        with(&texts, now: now, body)
    }

    /// One access to the stored texts covers both the update and `body`.
    @inline(__always)
    private func with<Result>(_ texts: inout Texts, now: Int64, _ body: (inout DetailWriter) -> Result) -> Result {
        if now != texts.time {
            update(&texts, now: now)
            texts.detail.set(age: texts.meta.age(now: now))
            texts.time = now
        }
        return body(&texts.detail)
    }

    private func update(_ texts: inout Texts, now: Int64) {
        guard !texts.meta.isValid(for: view, at: now) else { return }
        texts.meta = MetaText(view, revision, language: language, now: now)
        texts.detail = DetailWriter(view, meta: texts.meta)
        texts.time = nil
    }
}

extension RequestError {
    /// The error for a collection that is left out, because its definition has mistakes and no earlier one is in force.
    fileprivate static func leftOut(_ name: String, because problems: [ConfigurationProblem]) -> RequestError {
        let first = problems.first?.description ?? ""
        var writer = JSONWriter()
        ProblemWriter.write(problems, to: &writer)
        return RequestError(
            .unknownCollection,
            TranslatedText(
                en: "the definition of '\(name)' has a mistake, and there was none before it",
                pl: "definicja kolekcji „\(name)” zawiera błąd, a wcześniejszej nie ma"),
            hint: TranslatedText(en: first, pl: "popraw go: \(first)"),
            details: [RequestError.detail("collection", name), ("\(StatusResult.problems.name)", writer.bytes)])
    }
}
