// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Where readers get the current catalog, and commits put the next one.
///
/// A reader that remembers `version` asks for the catalog only when that has moved, so that serving takes no lock.
public final class CatalogPublisher: Sendable {
    private struct Contents {
        var catalog: Catalog
        var observers: [@Sendable (Catalog) -> Void] = []
    }

    private let contents: Mutex<Contents>
    private let changes = Atomic<UInt64>(1)

    public init(_ catalog: Catalog) {
        contents = Mutex(Contents(catalog: catalog))
    }

    /// Rises with every change. Read it before `current`.
    public var version: UInt64 { changes.load(ordering: .acquiring) }

    public func current() -> Catalog {
        contents.withLock { $0.catalog }
    }

    /// Puts what `change` makes of the current catalog in its place. `change` must be quick, and not come back here.
    @discardableResult
    public func update(_ change: (Catalog) -> Catalog) -> Catalog {
        let (catalog, observers) = contents.withLock { contents in
            contents.catalog = change(contents.catalog)
            changes.add(1, ordering: .releasing)
            return (contents.catalog, contents.observers)
        }
        for observer in observers { observer(catalog) }
        return catalog
    }

    /// Has `observer` called after each change, on the thread that made it; it must be quick. Changes made at the same
    /// time may be seen in either order: look at `current`.
    public func observe(_ observer: @escaping @Sendable (Catalog) -> Void) {
        contents.withLock { $0.observers.append(observer) }
    }
}
