// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// The collections that a request for changes covers, with the feed of each.
struct FeedTargets: Sendable {
    struct Target: Sendable {
        let view: CollectionView
        let feed: Feed
    }

    /// Those that have data, in the order of their names.
    private(set) var targets: [Target] = []
    /// Those that were left out, where the request names none.
    private(set) var skipped: [SkippedCollection] = []
    /// The hash of the names of all that the feed fits; nil where the request names its collection.
    private(set) var names: UInt64?
    /// The hash that clocks of the feed have.
    private(set) var hash: UInt64 = 0

    /// Finds the collections of a request.
    ///
    /// - Parameters:
    ///   - collection: its name; nil for all that the feed fits.
    ///   - language: the language of what people read; nil for that of the settings.
    /// - Throws: `bad_params`, `bad_filter`, `unknown_collection` or `no_data`.
    init(
        _ request: FeedRequest, collection: String?, language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        if let collection {
            let view = try served.view(named: collection)
            let feed = try Feed(request, of: view.definition)
            try Self.requireSet(view, language, served)
            targets = [Target(view: view, feed: feed)]
            hash = feed.hash
        } else {
            try span(request, language, served)
        }
    }

    private mutating func span(
        _ request: FeedRequest, _ language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        var firstError: RequestError?
        var names = QueryHash()
        var feeds = QueryHash()
        var usesDays = false
        for view in served.catalog.views {
            do throws(RequestError) {
                let feed = try Feed(request, of: view.definition, namesCollection: true)
                // Its data begins with a whole commit, which tells where its set begins. Data that cannot be read now
                // comes back without one, and so does data that is withheld.
                let isWithheld = view.isWithheld(now: served.now)
                if !isWithheld, view.snapshot != nil || !view.condition.row.hasData {
                    names.add(view.definition.name)
                    feeds.add(feed.hash)
                    usesDays = usesDays || feed.times.usesDays
                }
                try Self.requireSet(view, language, served)
                targets.append(Target(view: view, feed: feed))
            } catch {
                skipped.append(
                    SkippedCollection(
                        name: view.definition.name, state: view.state(now: served.now),
                        reason: error.text.text(language ?? served.configuration.language)))
                if error.kind != .noData, firstError == nil { firstError = error }
            }
        }
        if let firstError, skipped.count == served.catalog.views.count { throw firstError }
        if let names = request.fieldNames { try requireKnown(names, request, served) }
        self.names = names.value
        hash = (try request.hash(usesDays: usesDays) & ~0xFFFF_FFFF) | (feeds.value >> 32)
    }

    /// A collection without data has a set once it was written to: who was told of pending records is told of their
    /// end too.
    private static func requireSet(
        _ view: CollectionView, _ language: String?, _ served: ServedCatalog
    ) throws(RequestError) {
        if view.definition.hasPendingField, !view.condition.row.hasData, view.changedSeq > 0 { return }
        _ = try served.rows(of: view, language: language)
    }

    /// A field must be one of some collection.
    private func requireKnown(
        _ names: [String], _ request: FeedRequest, _ served: ServedCatalog
    ) throws(RequestError) {
        for name in names where !targets.contains(where: { $0.feed.definition.fieldIndex(name) != nil }) {
            for target in targets {
                _ = try FieldList.indexes([name], of: target.feed.definition, parameter: PageParameters.fields)
            }
        }
    }

    /// Whether the feed of some collection depends on time.
    var dependsOnTime: Bool { targets.contains { $0.feed.dependsOnTime } }
}
