// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The habits of a store: the way in which a writable upstream treats ids, keys and versions.
struct StoreRules: Sendable {
    static let members = ["id", "ids", "answer", "tags", "keys", "key_header", "actions", "files"]

    enum Answer: String, CaseIterable {
        /// The record.
        case body
        /// The address of a new record, without a body.
        case location
        /// 204.
        case none
    }

    enum Keys: String, CaseIterable {
        /// An equal key has the answer of the first request, and is committed once.
        case honoured
        case ignored
        /// As `honoured`; 409 while the first request is not answered.
        case busy
    }

    /// The member that holds a record's id.
    private(set) var id = "id"
    /// Whether a new record keeps the id that it comes with.
    private(set) var keepsIDs = false
    private(set) var answer = Answer.body
    /// The form of the entity tags. Without them, preconditions are ignored.
    private(set) var tag = ServedFile.Tag.strong
    private(set) var keys = Keys.honoured
    /// The header that holds a request's key, in lower case.
    private(set) var keyHeader = "idempotency-key"
    /// Merge patches of actions; an action without one applies the body that it gets.
    private(set) var actions = JSONObject()
    /// The member that lists the addresses of a record's files; nil for none.
    private(set) var files: String?

    init() {}

    init(_ value: JSONValue) throws(UpstreamError) {
        guard let members = value.object?.members else { throw UpstreamError("rules are an object") }
        for member in members { try set(member.key, member.value) }
    }

    /// Reads a JSON object.
    init(_ text: [UInt8]) throws(UpstreamError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(text) } catch {
            throw UpstreamError("not JSON: \(error.message)")
        }
        try self.init(value)
    }

    private mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "id": id = try StepValue.text(key, value)
        case "ids":
            guard let text = value.string, ["server", "client"].contains(text) else {
                throw UpstreamError("ids is server or client")
            }
            keepsIDs = text == "client"
        case "answer": answer = try StepValue.choice(key, value)
        case "tags": tag = try StepValue.choice(key, value)
        case "keys": keys = try StepValue.choice(key, value)
        case "key_header": keyHeader = try StepValue.text(key, value).lowercased()
        case "actions":
            guard let object = value.object else { throw UpstreamError("actions is an object") }
            actions = object
        case "files": files = try StepValue.text(key, value)
        default: throw UpstreamError("unknown rule \(key)")
        }
    }
}
