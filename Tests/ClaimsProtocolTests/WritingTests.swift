// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

/// The errors and parameters of operations as they are on the wire.
@Suite struct WritingTests {
    private func data(_ error: RequestError, in language: String = "en") throws -> JSONValue {
        try #require(try JSONValue.parse(error.line(id: nil, in: language))["error"])
    }

    @Test func `an invalid operation is answered with all its problems, in the language of the request`() throws {
        let error = RequestError.invalid([
            FieldProblem("title", .required, TranslatedText(en: "a value is required", pl: "wartość jest wymagana")),
            FieldProblem(
                "amount", .scale, TranslatedText(en: "too many decimals", pl: "za dużo miejsc po przecinku"),
                hint: TranslatedText(en: "at most 2", pl: "co najwyżej 2")),
        ])
        let english = try data(error)
        #expect(english["code"]?.integer == 1422 && english["data"]?["kind"]?.string == "invalid")
        #expect(english["message"]?.string == "not valid: title: a value is required (and 1 more)")
        #expect(
            english["data"]?["errors"] == [
                ["field": "title", "kind": "required", "message": "a value is required"],
                ["field": "amount", "kind": "scale", "message": "too many decimals", "hint": "at most 2"],
            ])
        let polish = try data(error, in: "pl")
        #expect(polish["data"]?["errors"]?.array?.last?["hint"]?.string == "co najwyżej 2")
    }

    @Test func `a record that has changed meanwhile is told with the expected and the served values`() throws {
        let error = try data(
            .unexpected(expected: ["title": "Old", "notes": nil], served: ["title": "New", "notes": "n"]))
        #expect(error["code"]?.integer == 1409)
        #expect(error["data"]?["expected"] == ["title": "Old", "notes": nil])
        #expect(error["data"]?["served"] == ["title": "New", "notes": "n"])
    }

    @Test func `an action that a record does not allow is answered with the filter`() throws {
        let error = try data(.notAllowed("resubmit", filter: "status=rejected"))
        #expect(error["code"]?.integer == 1409 && error["data"]?["kind"]?.string == "not_allowed")
        #expect(error["data"]?["filter"]?.string == "status=rejected")
        #expect(try data(.notAllowed("burn", filter: nil))["data"]?["filter"] == nil)
    }

    @Test(arguments: OperationDecision.allCases)
    func `a decision is read back from the parameters that ask for it`(_ decision: OperationDecision) throws {
        var parameters = OutboxParameters(decision, about: ["0192f3a1"])
        if decision == .correct { parameters.fields = FieldValues(["title": "New"]) }
        #expect(parameters.decision == decision && parameters.ops?.names == ["0192f3a1"])
        #expect((parameters.resolution == nil) == (parameters.action != .resolve))
        #expect(parameters.resolution.map(\.decision) ?? decision == decision)
    }

    @Test func `what decides nothing is no decision`() {
        var parameters = OutboxParameters()
        for action in [OutboxAction.list, .get, .wait, .resolve] {
            parameters.action = action
            #expect(parameters.decision == nil)
        }
    }

    @Test func `base64 reads back what it wrote`() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ 251) }
            #expect(Base64.decode(Base64.encode(bytes).utf8) == bytes)
        }
    }

    @Test(arguments: ["A", "AA", "AAA", "AA=A", "A===", "====", "AB==", "AA\n=", "-_-_", "AAAA=", "AA==AA=="])
    func `what is no canonical base64 stands for no bytes`(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }

    @Test func `the role to write is one that admin and the daemon's own user are given by name`() {
        #expect(RoleSet.all.names == ["read", "archive", "write", "admin"])
        #expect(RoleSet([.read, .write]).names == ["read", "write"])
    }
}
