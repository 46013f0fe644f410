// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateStore {
    /// Deletes what the log of a collection has beyond the limits, in pieces that are short enough not to delay other
    /// work, and publishes the new floor. After a crash the next call goes on.
    public func trimLog(of name: String, _ limits: RetentionLimits) throws(StoreError) {
        guard let number = catalog.current()[name]?.condition.row.number else { return }
        try database.repeatedly { connection throws(StoreError) in try connection.trimLog(of: number, limits) }
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            guard let row = try connection.row(number), let view = catalog.current()[name],
                view.condition.row.number == number, view.condition.row.floor < row.floor
            else { return }
            let log = try connection.logExtent(of: row)
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row.floor = row.floor
                    condition.log = log
                    return view.with(condition)
                }
            }
        }
    }

    /// Forgets the operations of a collection that were settled before `oldest` (milliseconds since 1970), and all but the
    /// last `maxSettled`, in pieces that are short enough not to delay other work.
    public func forgetOperations(of name: String, settledBefore oldest: Int64, maxSettled: Int) throws(StoreError) {
        guard let number = catalog.current()[name]?.condition.row.number else { return }
        try database.repeatedly { connection throws(StoreError) in
            try connection.forgetOperations(of: number, settledBefore: oldest, maxSettled: maxSettled)
        }
    }
}
