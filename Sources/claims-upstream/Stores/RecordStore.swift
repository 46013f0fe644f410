// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A collection of records in memory that requests change.
struct RecordStore {
    /// Without a slash at its end.
    let path: String
    var rules = StoreRules()
    private var records: [(id: String, record: JSONObject)] = []
    /// The number of the next record that gets its id here.
    private var nextNumber: Int64 = 1
    /// Whether ids are numbers in JSON.
    private var hasNumbers = false
    /// The number of changes so far.
    private(set) var changes = 0
    /// The number of the last change of each id that was ever there.
    private var changed: [String: Int] = [:]
    /// Writes that are not seen yet, the oldest first.
    private var hidden: [Hidden] = []

    /// A write that is not seen yet.
    private struct Hidden {
        let id: String
        /// The record as it is seen; nil if it is not there.
        let before: JSONObject?
        /// The number of requests for the records that do not see the write.
        var requests: Int
        /// On the monotonic clock.
        let until: UInt64
    }

    init(path: String) { self.path = path }

    /// The text of an id; nil if `value` is no id.
    static func id(_ value: JSONValue?) -> String? { value?.string ?? value?.number }

    /// All records, seen or not.
    var all: [JSONObject] { records.map(\.record) }

    /// The record with that id, seen or not.
    func record(_ id: String) -> JSONObject? { records.first { entry in entry.id == id }?.record }

    /// The record as the answer to a request has it.
    func file(_ record: JSONObject) -> ServedFile {
        ServedFile(bytes: JSONValue.object(record).compactBytes, tag: rules.tag)
    }

    /// Replaces all records, all of them seen; those without an id are left out.
    mutating func replace(_ all: [JSONValue]) {
        let before = self
        (records, hidden, hasNumbers, changes, changed) = ([], [], false, before.changes, before.changed)
        for object in all.compactMap(\.object) {
            guard let value = object[rules.id], let id = Self.id(value) else { continue }
            hasNumbers = hasNumbers || value.number != nil
            if let number = Int64(id) { nextNumber = max(nextNumber, number &+ 1) }
            if before.record(id) == object { records.append((id, object)) } else { put(id, object) }
        }
        for (id, _) in before.records where record(id) == nil { note(id) }
    }

    /// Sets or, with nil, removes a record.
    mutating func put(_ id: String, _ record: JSONObject?) {
        let index = records.firstIndex { entry in entry.id == id }
        switch (index, record) {
        case (let index?, let record?): records[index].record = record
        case (let index?, nil): records.remove(at: index)
        case (nil, let record?): records.append((id, record))
        case (nil, nil): return
        }
        note(id)
    }

    private mutating func note(_ id: String) {
        changes += 1
        changed[id] = changes
    }

    /// Whether the record with `id` has changed after a number of changes.
    func hasChanged(_ id: String, after count: Int) -> Bool { changed[id].map { number in number > count } ?? false }

    /// The ids of the records that have gone after a number of changes, in order.
    func removed(after count: Int) -> [String] {
        changed.filter { change in change.value > count && record(change.key) == nil }.keys.sorted()
    }

    /// Shows the record with `id` in its state before a write, until a number of requests and a time have come.
    mutating func hide(_ id: String, as before: JSONObject?, requests: Int, until: UInt64) {
        hidden.append(Hidden(id: id, before: before, requests: requests, until: until))
    }

    /// The records that a request for all of them sees, which counts as one.
    mutating func seen(now: UInt64) -> [JSONObject] {
        hidden.removeAll { write in write.requests <= 0 && write.until <= now }
        let seen = seenStore(now: now).all
        for index in hidden.indices { hidden[index].requests -= 1 }
        return seen
    }

    /// The record that a request for it sees.
    func seen(_ id: String, now: UInt64) -> JSONObject? { seenStore(now: now).record(id) }

    private func seenStore(now: UInt64) -> RecordStore {
        var store = self
        for write in hidden.reversed() where write.requests > 0 || now < write.until {
            store.put(write.id, write.before)
        }
        return store
    }

    /// The id of a new record, as JSON.
    mutating func newID() -> JSONValue {
        while record(String(nextNumber)) != nil { nextNumber += 1 }
        defer { nextNumber += 1 }
        return hasNumbers ? .integer(nextNumber) : .string(String(nextNumber))
    }
}
