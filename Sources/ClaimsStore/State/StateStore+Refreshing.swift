// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateStore {
    /// Begins the next generation of a collection. What an earlier attempt left behind is thrown away first.
    public func stage(_ collection: Int64, at now: Int64, changeLimit: Int) throws(StoreError) -> GenerationStage {
        try discardLeftovers(of: collection)
        let row = try perform { connection throws(StoreError) in
            try CollectionRow.readAll(connection.database).first { $0.number == collection }
        }
        guard let row else { throw StoreError(.missing, "begin a refresh", detail: "no such collection") }
        return GenerationStage(store: self, base: row, at: now, changeLimit: changeLimit)
    }

    /// Commits what a refresh that brought no body has to say, and shows it. Waits until it is on disk.
    public func note(
        _ source: SourceRow, of name: String, isConfirmed: Bool = false
    ) throws(StoreError) {
        let catalog = catalog
        try perform { connection throws(StoreError) in
            guard let number = catalog.current()[name]?.condition.row.number else { return }
            try connection.transaction(.synced, "note a refresh") { connection throws(StoreError) in
                try source.write(connection, collection: number)
            }
            Self.show(source, of: name, isConfirmed: isConfirmed, in: catalog)
        }
    }

    /// Shows what is known of a source without committing it: for when there is no room to.
    public func show(_ source: SourceRow, of name: String) {
        Self.show(source, of: name, isConfirmed: false, in: catalog)
    }

    private static func show(
        _ source: SourceRow, of name: String, isConfirmed: Bool, in catalog: CatalogPublisher
    ) {
        catalog.update {
            $0.replacing(name) { view in
                var condition = view.condition
                condition.source = source
                if isConfirmed { condition.isConfirmed = true }
                return view.with(condition)
            }
        }
    }

    /// Deletes superseded records, in pieces that delay nobody. What a crash leaves undone, the next call does.
    public func collectGarbage(of collection: Int64) throws(StoreError) {
        try repeatedly { connection throws(StoreError) in try connection.collectGarbage(of: collection) }
    }

    /// Deletes what a refresh wrote that did not end. There must be none under way.
    func discardLeftovers(of collection: Int64) throws(StoreError) {
        try repeatedly { connection throws(StoreError) in try connection.discardLeftovers(of: collection) }
    }

    /// Deletes changes that were made before `oldest`, and those over the limit, the oldest first.
    public func trimHistory(before oldest: Int64, keeping limit: Int) throws(StoreError) {
        try repeatedly { connection throws(StoreError) in try connection.trimHistory(before: oldest, keeping: limit) }
    }

    /// Runs `piece` in transactions of its own until it has nothing left to do.
    private func repeatedly(
        _ piece: @escaping @Sendable (inout StateConnection) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var hasMore = true
        while hasMore {
            hasMore = try perform { connection throws(StoreError) in
                try connection.transaction(.buffered, "tidy up") { connection throws(StoreError) in
                    try piece(&connection)
                }
            }
        }
    }
}
