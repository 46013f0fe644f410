// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Doing one write.
extension RecordStore {
    /// A write that was done.
    struct Outcome {
        let id: String
        /// The record now; nil if it was removed.
        let record: JSONObject?
        let answer: UpstreamResponse
    }

    /// Does a write, if the conditions of `request` hold.
    /// - Parameter change: A merge patch that goes over what was written.
    mutating func perform(
        _ write: StoreWrite, _ request: UpstreamRequest, change: JSONValue? = nil
    ) throws(StoreWrite.Refusal) -> Outcome {
        let old = write.id.flatMap { id in self.record(id) }
        try check(request, old)
        let id: JSONValue
        var record = write.fields
        switch write.kind {
        case .create:
            id = try idOfNewRecord(write.fields)
        case .replace where old == nil && rules.keepsIDs:
            id = .string(write.id ?? "")
        case .replace, .merge, .delete, .act, .attach:
            guard let old, let oldID = old[rules.id] else { throw StoreWrite.Refusal(status: 404) }
            id = oldID
            switch write.kind {
            case .replace, .create: break
            case .act(let name):
                record = old.patched(write.fields).patched(rules.actions[name]?.object ?? JSONObject())
            case .merge, .delete, .attach: record = old.patched(write.fields)
            }
        }
        let text = Self.id(id) ?? ""
        if case .delete = write.kind {
            put(text, nil)
            return Outcome(id: text, record: nil, answer: UpstreamResponse(status: 204, hasBody: false))
        }
        list(write.files, in: &record, id: text)
        record = record.patched(change?.object ?? JSONObject())
        record[rules.id] = nil
        record = JSONObject([JSONObject.Member(rules.id, id)] + record.members)
        put(text, record)
        return Outcome(id: text, record: record, answer: answer(to: write, text, record, isNew: old == nil))
    }

    private mutating func idOfNewRecord(_ fields: JSONObject) throws(StoreWrite.Refusal) -> JSONValue {
        guard rules.keepsIDs, let value = fields[rules.id], let id = Self.id(value) else { return newID() }
        if self.record(id) != nil { throw StoreWrite.Refusal(status: 409) }
        return value
    }

    /// Checks `If-Match` and `If-None-Match: *` (RFC 9110, section 13.1): a weak tag never matches.
    private func check(_ request: UpstreamRequest, _ old: JSONObject?) throws(StoreWrite.Refusal) {
        guard rules.tag != .none else { return }
        if let wanted = request["if-match"] {
            let tag = old.flatMap { record in file(record).etag }
            let isMet =
                wanted == "*"
                ? old != nil
                : wanted.split(separator: ",").contains { other in
                    let other = other.drop { character in character == " " }
                    return !other.hasPrefix("W/") && tag.map { tag in tag[...] == other } == true
                }
            if !isMet { throw StoreWrite.Refusal(status: 412) }
        }
        if request["if-none-match"] == "*" && old != nil { throw StoreWrite.Refusal(status: 412) }
    }

    /// Adds the addresses of files to the member of the record that lists them.
    private func list(_ files: [StoreWrite.File], in record: inout JSONObject, id: String) {
        guard let member = rules.files, !files.isEmpty else { return }
        let addresses = files.map { file in JSONValue.string("\(path)/\(id)/files/\(file.sha256)") }
        record[member] = .array((record[member]?.array ?? []) + addresses)
    }

    private func answer(
        to write: StoreWrite, _ id: String, _ record: JSONObject, isNew: Bool
    ) -> UpstreamResponse {
        let file = file(record)
        var answer: UpstreamResponse
        switch rules.answer {
        case .body:
            answer = UpstreamResponse(status: isNew ? 201 : 200, body: file.bytes)
        case .location where isNew:
            answer = UpstreamResponse(status: 201)
            answer["Content-Type"] = nil
            answer["Location"] = "\(path)/\(UpstreamRequest.escaped(id))"
        case .location, .none:
            answer = UpstreamResponse(status: 204, hasBody: false)
            answer["Content-Type"] = nil
        }
        answer["ETag"] = file.etag
        return answer
    }
}
