// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Stores: collections of the upstream that can be written to. A restart keeps their rules, and their records as
/// `stopKeepingStores` found them; it forgets the writes and the keys.
extension UpstreamProcess {
    /// A write that the upstream has done.
    public struct Write: Sendable {
        /// A file that came with it.
        public struct File: Sendable, Equatable {
            public let name: String
            public let type: String
            public let size: Int
            public let sha256: String
        }

        public let method: String
        public let path: String
        /// The key of the request; nil if it had none.
        public let key: String?
        /// The id that the record has there.
        public let id: String
        /// The object in the body.
        public let fields: JSONValue
        /// The record after the write; `null` if it was removed.
        public let record: JSONValue
        public let files: [File]
    }

    /// Makes a store, or gives one other rules.
    /// - Parameters:
    ///   - name: Its path, without the first slash.
    ///   - records: A JSON array; nil leaves those that are there.
    ///   - rules: As `claims-upstream --help` has them.
    public func keep(_ name: String, _ records: String? = nil, rules: String = "{}") throws {
        _ = try control("PUT", "stores/\(name)", body: rules)
        if let records { _ = try control("PUT", "records/\(name)", body: records) }
        remember(name, rules: rules)
    }

    /// The records of a store, those that are not shown yet too.
    public func records(_ name: String) throws -> [JSONValue] {
        try JSONValue.parse(try control("GET", "records/\(name)")).array ?? []
    }

    /// Changes a record as somebody else would, without a write: `NAME/ID` and the whole record, or "null" to remove it.
    public func put(_ path: String, _ record: String) throws {
        _ = try control("PUT", "records/\(path)", body: record)
    }

    /// The writes to a path, once there were `count` of them; `NAME/*` is everything below a store.
    @discardableResult
    public func writes(_ path: String = "*", count: Int = 0) throws -> [Write] {
        let answer = try JSONValue.parse(
            try control("GET", "writes?path=/\(path)&count=\(count)&timeout_ms=20000"))
        guard let entries = answer["writes"]?.array, entries.count >= count else {
            throw TestFailure("\(path) was not written to \(count) times")
        }
        return entries.map(Self.write)
    }

    /// Forgets the writes so far, and the keys that they came with.
    public func forgetWrites() throws { _ = try control("DELETE", "writes") }

    /// Sends a request as any client would; nil if the connection ends without an answer.
    public func send(
        _ method: String, _ path: String, headers: [String: String] = [:], json: String
    ) throws -> LoopbackHTTP.Answer? {
        try LoopbackHTTP.send(
            method, "/" + path, to: port, headers: ["Content-Type": "application/json"].merging(headers) { $1 },
            body: Array(json.utf8))
    }

    private static func write(_ entry: JSONValue) -> Write {
        let files = (entry["files"]?.array ?? []).map { file in
            Write.File(
                name: file["name"]?.string ?? "", type: file["type"]?.string ?? "",
                size: Int(file["size"]?.integer ?? -1), sha256: file["sha256"]?.string ?? "")
        }
        return Write(
            method: entry["method"]?.string ?? "", path: entry["path"]?.string ?? "", key: entry["key"]?.string,
            id: entry["id"]?.string ?? "", fields: entry["fields"] ?? .null, record: entry["record"] ?? .null,
            files: files)
    }
}
