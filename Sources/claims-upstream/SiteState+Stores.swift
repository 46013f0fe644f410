// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The changes that requests make to stores, and the records that they see.
extension SiteState {
    /// The store that is at `path` or above it, the nearest one.
    func store(for path: String) -> RecordStore? {
        var path = path[...]
        while true {
            if let store = stores[String(path)] { return store }
            guard let slash = path.lastIndex(of: "/") else { return nil }
            path = path[..<slash]
        }
    }

    /// Changes the store at `path`; a new one begins without records.
    mutating func changeStore(_ path: String, _ change: (inout RecordStore) -> Void) {
        change(&stores[path, default: RecordStore(path: path)])
    }

    /// The answer of a store to a write, which is done as often as the step demands; nil if the request is no write.
    mutating func write(_ request: UpstreamRequest, _ visit: Visit) -> UpstreamResponse? {
        guard !visit.isRead(request), let store = store(for: request.path) else { return nil }
        do throws(StoreWrite.Refusal) {
            let write = try StoreWrite(request, Self.rest(of: request.path, below: store))
            return try perform(write, of: request, visit, in: store)
        } catch {
            return UpstreamResponse(status: error.status)
        }
    }

    private mutating func perform(
        _ write: StoreWrite, of request: UpstreamRequest, _ visit: Visit, in store: RecordStore
    ) throws(StoreWrite.Refusal) -> UpstreamResponse {
        let key = store.rules.keys == .ignored ? nil : request[store.rules.keyHeader]
        let fingerprint = "\(request.path) \(write.fingerprint)"
        if let key {
            let isBusy = busyKeys.contains { number, other in other == key && number < visit.number }
            if isBusy && store.rules.keys == .busy { throw StoreWrite.Refusal(status: 409) }
            if let first = writes.known(key, in: store.path) {
                guard first.fingerprint == fingerprint else { throw StoreWrite.Refusal(status: 422) }
                return first.answer
            }
        }
        var changed = store
        let terms = visit.behaviour.writing
        let count = visit.commits
        var first: RecordStore.Outcome?
        for number in 1...max(1, count) {
            let before = changed
            let outcome: RecordStore.Outcome
            do throws(StoreWrite.Refusal) {
                outcome = try changed.perform(write, request, change: terms.change)
            } catch {
                // A second delete, for example, finds nothing.
                guard first == nil else { break }
                throw error
            }
            first = first ?? outcome
            guard number <= count else { break }
            if terms.hides {
                let until = SystemClock.monotonic &+ UInt64(terms.hiddenTime) &* 1_000_000
                changed.hide(outcome.id, as: before.record(outcome.id), requests: terms.hiddenRequests, until: until)
            }
            stores[store.path] = changed
            let header = request[store.rules.keyHeader]
            writes.append(write, outcome, of: request, number: visit.number, key: header)
        }
        guard let first else { throw StoreWrite.Refusal(status: 500) }
        if let key, count > 0 {
            writes.remember(key, in: store.path, WriteLog.Known(fingerprint: fingerprint, answer: first.answer))
        }
        return first.answer
    }

    /// The records, or the record, that a store has at `path`: an inner nil if there is none; nil if there is no store.
    mutating func seen(_ path: String) -> ServedFile?? {
        guard let store = store(for: path) else { return nil }
        let now = SystemClock.monotonic
        let rest = Self.rest(of: path, below: store)
        switch rest.count {
        case 0:
            let records = stores[store.path]?.seen(now: now) ?? []
            return ServedFile(bytes: JSONValue.array(records.map(JSONValue.object)).compactBytes)
        case 1: return .some(store.seen(rest[0], now: now).map(store.file))
        default: return .some(nil)
        }
    }

    /// The parts of `path` after the path of the store, with their escapes resolved.
    static func rest(of path: String, below store: RecordStore) -> [String] {
        path.dropFirst(store.path.count).split(separator: "/").map { part in UpstreamRequest.unescaped(String(part)) }
    }
}
