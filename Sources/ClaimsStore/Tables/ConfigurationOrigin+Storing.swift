// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

extension StateDatabase {
    /// Reads the texts of the configuration that was in force last; none before the first start.
    public func textsInForce() throws(StoreError) -> [TextInForce] {
        try perform { connection throws(StoreError) in
            let statement = try connection.database.prepare(
                "SELECT \(InForceColumn.list) FROM in_force ORDER BY file", "read what is in force",
                columns: InForceColumn.self)
            var texts: [TextInForce] = []
            while try statement.step() {
                let origins = ConfigurationOrigin.all(stored: statement.text(.origins))
                // A row that was damaged and only partly recovered is ignored.
                guard !origins.isEmpty else { continue }
                texts.append(
                    TextInForce(name: statement.text(.file), text: statement.text(.text), origins: origins))
            }
            return texts
        }
    }

    /// Replaces the texts of the configuration that is in force. Waits until the commit is on disk.
    ///
    /// It writes nothing if they are the same. After an error the old texts are in place.
    public func keep(_ texts: [TextInForce]) throws(StoreError) {
        let before = try textsInForce()
        let known = Set(before)
        let changed = texts.filter { !known.contains($0) }
        let gone = Set(before.map(\.name)).subtracting(texts.map(\.name)).sorted()
        guard !changed.isEmpty || !gone.isEmpty else { return }
        let operation = "keep what is in force"
        try perform { connection throws(StoreError) in
            try connection.transaction(.synced, operation) { connection throws(StoreError) in
                let insertion = try connection.database.prepare(
                    "INSERT OR REPLACE \(InForceColumn.insertion)", operation, columns: InForceColumn.self)
                for text in changed {
                    try insertion.bind(.file, text.name)
                    try insertion.bind(.text, text.text)
                    try insertion.bind(.origins, ConfigurationOrigin.stored(text.origins))
                    try insertion.run()
                }
                let removal = try connection.database.prepare(
                    "DELETE FROM in_force WHERE file = ?1", operation, columns: InForceColumn.self)
                for name in gone {
                    try removal.bind(.file, name)
                    try removal.run()
                }
            }
        }
    }
}

/// The origins are stored as a JSON array of pairs: `[["vendor","/usr/share/claimsd/collections.d/things.json5"]]`.
extension ConfigurationOrigin {
    fileprivate static func all(stored text: String) -> [ConfigurationOrigin] {
        let pairs = (try? JSONValue.parse(text))?.array ?? []
        return pairs.compactMap { pair in
            guard let parts = pair.array, parts.count == 2, let path = parts[1].string,
                let layer = parts[0].string.flatMap(ConfigurationLayer.init(rawValue:))
            else { return nil }
            return ConfigurationOrigin(layer, path)
        }
    }

    fileprivate static func stored(_ origins: [ConfigurationOrigin]) -> String {
        var writer = JSONWriter()
        writer.beginArray()
        for origin in origins {
            writer.beginArray()
            writer.string(origin.layer.rawValue)
            writer.string(origin.path)
            writer.endArray()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
