// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateRecovery {
    /// The names of collections are kept a second time, among the few values of `meta`: without the name, nothing
    /// could be said of any other row.
    private static let namePrefix = "collection."

    /// How many collections have their name noted.
    static let namesNoted = "SELECT count(*) FROM meta WHERE key GLOB '\(namePrefix)*'"
    static let noteNames = """
        INSERT OR REPLACE INTO meta(key, value) SELECT '\(namePrefix)' || number, name FROM collection
        """

    /// Makes what was saved of the tables agree: rows that no collection has, or that belong to a generation it does
    /// not know, would be taken for somebody else's or stand in the way of the next refresh.
    func mend(_ target: borrowing Database) throws(StoreError) {
        // Of a collection that is gone, the newest generation tells which records are current; if that is not sure,
        // they are given up, because some would be of another generation than others.
        let isSure = incomplete.allSatisfy { !["generation", "version", "removal"].contains($0) }
        let records = "key BETWEEN (number << \(StateSchema.keyBits)) AND ((number + 1) << \(StateSchema.keyBits)) - 1"
        let collection = "(SELECT generation FROM collection WHERE number ="
        try target.execute(
            """
            BEGIN;
            CREATE TEMP TABLE lost AS
                SELECT CAST(substr(key, \(Self.namePrefix.count + 1)) AS INTEGER) AS number, CAST(value AS TEXT) AS name
                FROM main.meta WHERE key GLOB '\(Self.namePrefix)*';
            DELETE FROM lost WHERE number <= 0 OR number IN (SELECT number FROM collection)
                OR name IN (SELECT name FROM collection);
            INSERT OR IGNORE INTO collection(number, name, generation)
                SELECT number, name, coalesce((
                    SELECT max(generation) FROM generation g WHERE g.collection = lost.number), 0) FROM lost;
            UPDATE collection SET file_id = 1 WHERE number IN (SELECT number FROM lost) AND \(isSure)
                AND EXISTS (SELECT 1 FROM version WHERE \(records) AND generation <= collection.generation);
            DELETE FROM version WHERE generation > coalesce(\(collection) key >> \(StateSchema.keyBits)), -1)
                OR \(!isSure) AND key >> \(StateSchema.keyBits) IN (SELECT number FROM lost);
            DELETE FROM removal WHERE generation > coalesce(\(collection) key >> \(StateSchema.keyBits)), -1)
                OR \(!isSure) AND key >> \(StateSchema.keyBits) IN (SELECT number FROM lost);
            DELETE FROM generation WHERE generation > coalesce(\(collection) generation.collection), -1);
            DELETE FROM change WHERE generation > coalesce(\(collection) change.collection), -1);
            DELETE FROM archive WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM source WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM local_change WHERE collection NOT IN (SELECT number FROM collection);
            UPDATE collection SET next_key = max(next_key, 1,
                coalesce((SELECT max(key) FROM version WHERE \(records)) - (number << \(StateSchema.keyBits)) + 1, 1),
                coalesce((SELECT max(key) FROM removal WHERE \(records)) - (number << \(StateSchema.keyBits)) + 1, 1));
            DROP TABLE lost;
            COMMIT
            """, "recover the collections")
    }
}
