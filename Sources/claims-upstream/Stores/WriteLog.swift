// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The writes that were done, and the keys that they came with.
struct WriteLog {
    /// The number of writes that are kept; the older half goes when there are more.
    private static let maxEntries = 10_000

    /// A write that was done.
    struct Entry {
        let number: Int
        /// The number of the request in the log of requests.
        let request: Int
        let method: String
        let path: String
        let key: String?
        let id: String
        let fields: JSONObject
        /// The record after the write; nil if it was removed.
        let record: JSONObject?
        let files: [StoreWrite.File]

        var json: JSONValue {
            let files = files.map { file -> JSONValue in
                [
                    "name": .string(file.name), "type": .string(file.type), "size": .integer(file.size),
                    "sha256": .string(file.sha256),
                ]
            }
            return [
                "number": .integer(number), "request": .integer(request), "method": .string(method),
                "path": .string(path), "key": key.map(JSONValue.string) ?? .null, "id": .string(id),
                "fields": .object(fields), "record": record.map(JSONValue.object) ?? .null, "files": .array(files),
            ]
        }
    }

    /// The first write that came with a key.
    struct Known {
        /// The path and the content of the request.
        let fingerprint: String
        let answer: UpstreamResponse
    }

    private(set) var entries: [Entry] = []
    /// The number of writes below each path, and the number of all.
    private(set) var counts: [String: Int] = [:]
    private var total = 0
    /// By the path of the store and the key.
    private var known: [String: [String: Known]] = [:]

    mutating func append(
        _ write: StoreWrite, _ outcome: RecordStore.Outcome, of request: UpstreamRequest, number: Int, key: String?
    ) {
        total += 1
        counts[request.path, default: 0] += 1
        if entries.count == Self.maxEntries { entries.removeFirst(Self.maxEntries / 2) }
        entries.append(
            Entry(
                number: total, request: number, method: request.method, path: request.path, key: key, id: outcome.id,
                fields: write.fields, record: outcome.record, files: write.files))
    }

    func known(_ key: String, in store: String) -> Known? { known[store]?[key] }

    mutating func remember(_ key: String, in store: String, _ first: Known) { known[store, default: [:]][key] = first }

    mutating func forget() { self = WriteLog() }
}
