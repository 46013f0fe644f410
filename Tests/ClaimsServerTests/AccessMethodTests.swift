// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// `access` tells what a user sees of each collection, and may do in it.
///
/// The peer has user 1000 and group 100, and is called anna; bert has user 1001 and group 100.
@Suite struct AccessMethodTests {
    /// A shelf with a collection `secrets` under rules.
    private static func shelf(_ rules: [AccessRules.Rule]) throws -> ServedShelf {
        let model = Shelf.definition
        let access = AccessRules(rules).resolved(user: { UInt32($0) }, group: { UInt32($0) })
        let definition = Definition(
            name: "secrets", singular: "secret", source: Source(), fields: model.fields,
            vocabularies: model.vocabularies, groups: model.groups, groupBy: model.groupBy,
            defaultOrder: model.defaultOrder, isArchivable: true, access: access)
        let fixture = try SnapshotFixture([#"{"id":"s1","title":"Secret","state":"open","level":9}"#], definition)
        var row = CollectionRow(number: 9, name: "secrets")
        row.generation = 3
        return try ServedShelf(others: [
            CollectionView(
                definition: fixture.definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
                condition: CollectionCondition(row: row))
        ])
    }

    private static func users(_ users: String...) -> AccessRules.Subject { .members(.init(users: users)) }
    private static func filter(_ text: String) -> AccessRules.Rows {
        .filter(.init(text, at: ConfigurationLocation(file: "secrets.json5")))
    }

    private static func secrets(_ answer: JSONValue) -> JSONValue? {
        answer["collections"]?.array?.first { $0["collection"]?.string == "secrets" }
    }

    @Test func `a peer is told its own part, and no filters`() async throws {
        let shelf = try Self.shelf([
            .init(Self.users("1001")), .init(Self.users("1000"), rows: Self.filter("level<10"), acts: []),
        ])
        let answer = try await shelf.ask("access", roles: [.read, .archive])
        #expect(answer["user"]?.string == "anna")
        #expect(answer["uid"]?.integer == 1000)
        #expect(answer["groups"]?.array == [.number("100")])
        let secrets = try #require(Self.secrets(answer))
        #expect(secrets["sees"]?.string == "limited")
        #expect(secrets["rule"]?.integer == 2)
        #expect(secrets["rows"] == nil)
        #expect(secrets["fields"] == .null)
        #expect(secrets["masks"]?.object?.isEmpty == true)
        #expect(secrets["may"]?.array == [])
        for own in ["anna", "1000"] {
            #expect(try await shelf.ask("access", #"{"user":"\#(own)"}"#, roles: [.read, .archive]) == answer)
        }
    }

    @Test func `a collection that a peer does not see is absent`() async throws {
        let shelf = try Self.shelf([.init(Self.users("1001"))])
        let answer = try await shelf.ask("access", roles: [.read, .archive])
        #expect(Self.secrets(answer) == nil)
        #expect(answer["collections"]?.array?.isEmpty == false)
        let all = try await shelf.ask("access")
        #expect(Self.secrets(all)?["sees"]?.string == "none")
        #expect(Self.secrets(all)?["rows"]?.array == [])
    }

    @Test func `an administrator is told of another user, with the filters`() async throws {
        let shelf = try Self.shelf([
            .init(.members(.init(groups: ["101"])), rows: Self.filter("level<10"), acts: ["archive"]),
            .init(Self.users("1000")),
        ])
        for bert in ["bert", "1001"] {
            let answer = try await shelf.ask("access", #"{"user":"\#(bert)"}"#)
            #expect(answer["user"]?.string == "bert")
            #expect(answer["groups"]?.array == [.number("100"), .number("101")])
            let secrets = try #require(Self.secrets(answer))
            #expect(secrets["sees"]?.string == "limited")
            #expect(secrets["rule"]?.integer == 1)
            #expect(secrets["rows"]?.array == [.string("level<10")])
        }
        let own = try #require(Self.secrets(try await shelf.ask("access")))
        #expect(own["sees"]?.string == "whole")
        #expect(own["rows"] == .null)
        #expect(own["may"]?.array?.contains(.string("archive")) == true)
    }

    @Test func `another user needs the role admin, whether there is such a user or not`() async throws {
        let shelf = try Self.shelf([.init(.all)])
        for user in ["bert", "1001", "nobody-such", "slow", "many", "4000000000"] {
            #expect(await shelf.refusal("access", #"{"user":"\#(user)"}"#, roles: [.read]) == .forbidden)
        }
    }

    @Test func `a name that is unknown, late or asked too often is an error of its own`() async throws {
        let shelf = try Self.shelf([.init(.all)])
        #expect(await shelf.refusal("access", #"{"user":"nobody-such"}"#) == .notFound)
        #expect(await shelf.refusal("access", #"{"user":"slow"}"#) == .timeout)
        #expect(await shelf.refusal("access", #"{"user":"many"}"#) == .busy)
    }
}
