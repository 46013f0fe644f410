// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Requests for tokens, for pages, and for changes only.
extension SiteState {
    /// The answer of a token server; nil if there is none at the path of `request`.
    mutating func grant(_ request: UpstreamRequest, _ visit: Visit) -> UpstreamResponse? {
        tokenServers[request.path]?.answer(request, now: SystemClock.monotonic, commits: visit.commits > 0)
    }

    /// The part of the records in `file` that `request` asks for; nil if its step knows no parts.
    mutating func page(_ request: UpstreamRequest, _ visit: Visit, of file: ServedFile?) -> UpstreamResponse? {
        let behaviour = visit.behaviour
        guard visit.refusal == nil, behaviour.fault == .paged || behaviour.since != nil else { return nil }
        guard visit.isRead(request) else { return UpstreamResponse(status: 405) }
        guard let content = behaviour.body ?? file?.bytes, var records = (try? JSONValue.parse(content))?.array else {
            return UpstreamResponse(status: 404)
        }
        var members: [(path: MemberPath, value: JSONValue)] = []
        if let rules = behaviour.since {
            guard let change = change(request, rules, of: records) else { return UpstreamResponse(status: 410) }
            (records, members) = (change.records, change.members)
        }
        let paging = behaviour.paging
        guard behaviour.fault == .paged else { return paging.answer(of: records, members: members) }
        guard let window = paging.window(request) else { return UpstreamResponse(status: 400) }
        if fails(window, request.path, paging) {
            var failure = UpstreamResponse(status: behaviour.status ?? 500, body: paging.failBody)
            failure.apply(paging.failHeaders)
            return failure
        }
        return paging.answer(request, window, of: records, members: members, address: behaviour.location)
    }

    /// Whether a page fails, which is counted.
    private mutating func fails(_ window: ServedPaging.Window, _ path: String, _ paging: ServedPaging) -> Bool {
        guard window.number == paging.failPage else { return false }
        guard let times = paging.failTimes else { return true }
        let count = failures[path, default: 0]
        failures[path] = count + 1
        return count < times
    }

    /// The changes since the position in `request`; all records if it has none; nil if it is too old.
    private func change(
        _ request: UpstreamRequest, _ rules: PositionRules, of records: [JSONValue]
    ) -> (records: [JSONValue], members: [(path: MemberPath, value: JSONValue)])? {
        let store = stores[request.path]
        let position = rules.carrier.text(in: request).flatMap { text in text.isEmpty ? nil : text }
        var records = records
        var number = 0
        if let position, rules.token != nil {
            guard let found = rules.number(of: position) else { return nil }
            number = found
            records = records.filter { record in
                let id = store.flatMap { store in RecordStore.id(record[store.rules.id]) }
                return id.flatMap { id in store?.hasChanged(id, after: number) } ?? true
            }
        } else if let position {
            records = records.filter { record in rules.reaches(record, position) }
        }
        var members: [(path: MemberPath, value: JSONValue)] = []
        if let token = rules.token { members.append((token, rules.token(store?.changes ?? 0))) }
        if let deleted = rules.deleted {
            let gone = position == nil ? [] : store?.removed(after: number) ?? []
            members.append((deleted, .array(gone.map(JSONValue.string))))
        }
        return (records, members)
    }
}
