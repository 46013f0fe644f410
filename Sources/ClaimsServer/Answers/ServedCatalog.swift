// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// The collections as answers see them during one tick: the catalog, the time, and the texts that answers share.
///
/// Not shared between threads: each loop and each worker has its own.
///
/// ```swift
/// served.refresh()                                // once a tick
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
    /// The catalog as of the current tick.
    private(set) var catalog: Catalog
    /// The time of the current tick, in milliseconds since 1970.
    private(set) var now: Int64
    /// A number that rises with each change of the catalog.
    private(set) var version: UInt64
    /// The collections in the catalog's order; empty until a request names one.
    private var collections: [ServedCollection] = []
    /// The collection that the last request named; the next one most often names it too.
    private(set) var recent: ServedCollection?
    private var users: [UInt32: String] = [:]

    init(_ configuration: ServerConfiguration, _ publisher: CatalogPublisher) {
        self.configuration = configuration
        self.publisher = publisher
        version = publisher.version
        catalog = publisher.current()
        now = configuration.clock.now()
    }

    /// Begins a tick: reads the clock, and accepts the newest catalog.
    func refresh() {
        now = configuration.clock.now()
        let newest = publisher.version
        guard newest != version else { return }
        version = newest
        catalog = publisher.current()
        dropCollections()
    }

    /// Releases the catalog, so that replaced data is freed while nothing is asked; ``refresh()`` accepts the newest.
    func release() {
        catalog = Catalog(revision: catalog.revision)
        version = 0
        dropCollections()
    }

    private func dropCollections() {
        collections.removeAll(keepingCapacity: true)
        recent = nil
    }

    // MARK: - Collections

    /// The collection with that name, or with that singular.
    ///
    /// - Throws: `unknown_collection` with the nearest name, or with the mistake in its definition.
    func view(named name: String) throws(RequestError) -> CollectionView {
        if let view = catalog[name] { return view }
        if let view = catalog.views.first(where: { $0.definition.singular == name }) { return view }
        let problems = configuration.problems.all
        let leftOut = problems.compactMap(\.collection).filter { catalog[$0] == nil }
        let names = catalog.views.flatMap { [$0.definition.name, $0.definition.singular] }
        // The singular of a definition with a mistake is not known, but near to the name.
        if removalHint(name) == nil, let near = Suggestion.nearest(name, among: leftOut + names), leftOut.contains(near)
        {
            throw .leftOut(near, because: problems.filter { $0.collection == near })
        }
        let list = catalog.views.map(\.definition.name).joined(separator: ", ")
        let hint =
            Suggestion.question(name, among: names)
            ?? ErrorText(en: "the collections are \(list)", pl: "kolekcje to \(list)")
        throw .unknownCollection(name, hint: removalHint(name) ?? hint)
    }

    /// The hint about a collection that was removed; nil for any other name.
    private func removalHint(_ name: String) -> ErrorText? {
        guard let collection = catalog.removed.first(where: { $0.name == name }) else { return nil }
        guard let end = collection.until(keptFor: configuration.removedKeep) else {
            return ErrorText(
                en: "its definition was removed; its \(collection.records) records are kept, and come back with it",
                pl:
                    "jej definicja została usunięta; jej rekordy (\(collection.records)) są przechowywane i wrócą razem z nią"
            )
        }
        var text: [UInt8] = []
        Instant(ms: end).append(to: &text)
        let until = String(decoding: text, as: UTF8.self)
        return ErrorText(
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
        recent = found
        return found
    }

    /// The collection at that index of the catalog; nil if no request has named one yet.
    func collection(at index: Int) -> ServedCollection? { index < collections.count ? collections[index] : nil }

    private func collection(of view: CollectionView) -> ServedCollection {
        if collections.isEmpty { makeCollections() }
        return collections.first { $0.view === view } ?? makeCollection(view, index: nil)
    }

    private func makeCollections() {
        collections = catalog.views.enumerated().map { makeCollection($1, index: $0) }
    }

    private func makeCollection(_ view: CollectionView, index: Int?) -> ServedCollection {
        ServedCollection(view, index: index, revision: catalog.revision, language: configuration.language, now: now)
    }

    /// The records of a collection.
    ///
    /// - Throws: `no_data` with the collection's meta, and the reason, if it has none.
    func snapshot(of view: CollectionView, language: String?) throws(RequestError) -> Snapshot {
        if let snapshot = view.snapshot, !view.isWithheld(now: now) { return snapshot }
        throw .noData(view, language: language, self)
    }

    /// The rows of a collection: those of its snapshot and of the records that lie over it.
    ///
    /// - Throws: `no_data` with the collection's meta, and the reason, if it has none of either.
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
        let isComplete = view.definition.source.sites == nil || view.standing.isComplete
        if isComplete, let known, known <= maxAge { return }
        let name = view.definition.name
        let age =
            !isComplete
            ? ErrorText(
                en: "has sites that never answered", pl: "mają braki: niektóre oddziały nigdy nie odpowiedziały")
            : known.map { age in
                let span = TimeSpan.rounded(milliseconds: age)
                return ErrorText(en: "is \(span) old", pl: "mają \(span)")
            } ?? ErrorText(en: "is of unknown age", pl: "są w nieznanym wieku")
        let limit = TimeSpan.text(of: .milliseconds(maxAge))
        throw RequestError(
            .notFresh,
            ErrorText(
                en: "\(name) \(age.english), and at most \(limit) was asked for",
                pl: "dane kolekcji \(name) \(age.polish), a mogą mieć co najwyżej \(limit)"),
            hint: ErrorText(
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

/// One collection as answers see it: its view, its snapshot, and the texts that all its answers share.
///
/// The texts are written once for each state of the catalog; the age in them is updated as time goes by. Not shared
/// between threads: it belongs to the ``ServedCatalog`` that made it.
final class ServedCollection {
    let view: CollectionView
    let snapshot: Snapshot?
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
    /// The error for a collection that is left out, because its definition has mistakes and there was none before.
    fileprivate static func leftOut(_ name: String, because problems: [ConfigurationProblem]) -> RequestError {
        let first = problems.first?.description ?? ""
        var writer = JSONWriter()
        ProblemWriter.write(problems, to: &writer)
        return RequestError(
            .unknownCollection,
            ErrorText(
                en: "the definition of '\(name)' has a mistake, and there was none before it",
                pl: "definicja kolekcji „\(name)” zawiera błąd, a wcześniejszej nie ma"),
            hint: ErrorText(en: first, pl: "popraw go: \(first)"),
            details: [RequestError.detail("collection", name), ("\(StatusResult.problems.name)", writer.bytes)])
    }
}
