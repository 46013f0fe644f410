// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

/// A limited peer gets exactly the members that their descriptions promise it.
@Suite struct LimitedShareTests {
    private static let objects = (0..<12).map { id in
        let place = id % 3 == 0 ? "here" : "there"
        return
            #"{"id":"\#(id)","title":"water \#(id)","note":"fire","place":"\#(place)","state":"open","level":\#(id)}"#
    }

    /// The rule of user 1000: a third of the records, without a field, and another one masked.
    private static let rules = AccessRules([
        .init(
            .members(.init(users: ["1000"])),
            rows: .filter(.init("place=here", at: ConfigurationLocation(file: "shelf.json5"))),
            masks: ["note": .lastFour, "level": .hidden])
    ]).resolved(user: { UInt32($0) }, group: { UInt32($0) })

    /// The parameters of a request that both peers may send. A new method needs a line here.
    private static func params(of method: Method) -> String? {
        switch method {
        case .hello, .describe, .ping, .status, .refreshes, .access, .fleet: "{}"
        case .search: #"{"collection":"shelf","filter":"water","facets":["state"],"lang":"en","limit":2}"#
        case .sort: #"{"collection":"shelf","by":"title","anchor":{"id":"3"}}"#
        case .count, .changes, .subscribe: #"{"collection":"shelf"}"#
        case .facets: #"{"collection":"shelf","fields":["state"]}"#
        case .detail, .history: #"{"collection":"shelf","id":"3"}"#
        case .explain: #"{"collection":"shelf","filter":"water | state=shut","id":"3"}"#
        case .archive, .unarchive: #"{"collection":"shelf","ids":["3"],"dry_run":true}"#
        case .outbox: #"{"action":"list"}"#
        case .quarantine: #"{"collection":"shelf"}"#
        case .deal: #"{"collection":"shelf"}"#
        // These are about an upstream, an upload or a request that is under way.
        case .submit, .attach, .fetchAttachment, .refresh, .forget, .attempt, .unsubscribe, .cancel: nil
        }
    }

    /// Members that differ from answer to answer.
    private static let moments: Set<String> = ["status.uptime_ms", "status.requests"]

    @Test(arguments: Method.allCases) func `a limited peer gets of each member what its description says`(
        method: Method
    ) async throws {
        guard let params = Self.params(of: method) else { return }
        let limited = try ServedShelf(Self.objects, definition: Shelf.definition.with(Self.rules))
        let whole = try ServedShelf(Self.objects)
        let roles: RoleSet = [.read, .archive, .write]
        if method.description.limited == .nothing {
            #expect(await limited.refusal(method.name, params, roles: roles) == .forbidden)
            #expect(await whole.refusal(method.name, params, roles: roles) != .forbidden)
            return
        }
        let answers = (
            try? await limited.ask(method.name, params, roles: roles),
            try? await whole.ask(method.name, params, roles: roles)
        )
        #expect((answers.0 == nil) == (answers.1 == nil))
        guard let given = answers.0, let all = answers.1 else { return }
        compare(given, all, method.description.shape, at: method.name)
    }

    /// - Parameters:
    ///   - given: what the limited peer got.
    ///   - all: what the other one got; nil: the two are not of the same thing.
    private func compare(_ given: JSONValue, _ all: JSONValue?, _ shape: ResultShape, at path: String) {
        switch shape {
        case .nullable(let shape): compare(given, all == .null ? JSONValue?.none : all, shape, at: path)
        case .array(let element):
            let (some, others) = (given.array ?? [], all?.array ?? [])
            // The other collection has no rules.
            for (index, value) in some.enumerated() where value["name"]?.string != "notes" {
                // Lists of other lengths have other elements.
                let other: JSONValue? = if some.count == others.count { others[index] } else { JSONValue?.none }
                compare(value, other, element, at: "\(path)[]")
            }
        case .map(let value):
            for member in given.object?.members ?? [] {
                compare(member.value, all?[member.key], value, at: "\(path).*")
            }
        case .object, .either:
            for member in shape.members { compare(member, given[member.name], all.map { $0[member.name] }, at: path) }
        case .string, .integer, .boolean, .instant, .record, .any: break
        }
    }

    /// - Parameter all: nil: the two objects are not of the same thing.
    private func compare(_ member: MemberDescription, _ given: JSONValue?, _ all: JSONValue??, at path: String) {
        let path = "\(path).\(member.name)"
        switch member.limited {
        case .nothing:
            let isAbsent =
                given == nil || given == .null || given?.array == [] || given?.object?.members.isEmpty == true
            #expect(isAbsent, "\(path) is told")
        case .all:
            guard let given, let all, !Self.moments.contains(path) else { return }
            #expect(all != nil, "\(path) is for limited peers alone")
            if member.shape.isComposite {
                compare(given, all, member.shape, at: path)
            } else {
                #expect(all == nil || given == all, "\(path) differs")
            }
        case .rows: if let given { compare(given, all ?? nil, member.shape, at: path) }
        }
    }

    @Test func `each method, event and result has members of which a share is told`() {
        #expect(Method.quarantine.description.limited == .nothing && Method.attempt.description.limited == .nothing)
        #expect(Method.ping.description.limited == .all && Method.search.description.limited == .rows)
        for event in EventKind.allCases {
            #expect(event.description.members.contains { $0.limited != .nothing }, "\(event)")
        }
    }

    @Test func `describe tells the share of methods and members`() async throws {
        let answer = try await ServedShelf().ask("describe", "{}")
        let methods = try #require(answer["methods"]?.array)
        func method(_ name: String) -> JSONValue? { methods.first { $0["name"]?.string == name } }
        #expect(method("quarantine")?["limited"] == "nothing" && method("search")?["limited"] == "rows")
        #expect(method("ping")?["limited"] == "all")
        let explain = method("explain")?["result"]?["properties"]
        #expect(explain?["plan"]?["x-limited"] == "nothing" && explain?["total"]?["x-limited"] == "rows")
        #expect(explain?["filter"] != nil && explain?["filter"]?["x-limited"] == nil)
    }
}

extension ResultShape {
    /// Whether its parts have shares of their own.
    fileprivate var isComposite: Bool {
        switch self {
        case .object, .either, .map: true
        case .array(let shape), .nullable(let shape): shape.isComposite
        case .string, .integer, .boolean, .instant, .record, .any: false
        }
    }
}
