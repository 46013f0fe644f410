// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot
import Synchronization

/// Holds the current catalog: readers get it here, and commits replace it.
///
/// A reader that remembers `version` asks for the catalog only when the version has changed, so that serving takes no
/// lock.
public final class CatalogPublisher: Sendable {
    private struct Contents {
        var catalog: Catalog
        var observers: [@Sendable (Catalog) -> Void] = []
    }

    /// The rows that rules of access leave out, of all snapshots.
    public let rowSets = RowSets(maxBytes: ServingLimits().rowSets)
    private let contents: Mutex<Contents>
    private let changes = Atomic<UInt64>(1)

    public init(_ catalog: Catalog) {
        contents = Mutex(Contents(catalog: catalog))
    }

    /// The number of changes so far. A reader reads it before it calls `current`, so that it misses no change.
    public var version: UInt64 { changes.load(ordering: .acquiring) }

    public func current() -> Catalog {
        contents.withLock { $0.catalog }
    }

    /// Replaces the current catalog by the result of `change`, which must be quick and must not call this publisher.
    @discardableResult
    public func update(_ change: (Catalog) -> Catalog) -> Catalog {
        let (old, catalog, observers) = contents.withLock { contents in
            let old = contents.catalog
            contents.catalog = change(old)
            changes.add(1, ordering: .releasing)
            return (old, contents.catalog, contents.observers)
        }
        for view in catalog.views where old[view.definition.name] !== view { rowSets.prepare(view.layers) }
        for observer in observers { observer(catalog) }
        return catalog
    }

    /// Publishes the state of a source.
    func show(_ source: SourceRow, of name: String, isConfirmed: Bool = false) {
        update {
            $0.replacing(name) { view in
                var condition = view.condition
                condition.put([source])
                if isConfirmed { condition.isConfirmed = true }
                return view.with(condition)
            }
        }
    }

    /// Registers an observer that is called after each change, on the thread that made the change. It must be quick.
    ///
    /// Two changes made at the same time may be observed in either order; `current` is the newest catalog.
    public func observe(_ observer: @escaping @Sendable (Catalog) -> Void) {
        contents.withLock { $0.observers.append(observer) }
    }
}
