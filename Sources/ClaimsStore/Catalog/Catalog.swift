// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// All collections as they are served at one moment. Immutable: readers keep it as long as they like.
public final class Catalog: Sendable {
    /// By name.
    public let views: [CollectionView]
    public let clock: Clock
    private let places: [String: Int]

    public init(clock: Clock, views: [CollectionView] = []) {
        let views = views.sorted { $0.definition.name.utf8.lexicographicallyPrecedes($1.definition.name.utf8) }
        self.clock = clock
        self.views = views
        places = Dictionary(
            views.enumerated().map { ($0.element.definition.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    private init(clock: Clock, views: [CollectionView], places: [String: Int]) {
        self.clock = clock
        self.views = views
        self.places = places
    }

    public subscript(name: String) -> CollectionView? { places[name].map { views[$0] } }

    /// The same with one collection changed; `self` where there is none of that name.
    public func replacing(
        _ name: String, clock: Clock? = nil, _ change: (CollectionView) -> CollectionView
    ) -> Catalog {
        var views = views
        if let place = places[name] { views[place] = change(views[place]) }
        return Catalog(clock: clock ?? self.clock, views: views, places: places)
    }
}
