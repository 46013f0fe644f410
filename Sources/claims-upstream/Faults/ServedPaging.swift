// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The way in which records are served in pages, and its oddities.
struct ServedPaging: Sendable {
    enum Style: String, CaseIterable {
        /// The address of the next page is in the page.
        case pointer
        /// `Link: <URL>; rel="next"`
        case link
        /// A parameter counts pages; an empty one comes after the last.
        case parameter
        /// The page has the value that the next request sends.
        case cursor
        /// A parameter counts the records that came before.
        case offset
    }

    /// The value in the last page in place of a cursor.
    enum LastCursor: String, CaseIterable {
        case null, absent, empty
        /// A cursor like any other, which leads to an empty page.
        case kept
    }

    static let members = [
        "style", "size", "parameter", "limit", "from", "items", "next", "more", "last", "numbers", "fail_page",
        "fail_times", "fail_headers", "fail_json", "loop", "clamp", "past", "ignore", "repeat", "shift", "endless",
    ]

    private(set) var style = Style.pointer
    private var maxSize = 100
    private var carrier = ValueCarrier.parameter("page")
    private var limit: ValueCarrier?
    private var first = 1
    private var items: MemberPath?
    private var next = MemberPath.member("next")
    private var more: MemberPath?
    private var last = LastCursor.null
    private var hasNumbers = false
    /// The page that fails, counted from 1.
    private(set) var failPage: Int?
    /// The number of times that it fails; nil for ever.
    private(set) var failTimes: Int?
    private(set) var failHeaders: [(name: String, value: String?)] = []
    private(set) var failBody: [UInt8] = []
    private var loops = false
    private var clamps = false
    private var statusPastEnd: Int?
    private var ignores = false
    private var repeated: Int?
    private var shift = 0
    private var isEndless = false

    /// The part of the records that a request asks for.
    struct Window {
        /// The number of the page, from 1.
        let number: Int
        let size: Int
        /// May lie beyond the end.
        let start: Int
    }

    mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "style":
            style = try StepValue.choice(key, value)
            if style == .offset { carrier = .parameter("offset") }
            if style == .cursor { carrier = .parameter("cursor") }
        case "size": maxSize = try StepValue.number(key, value, 1...1_000_000)
        case "parameter": carrier = try ValueCarrier(try StepValue.text(key, value))
        case "limit": limit = try ValueCarrier(try StepValue.text(key, value))
        case "from": first = try StepValue.number(key, value, 0...1)
        case "items":
            let text = try StepValue.text(key, value)
            items = text.isEmpty || text.hasPrefix("/") ? try MemberPath(text) : .member(text)
        case "next": next = try MemberPath(try StepValue.text(key, value))
        case "more": more = try MemberPath(try StepValue.text(key, value))
        case "last": last = try StepValue.choice(key, value)
        case "numbers": hasNumbers = value.boolean ?? false
        case "fail_page": failPage = try StepValue.number(key, value, 1...1_000_000)
        case "fail_times": failTimes = try StepValue.number(key, value, 1...1_000_000)
        case "fail_headers": failHeaders = try StepValue.headers(key, value)
        case "fail_json": failBody = value.compactBytes
        case "loop": loops = value.boolean ?? false
        case "clamp": clamps = value.boolean ?? false
        case "past": statusPastEnd = try StepValue.number(key, value, 100...999)
        case "ignore": ignores = value.boolean ?? false
        case "repeat": repeated = try StepValue.number(key, value, 2...1_000_000)
        case "shift": shift = try StepValue.number(key, value, -1_000_000...1_000_000)
        case "endless": isEndless = value.boolean ?? false
        default: throw UpstreamError("unknown member \(key)")
        }
    }

    /// The part that `request` asks for; nil if its cursor is foreign.
    func window(_ request: UpstreamRequest) -> Window? {
        let size = min(maxSize, max(1, limit?.text(in: request).flatMap { Int($0) } ?? maxSize))
        let text = ignores ? nil : carrier.text(in: request)
        let start: Int
        switch style {
        case .pointer, .link, .parameter: start = max(0, (text.flatMap { Int($0) } ?? first) - first) * size
        case .offset: start = max(0, text.flatMap { Int($0) } ?? 0)
        case .cursor:
            guard let text else { return Window(number: 1, size: size, start: 0) }
            guard let found = Int(hasNumbers ? text[...] : text.dropFirst(5)), found > 0 else { return nil }
            start = found
        }
        return Window(number: start / size + 1, size: size, start: start)
    }

    /// The page of `records` at `window`.
    /// - Parameters:
    ///   - members: further members of the page.
    ///   - address: used in place of the next page's own URL.
    func answer(
        _ request: UpstreamRequest, _ window: Window, of records: [JSONValue],
        members: [(path: MemberPath, value: JSONValue)], address: String?
    ) -> UpstreamResponse {
        var start = window.start - (repeated == window.number ? window.size : 0)
        if let statusPastEnd, start >= records.count, start > 0 { return UpstreamResponse(status: statusPastEnd) }
        if clamps && start >= records.count { start = max(0, records.count - 1) / window.size * window.size }
        start = max(0, start - shift * (window.number - 1))
        let page = part(of: records, start, size: window.size)
        let hasMore = isEndless || loops || window.start + window.size < records.count && !page.isEmpty
        var body = JSONValue.object(JSONObject())
        let items = items ?? (style == .pointer || style == .cursor ? .member("items") : .root)
        items.set(.array(page), in: &body)
        for member in members { member.path.set(member.value, in: &body) }
        if let more { more.set(.bool(hasMore), in: &body) }
        var response = UpstreamResponse()
        let following = loops ? window.number : window.number + 1
        let url = address ?? "\(request.path)?\(name)=\(first + following - 1)"
        switch style {
        case .pointer: next.set(hasMore ? .string(url) : .null, in: &body)
        case .link: response["Link"] = hasMore ? "<\(url)>; rel=\"next\"" : nil
        case .cursor:
            let end = loops ? max(1, window.start) : window.start + window.size
            if let cursor = cursor(end, hasMore: hasMore) { next.set(cursor, in: &body) }
        case .parameter, .offset: break
        }
        response.body = body.compactBytes
        return response
    }

    /// All of `records` at once, with further members beside them.
    func answer(of records: [JSONValue], members: [(path: MemberPath, value: JSONValue)]) -> UpstreamResponse {
        var body = JSONValue.object(JSONObject())
        (items ?? (members.isEmpty ? .root : .member("items"))).set(.array(records), in: &body)
        for member in members { member.path.set(member.value, in: &body) }
        return UpstreamResponse(body: body.compactBytes)
    }

    private func part(of records: [JSONValue], _ start: Int, size: Int) -> [JSONValue] {
        guard isEndless && !records.isEmpty else {
            return Array(records[min(start, records.count)..<min(start + size, records.count)])
        }
        return (start..<start + size).map { index in records[index % records.count] }
    }

    private func cursor(_ end: Int, hasMore: Bool) -> JSONValue? {
        guard !hasMore else { return cursor(end) }
        switch last {
        case .null: return .null
        case .absent: return nil
        case .empty: return ""
        case .kept: return cursor(end)
        }
    }

    private func cursor(_ end: Int) -> JSONValue { hasNumbers ? .integer(end) : .string("next=\(end)") }

    /// The parameter of the addresses of pages.
    private var name: String {
        if case .parameter(let name) = carrier { return name }
        return "page"
    }
}
