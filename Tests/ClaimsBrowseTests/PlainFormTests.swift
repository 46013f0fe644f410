// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct PlainFormTests {
    private static let described = """
        {"name":"books","title":"Books","singular":"book","list":["id"],"fields":[{"name":"id","type":"id"},
          {"name":"title","type":"text","title":"Title"},{"name":"shelf","type":"enum","vocabulary":"shelf"},
          {"name":"pages","type":"integer"},{"name":"tags","type":"json"},{"name":"lent","type":"bool"},
          {"name":"due","type":"instant"}],
         "vocabularies":{"shelf":{"codes":[{"code":"attic","label":"The attic"},{"code":"cellar","label":"cellar"}]}},
         "writes":{"to":"local","actions":[{"name":"create","title":"New book","role":"write","granted":true,
          "fields":{"type":"object","required":["title"],"properties":{"title":{"maxLength":20},
           "shelf":{"enum":["attic","cellar"]},"pages":{},"tags":{},"lent":{},"due":{}}}}]}}
        """

    private let description: CollectionDescription
    private let action: OfferedAction

    init() throws {
        let value = try AnswerDocument(Array(Self.described.utf8)).root
        description = try #require(CollectionDescription(value))
        action = try #require(description.writes?.action("create"))
    }

    private func form(_ record: String? = nil, _ messages: Messages = .english) throws -> PlainForm {
        let record = try record.map { try AnswerDocument(Array($0.utf8)).root }
        // 2026-11-18, 11:06:40 UTC.
        let time = LocalTime(zone: .utc, now: 1_795_000_000_000, messages: messages)
        return PlainForm(action, of: description, record: record, time: time)
    }

    @Test func `a question tells limits, codes and the value of now`() throws {
        let form = try form(#"{"id":"7","title":"Sea","shelf":"attic"}"#)
        #expect(form.question(for: 0) == "Title (required; at most 20 characters; now Sea): ")
        #expect(
            form.question(for: 1)
                == "shelf (now The attic)\n  1. The attic (attic)\n  2. cellar\nNumber or code: ")
    }

    @Test func `values are read by the type of their field, codes by number, code or label`() throws {
        var form = try form()
        let outcome1 = form.answer("", for: 0)
        #expect(outcome1 == .again("It is required."))
        let outcome2 = form.answer(" Sea water ", for: 0)
        #expect(outcome2 == .accepted)
        let outcome3 = form.answer("the ATTIC", for: 1)
        #expect(outcome3 == .accepted)
        let outcome4 = form.answer("12", for: 2)
        #expect(outcome4 == .accepted)
        guard case .again(let reason) = form.answer("[1", for: 3) else { return #expect(Bool(false)) }
        #expect(reason.hasPrefix("not JSON: "))
        let outcome5 = form.answer("", for: 3)
        #expect(outcome5 == .accepted)
        #expect(
            form.values == ["title": "Sea water", "shelf": "attic", "pages": 12])
        let outcome6 = form.answer("2", for: 1)
        #expect(outcome6 == .accepted)
        #expect(form.values["shelf"] == "cellar")
        let outcome7 = form.answer(".", for: 1)
        #expect(outcome7 == .left)
    }

    @Test func `a text that is none of the codes, or no time, is refused at once, and the value stays`() throws {
        var form = try form()
        let outcome1 = form.answer("garage", for: 1)
        #expect(outcome1 == .again("There is no 'garage'. There is: The attic, cellar."))
        let outcome2 = form.answer("2036-13-01", for: 5)
        #expect(outcome2 == .again("not a time: such as 2036-01-31, 2036-01-31 14:30, tomorrow or +30d"))
        #expect(form.values.members.isEmpty)
        let outcome3 = form.answer("2036-01-31", for: 5)
        #expect(outcome3 == .accepted)
        let outcome4 = form.answer("soon", for: 5)
        #expect(outcome4 == .again("not a time: such as 2036-01-31, 2036-01-31 14:30, tomorrow or +30d"))
        #expect(form.values == ["due": "2036-01-31T00:00:00.000Z"])
        #expect(form.question(for: 5) == "due (now 2036-01-31): ")
    }

    @Test func `of an operation only the fields that it gives are asked for`() throws {
        let values = try AnswerDocument(Array(#"{"title":"Sea","pages":3}"#.utf8)).root
        var form = try form(#"{"title":"Sea","pages":3}"#)
        form.keep(only: values)
        #expect(form.fields.map(\.name) == ["title", "pages"])
    }

    @Test func `yes and no are those of the person's language`() throws {
        var form = try form(nil, .polish)
        let outcome = form.answer("Tak", for: 4)
        #expect(outcome == .accepted)
        #expect(form.values == ["lent": true])
    }

    @Test func `of a record that is changed, only what differs is given, with the value it had`() throws {
        var form = try form(#"{"id":"7","title":"Sea","shelf":"attic","pages":3}"#)
        let outcome8 = form.answer("Sea", for: 0)
        #expect(outcome8 == .accepted)
        let outcome9 = form.answer("", for: 0)
        #expect(outcome9 == .accepted)
        let outcome10 = form.answer("-", for: 2)
        #expect(outcome10 == .accepted)
        let outcome11 = form.answer("-", for: 0)
        #expect(outcome11 == .again("It is required."))
        let outcome12 = form.answer("-", for: 3)
        #expect(outcome12 == .accepted)
        #expect(form.values == ["pages": nil])
        #expect(form.expected == ["pages": 3])
    }

    @Test func `the ways on for an operation are those of its state, giving up last`() throws {
        func offered(_ state: String, attempts: Int = 1) throws -> [OperationDecision] {
            OperationDecision.offered(
                for: try AnswerDocument(Array(#"{"state":"\#(state)","attempts":\#(attempts)}"#.utf8)).root)
        }
        #expect(try offered("conflict") == [.resolveMine, .drop])
        #expect(
            try offered("uncertain").map(\.arguments) == [
                ["resolve", "--as", "done"], ["resolve", "--as", "again"], ["drop"],
            ])
        #expect(try offered("rejected") == [.retry, .correct, .drop])
        #expect(try offered("sending").isEmpty)
        #expect(try offered("of tomorrow").isEmpty)
    }
}
