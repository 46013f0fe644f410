// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// What one path does: a fault and its parameters, for so many requests.
struct Behaviour: Sendable {
    private(set) var fault = Fault.none
    private(set) var status: Int?
    /// Set over the ones of the answer; nil removes one.
    private(set) var headers: [(name: String, value: String?)] = []
    /// Served in place of the file.
    private(set) var body: [UInt8]?
    /// Request headers without which the answer is 401.
    private(set) var require: [(name: String, value: String)] = []
    /// For how many requests; nil for all that come.
    var times: Int?
    /// Whether requests wait until they are released.
    private(set) var hold = false
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

    /// One step, or an array of them: each of those is for one request, unless it says for how many.
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

    static func number(_ key: String, _ value: JSONValue, _ range: ClosedRange<Int>) throws(UpstreamError) -> Int {
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw UpstreamError("\(key) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func text(_ key: String, _ value: JSONValue) throws(UpstreamError) -> String {
        guard let text = value.string else { throw UpstreamError("\(key) is a string") }
        return text
    }
}
