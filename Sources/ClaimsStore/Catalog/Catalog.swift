// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// All collections as they are served at one moment. A catalog is immutable; a reader may keep it for any time.
public final class Catalog: Sendable {
    /// The collections, in the order of their names.
    public let views: [CollectionView]
    public let revision: Revision
    /// The collections whose definitions are gone, and whose records are kept for a while, in the order of their names.
    public let removed: [RemovedCollection]
    private let indices: [String: Int]

    public init(revision: Revision, views: [CollectionView] = [], removed: [RemovedCollection] = []) {
        self.removed = removed.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let views = views.sorted { $0.definition.name.utf8.lexicographicallyPrecedes($1.definition.name.utf8) }
        self.revision = revision
        self.views = views
        indices = Dictionary(
            views.enumerated().map { ($0.element.definition.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    private init(
        revision: Revision, views: [CollectionView], removed: [RemovedCollection], indices: [String: Int]
    ) {
        self.revision = revision
        self.removed = removed
        self.views = views
        self.indices = indices
    }

    public subscript(name: String) -> CollectionView? { indices[name].map { views[$0] } }

    /// Returns a catalog in which one collection is changed; `self` if there is no collection of that name.
    public func replacing(
        _ name: String, revision: Revision? = nil, _ change: (CollectionView) -> CollectionView
    ) -> Catalog {
        var views = views
        if let index = indices[name] { views[index] = change(views[index]) }
        return Catalog(revision: revision ?? self.revision, views: views, removed: removed, indices: indices)
    }

    /// Returns a catalog without a removed collection, because nothing is kept of it any more.
    func erasing(_ name: String) -> Catalog {
        Catalog(revision: revision, views: views, removed: removed.filter { $0.name != name }, indices: indices)
    }
}

extension Catalog {
    /// The unsettled operations of all collections, in the order of their commits.
    public var unsettledOperations: [Operation] {
        let lists = views.map(\.condition.operations).filter { !$0.isEmpty }
        // The operations of one collection are in their order already.
        if lists.count < 2 { return lists.first?.map(\.operation) ?? [] }
        return lists.joined().map(\.operation).sorted { $0.number < $1.number }
    }

    /// The operation that a queued one waits for: the first unsettled one of its record that lets no other pass, or the
    /// create of a record that it refers to; nil if it waits for none.
    public func obstacle(to operation: Operation) -> OperationID? {
        guard operation.state == .queued else { return nil }
        let lane = self[operation.collection]?.condition.operations.lazy.map(\.operation).first {
            $0.record == operation.record && $0.number < operation.number && !$0.letsNextPass
        }
        if let lane { return lane.id }
        guard let create = operation.delivery.waitsFor else { return nil }
        let isInTheWay = views.contains { view in
            view.condition.operations.contains { $0.operation.id == create && !$0.operation.letsNextPass }
        }
        return isInTheWay ? create : nil
    }

    /// The operation that waits for a person and that a queued one waits for, directly or through other waiting ones;
    /// nil if there is none.
    public func stuckObstacle(to operation: Operation) -> Operation? {
        var current = operation
        // An operation waits for older ones, or for a create that waits itself. The chain is at most as long as the
        // list of operations.
        var seen: Set<OperationID> = [operation.id]
        while let id = obstacle(to: current), seen.insert(id).inserted {
            let found = views.lazy.flatMap { $0.condition.operations }.first { $0.operation.id == id }
            guard let next = found?.operation else { return nil }
            if next.state.isStuck { return next }
            current = next
        }
        return nil
    }
}
