// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// One step of a path's behaviour: a fault and its parameters, for a number of requests.
struct Behaviour: Sendable {
    private(set) var fault = Fault.none
    private(set) var status: Int?
    /// Headers that replace those of the answer; nil removes one.
    private(set) var headers: [(name: String, value: String?)] = []
    /// Served in place of the file.
    private(set) var body: [UInt8]?
    /// Request headers and their values; without one of them the answer is 401.
    private(set) var require: [(name: String, value: String)] = []
    /// The number of requests this step is for; nil for all further ones.
    var times: Int?
    /// Whether requests wait until they are released.
    private(set) var hold = false
    /// In milliseconds.
    private(set) var delay = 20
    private(set) var bytes: Int?
    private(set) var depth = 600
    private(set) var count: Int?
    private(set) var location: String?
    private(set) var paging = Paging()

    static let members = [
        "fault", "status", "headers", "body", "json", "require", "times", "hold", "delay_ms", "bytes", "depth", "count",
        "location", "style", "size", "parameter", "items", "fail_page", "loop",
    ]

    init() {}

    /// Reads one step, or an array of steps; a step of an array is for one request unless it has `times`.
    static func steps(_ text: [UInt8]) throws(UpstreamError) -> [Behaviour] {
        do { return try steps(JSONValue.parse(text)) } catch let error as JSONError {
            throw UpstreamError("not JSON: \(error.message)")
        } catch let error as UpstreamError {
            throw error
        } catch {
            throw UpstreamError("\(error)")
        }
    }

    static func steps(_ value: JSONValue) throws(UpstreamError) -> [Behaviour] {
        guard let array = value.array else { return [try Behaviour(value)] }
        var steps: [Behaviour] = []
        for element in array {
            var step = try Behaviour(element)
            step.times = step.times ?? 1
            steps.append(step)
        }
        return steps
    }

    private init(_ value: JSONValue) throws(UpstreamError) {
        guard let members = value.object?.members else { throw UpstreamError("a step is an object") }
        for member in members { try set(member.key, member.value) }
    }

    private mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "fault":
            guard let name = value.string, let fault = Fault(rawValue: name) else {
                throw UpstreamError("unknown fault \(value.string ?? "")")
            }
            self.fault = fault
        case "status": status = try Self.number(key, value, 100...999)
        case "headers":
            guard let members = value.object?.members else { throw UpstreamError("headers is an object") }
            for member in members { headers.append((member.key, member.value.string)) }
        case "body": body = Array(try Self.text(key, value).utf8)
        case "json": body = value.compactBytes
        case "require":
            guard let members = value.object?.members else { throw UpstreamError("require is an object") }
            for member in members { require.append((member.key.lowercased(), member.value.string ?? "")) }
        case "times": times = try Self.number(key, value, 1...1_000_000)
        case "hold": hold = value.boolean ?? false
        case "delay_ms": delay = try Self.number(key, value, 0...60_000)
        case "bytes": bytes = try Self.number(key, value, 1...(4 << 30))
        case "depth": depth = try Self.number(key, value, 1...1_000_000)
        case "count": count = try Self.number(key, value, 0...10_000_000)
        case "location": location = try Self.text(key, value)
        default: try paging.set(key, value)
        }
    }

    fileprivate static func number(
        _ key: String, _ value: JSONValue, _ range: ClosedRange<Int>
    ) throws(UpstreamError) -> Int {
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw UpstreamError("\(key) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    fileprivate static func text(_ key: String, _ value: JSONValue) throws(UpstreamError) -> String {
        guard let text = value.string else { throw UpstreamError("\(key) is a string") }
        return text
    }
}

/// The way in which the records of a file are served in pages.
struct Paging: Sendable {
    enum Style: String {
        /// `{"items": […], "next": "URL"}`
        case pointer
        /// An array, and `Link: <URL>; rel="next"`.
        case link
        /// An array for each `?page=N`; empty after the last.
        case parameter
    }

    private(set) var style = Style.pointer
    private(set) var size = 100
    /// The query parameter that counts pages, from 1.
    private(set) var parameter = "page"
    /// The member that holds the records, with style `pointer`.
    private(set) var items = "items"
    /// The number of the page that answers 500.
    private(set) var failPage: Int?
    /// True if each page names itself as the next one.
    private(set) var loops = false

    /// One page.
    struct Page {
        let body: [UInt8]
        let link: String?
    }

    mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "style":
            guard let style = value.string.flatMap(Style.init) else {
                throw UpstreamError("style is pointer, link or parameter")
            }
            self.style = style
        case "size": size = try Behaviour.number(key, value, 1...1_000_000)
        case "parameter": parameter = try Behaviour.text(key, value)
        case "items": items = try Behaviour.text(key, value)
        case "fail_page": failPage = try Behaviour.number(key, value, 1...1_000_000)
        case "loop": loops = value.boolean ?? false
        default: throw UpstreamError("unknown member \(key)")
        }
    }

    /// The page of the array in `file` that `request` asks for; nil if the file holds no array.
    /// - Parameter next: used in place of the next page's own URL.
    func page(_ request: UpstreamRequest, of file: [UInt8], next: String?) -> Page? {
        guard let records = (try? JSONValue.parse(file))?.array else { return nil }
        let number = max(1, Int(request.parameters[parameter] ?? "") ?? 1)
        let start = min(records.count, (number - 1) * size)
        let end = min(records.count, start + size)
        let following = loops ? number : end < records.count ? number + 1 : nil
        let url = following.map { following in next ?? "\(request.path)?\(parameter)=\(following)" }
        let slice = JSONValue.array(Array(records[start..<end]))
        switch style {
        case .pointer:
            let whole: JSONValue = [items: slice, "next": url.map(JSONValue.string) ?? .null]
            return Page(body: whole.compactBytes, link: nil)
        case .link:
            return Page(body: slice.compactBytes, link: url.map { url in "<\(url)>; rel=\"next\"" })
        case .parameter:
            return Page(body: slice.compactBytes, link: nil)
        }
    }
}
