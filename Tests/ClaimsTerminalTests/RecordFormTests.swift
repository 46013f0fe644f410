// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Testing

@testable import ClaimsTerminal

/// The one model of a form: what was entered in its fields, what that is read as, and what is wrong with it.
struct RecordFormTests {
    private static let described = """
        {"name":"books","singular":"book","fields":[{"name":"title","type":"text"},{"name":"tags","type":"json"},
          {"name":"lent","type":"bool"},{"name":"due","type":"instant"},{"name":"shelf","type":"enum","vocabulary":"s"}],
         "vocabularies":{"s":{"codes":[{"code":"attic","label":"The attic"},{"code":"cellar","label":"Cellar"}]}},
         "writes":{"to":"local","actions":[{"name":"update","role":"write","granted":true,
          "fields":{"type":"object","required":["title"],"properties":{"title":{},"tags":{},"lent":{},"due":{},
           "shelf":{"enum":["attic","cellar",null]}}}}]}}
        """

    private func form(_ record: String? = nil, choosesBools: Bool = true) throws -> RecordForm {
        let description = try Example.collection(Self.described)
        let action = try #require(description.writes?.action("update"))
        let time = LocalTime(zone: .utc, now: Example.now, messages: .english)
        var form = RecordForm(action.fields, of: description, choosesBools: choosesBools, time)
        form.fill(try record.map(Example.value))
        return form
    }

    private static let record =
        #"{"title":"Sea","tags":"a \"b\"","due":"2036-01-31T14:30:00.000Z","shelf":"garage"}"#

    @Test func `a form that nobody touched gives nothing, whatever the record has`() throws {
        let form = try form(Self.record)
        #expect(form.values(.entered).isEmpty && form.values(.changed).isEmpty && !form.isChanged)
        #expect(form.firstMistake == nil)
        // A code that cannot be given any more is none of the choices.
        #expect(form.fields[4].isBlank && form.fields[4].label == nil)
        #expect(form.originals["shelf"] == "garage" && form.originals["lent"] == .null)
    }

    @Test func `a text within JSON stands in the form with its quotes, so that it is read as JSON again`() throws {
        var form = try form(Self.record)
        #expect(form.fields[1].text == #""a \"b\"""#)
        form.edit(1) { $0.enter(text: $0.text) }
        #expect(form.firstMistake == nil && !form.isChanged)
        form.edit(1) { $0.enter(text: "a b") }
        #expect(form.firstMistake == 1)
        let problem = try #require(form.fields[1].localProblem())
        #expect(problem.field == "tags" && problem.message.hasPrefix("not JSON: ") && problem.hint != nil)
        // A text that is no JSON is no value.
        #expect(form.fields[1].value == nil && form.values(.changed).isEmpty)
    }

    @Test func `only what differs from the record is a change, and it expects the value that the record had`() throws {
        var form = try form(Self.record)
        form.edit(0) { $0.enter(text: "Sea") }
        form.edit(3) { $0.enter(text: "2036-02-01") }
        let isNamed = form.edit(4) { $0.answer("2") }
        #expect(isNamed)
        #expect(form.values(.entered).members.map(\.key) == ["title", "due", "shelf"])
        #expect(form.values(.changed) == ["due": "2036-02-01T00:00:00.000Z", "shelf": "cellar"])
        #expect(form.replacedValues == ["due": "2036-01-31T14:30:00.000Z", "shelf": "garage"])
        let isUnknown = form.edit(4) { $0.answer("garage") }
        #expect(!isUnknown && form.fields[4].value == "cellar")
        form.edit(3) { $0.enter(text: "soon") }
        #expect(form.firstMistake == 3 && form.fields[3].value == "soon")
    }

    @Test func `yes and no are choices, or are typed`() throws {
        var chosen = try form()
        let isChosen = chosen.edit(2) { $0.answer("1") }
        #expect(isChosen && chosen.values(.present) == ["lent": true])
        var typed = try form(choosesBools: false)
        let isTyped = typed.edit(2) { $0.answer("no") }
        #expect(isTyped && typed.values(.present) == ["lent": false])
    }

    @Test func `a record that has changed meanwhile fills what was not changed here, and else both are shown`() throws {
        var form = try form(Self.record)
        form.edit(0) { $0.enter(text: "Mine") }
        form.adopt(try Example.value(#"{"title":"Theirs","lent":true,"other":1}"#))
        #expect(form.fields[0].text == "Mine" && form.fields[0].served == "Theirs")
        #expect(form.fields[2].value == true && form.fields[2].served == nil)
        #expect(form.replacedValues == ["title": "Theirs"])
    }

    @Test func `problems go under their fields, and those of no field are handed back`() throws {
        var form = try form()
        let problems = ["title", "due", "files"].map { FieldProblemText(field: $0, kind: "rule", message: "no \($0)") }
        let rest = form.show(problems) { $0 != 3 }
        #expect(rest.map(\.field) == ["files"])
        #expect(form.fields.map(\.problems.count) == [1, 0, 0, 0, 0])
        #expect(form.indices(with: problems) == [0, 3])
        // The problems were those of the value before.
        form.edit(0) { $0.enter(text: "x") }
        #expect(form.fields[0].problems.isEmpty)
    }
}
