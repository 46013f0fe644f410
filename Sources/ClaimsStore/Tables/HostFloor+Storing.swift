// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The times until which hosts want no requests, among the values of `meta`: `host_floor:api.example`.
extension StateDatabase {
    private static let floorPrefix = "host_floor:"

    /// Reads the stored floors, including floors that are over.
    public func hostFloors() throws(StoreError) -> [HostFloor] {
        try perform { connection throws(StoreError) in
            let statement = try connection.database.prepare(
                "SELECT \(MetaColumn.list) FROM meta WHERE key GLOB '\(Self.floorPrefix)*'", "read the floors of hosts",
                columns: MetaColumn.self)
            var floors: [HostFloor] = []
            while try statement.step() {
                let host = String(statement.text(.key).dropFirst(Self.floorPrefix.count))
                floors.append(HostFloor(host: host, until: statement.integer(.value)))
            }
            return floors
        }
    }

    /// Keeps a floor in place of the host's earlier one, and deletes floors that are over.
    ///
    /// - Parameter now: milliseconds since 1970.
    public func keep(_ floor: HostFloor, now: Int64) throws(StoreError) {
        let operation = "keep the floor of a host"
        try perform { connection throws(StoreError) in
            try connection.transaction(.synced, operation) { connection throws(StoreError) in
                let removal = try connection.database.prepare(
                    "DELETE FROM meta WHERE key GLOB '\(Self.floorPrefix)*' AND value <= ?2", operation,
                    columns: MetaColumn.self)
                try removal.bind(.value, now)
                try removal.run()
                let insertion = try connection.database.prepare(
                    "INSERT OR REPLACE \(MetaColumn.insertion)", operation, columns: MetaColumn.self)
                try insertion.bind(.key, Self.floorPrefix + floor.host)
                try insertion.bind(.value, floor.until)
                try insertion.run()
            }
        }
    }
}
