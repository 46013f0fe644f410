// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport

/// A client of one subscription, which holds the set as the protocol says: pieces count once their clock is there.
final class Subscriber {
    let client: LineClient
    /// The feed, as members of a JSON object.
    let feed: String
    private(set) var held: [String: JSONValue] = [:]
    private(set) var clock: String?
    /// The reasons of the fresh sets so far.
    private(set) var reasons: [String] = []
    private(set) var states: [String] = []
    private(set) var causes: Set<String> = []
    /// The entries that were told since the last clock.
    private var pieces: [JSONValue] = []
    private var isSetNew = false
    /// The number of the subscription.
    private(set) var number: Int64 = 0

    init(_ client: LineClient, _ feed: String) {
        self.client = client
        self.feed = feed
    }

    /// Goes on where another client was, on a new connection.
    convenience init(resuming other: Subscriber, _ client: LineClient) throws {
        self.init(client, other.feed)
        held = other.held
        clock = other.clock
        try subscribe(clock.map { #""since":"\#($0)""# } ?? #""initial":true"#)
    }

    /// Subscribes; the answer must come before any event.
    @discardableResult
    func subscribe(_ more: String) throws -> JSONValue {
        try client.send(#"{"id":"s","method":"subscribe","params":{\#(feed)\#(more.isEmpty ? "" : ",")\#(more)}}"#)
        while true {
            guard let line = try client.receive() else { throw TestFailure("the connection was closed") }
            let answer = try JSONValue.parse(line)
            guard answer["id"]?.string == "s" else {
                if answer.at("params", "subscription")?.integer == number { try apply(answer) }
                continue
            }
            guard let result = answer["result"], let given = result["subscription"]?.integer else {
                throw TestFailure("no subscription: \(line)")
            }
            number = given
            if let now = result["clock"]?.string { clock = now }
            return result
        }
    }

    /// The next event of this type; those before it are applied too.
    @discardableResult
    func next(_ types: String..., within timeout: Duration = LineClient.timeout) throws -> JSONValue {
        while true {
            let event = try event(within: timeout)
            if types.isEmpty || types.contains(event["type"]?.string ?? "") { return event }
        }
    }

    /// The next event, applied.
    func event(within timeout: Duration = LineClient.timeout) throws -> JSONValue {
        while true {
            guard let line = try client.receive(within: timeout) else { throw TestFailure("the connection was closed") }
            let event = try JSONValue.parse(line)
            guard let parameters = event["params"], parameters["subscription"]?.integer == number else { continue }
            try apply(event)
            return parameters
        }
    }

    /// Takes events until it holds the set of this sequence, or of a later one.
    func follow(to seq: UInt64) throws {
        while (clock.flatMap(Self.seq) ?? 0) < seq { _ = try event() }
    }

    /// The number in a clock.
    static func seq(_ clock: String) -> UInt64? {
        clock.split(separator: "-").first?.split(separator: ".").last.flatMap { UInt64($0) }
    }

    private func apply(_ event: JSONValue) throws {
        guard let event = event["params"] else { return }
        switch event["type"]?.string {
        case "fresh_instance":
            (pieces, isSetNew) = ([], true)
            clock = nil
            reasons.append(event["reason"]?.string ?? "")
        case "changes":
            pieces += event["changes"]?.array ?? []
            if event["complete"]?.boolean == true { try settle(event) }
        case "synced":
            try settle(event)
            guard event["total"]?.integer == Int64(held.count) else {
                throw TestFailure("\(held.count) records are held: \(event)")
            }
        case "heartbeat":
            guard pieces.isEmpty, !isSetNew else { throw TestFailure("a heartbeat within a commit") }
            clock = event["clock"]?.string
        case "state": states.append(event["change"]?.string ?? "")
        default: break
        }
    }

    private func settle(_ event: JSONValue) throws {
        if isSetNew { held = [:] }
        for piece in pieces {
            guard let id = piece["id"]?.string else { throw TestFailure("no id: \(piece)") }
            if let cause = piece["cause"]?.string { causes.insert(cause) }
            switch piece["op"]?.string {
            case "added", "updated": held[id] = piece["record"]
            case "removed": held[id] = nil
            default: throw TestFailure("no operation: \(piece)")
            }
        }
        (pieces, isSetNew) = ([], false)
        clock = event["clock"]?.string
    }
}

extension Site {
    /// The records that `search` answers to a feed, by id, and the sequence at which they are those.
    func records(_ feed: String) throws -> (records: [String: JSONValue], seq: UInt64) {
        let client = try daemon.connect()
        var found: [String: JSONValue] = [:]
        var cursor = ""
        while true {
            let answer = try client.request("search", "{\(feed),\"sort\":\"id\",\"limit\":1000\(cursor)}")
            guard let result = answer["result"], let records = result["records"]?.array else {
                throw TestFailure("no records: \(answer)")
            }
            for record in records { found[record["id"]?.string ?? ""] = record }
            guard let next = result["next"]?.string else {
                let clock = result.at("meta", "clock")?.string
                return (found, clock.flatMap(Subscriber.seq) ?? 0)
            }
            cursor = #","cursor":"\#(next)""#
        }
    }

    /// Has a subscriber follow to now, and compares what it holds with what `search` answers.
    func differences(_ subscriber: Subscriber) throws -> [String] {
        let (records, seq) = try records(subscriber.feed)
        try subscriber.follow(to: seq)
        let ids = Set(records.keys).union(subscriber.held.keys)
        return ids.sorted().compactMap { id -> String? in
            let (held, found) = (subscriber.held[id], records[id])
            return held == found ? nil : "\(id): \(held.map { "\($0)" } ?? "-"), not \(found.map { "\($0)" } ?? "-")"
        }
    }
}
