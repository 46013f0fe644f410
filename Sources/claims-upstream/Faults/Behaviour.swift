// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// One step of a path's behaviour: a fault and its parameters, for a number of requests.
struct Behaviour: Sendable {
    private(set) var fault = Fault.none
    /// The method of the requests that this step is for; nil for all.
    private(set) var method: String?
    private(set) var status: Int?
    /// Headers that replace those of the answer; nil removes one.
    private(set) var headers: [(name: String, value: String?)] = []
    /// Served in place of the file.
    private(set) var body: [UInt8]?
    /// Request headers and their values; without one of them the answer is 401.
    private(set) var require: [(name: String, value: String)] = []
    /// Parameters of the query and their values; without one of them the answer is 401.
    private(set) var requiredQuery: [(name: String, value: String)] = []
    /// The path of the token server whose tokens a request must have; nil if it needs none.
    private(set) var tokens: String?
    /// Whether a POST reads, as a GET does.
    private(set) var isRead = false
    /// The way in which a request asks for changes only; nil if it cannot.
    private(set) var since: PositionRules?
    /// The number of requests this step is for; nil for all further ones.
    var times: Int?
    /// The queue in which requests wait until they are released; nil if they do not wait.
    private(set) var hold: Hold?
    /// In milliseconds.
    private(set) var delay = 20
    private(set) var bytes: Int?
    private(set) var depth = 600
    private(set) var count: Int?
    private(set) var location: String?
    /// The number of bytes of the request's body that are read; nil for all.
    private(set) var bodyBytes: Int?
    private var paceBytes: Int?
    private(set) var writing = WriteFault()
    private(set) var paging = ServedPaging()

    enum Hold {
        /// The request is read, and nothing is done yet.
        case request
        /// The write is done, and not answered yet.
        case answer
    }

    static let members =
        [
            "fault", "method", "status", "headers", "body", "json", "require", "require_query", "tokens", "reads",
            "since", "times", "hold", "delay_ms", "bytes", "depth", "count", "location", "read", "pace",
        ] + ServedPaging.members + WriteFault.members

    init() {}

    /// The speed at which the request's body is read; nil for all speed.
    var pace: UpstreamConnection.Pace? {
        paceBytes.map { bytes in UpstreamConnection.Pace(bytes: bytes, delay: .milliseconds(delay)) }
    }

    /// Whether a header that the step requires is missing.
    func misses(_ request: UpstreamRequest) -> Bool {
        require.contains { header in request[header.name] != header.value }
            || requiredQuery.contains { parameter in request.parameters[parameter.name] != parameter.value }
    }

    /// The number of times that a write is done.
    var commits: Int { writing.commits ?? (fault.commits ? 1 : 0) }

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
        case "method": method = try StepValue.text(key, value)
        case "status": status = try StepValue.number(key, value, 100...999)
        case "headers": headers = try StepValue.headers(key, value)
        case "body": body = Array(try StepValue.text(key, value).utf8)
        case "json": body = value.compactBytes
        case "require":
            require = try StepValue.headers(key, value).map { header in (header.name.lowercased(), header.value ?? "") }
        case "require_query":
            requiredQuery = try StepValue.headers(key, value).map { parameter in (parameter.name, parameter.value ?? "")
            }
        case "tokens": tokens = try StepValue.text(key, value)
        case "reads": isRead = value.boolean ?? false
        case "since": since = try PositionRules(value)
        case "times": times = try StepValue.number(key, value, 1...1_000_000)
        case "hold": hold = value.string == "answer" ? .answer : value.boolean == true ? .request : nil
        case "delay_ms": delay = try StepValue.number(key, value, 0...60_000)
        case "bytes": bytes = try StepValue.number(key, value, 1...(4 << 30))
        case "depth": depth = try StepValue.number(key, value, 1...1_000_000)
        case "count": count = try StepValue.number(key, value, 0...10_000_000)
        case "location": location = try StepValue.text(key, value)
        case "read": bodyBytes = try StepValue.number(key, value, 0...(4 << 30))
        case "pace": paceBytes = try StepValue.number(key, value, 1...(1 << 20))
        case _ where WriteFault.members.contains(key): try writing.set(key, value)
        default: try paging.set(key, value)
        }
    }
}
