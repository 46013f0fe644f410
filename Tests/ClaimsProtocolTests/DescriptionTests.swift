// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

@Suite struct DescriptionTests {
    private func description(of method: Method) throws -> JSONValue {
        var writer = JSONWriter()
        method.description.write(to: &writer, collection: "things")
        return try JSONValue.parse(writer.bytes)
    }

    @Test(arguments: Method.allCases)
    func `each method has a schema of exactly its parameters`(method: Method) throws {
        let description = try description(of: method)
        #expect(description["name"]?.string == method.name)
        let properties = try #require(description["params"]?["properties"]?.object)
        #expect(properties.members.map(\.key) == method.description.parameters.map(\.name))
        for member in properties.members {
            #expect(member.value["description"]?.string?.isEmpty == false)
            #expect(member.value["type"] != nil || member.value["enum"] != nil)
        }
        #expect(description["params"]?["additionalProperties"] == .bool(false))
    }

    @Test(arguments: Method.allCases) func `each member of a result has a meaning`(method: Method) {
        #expect(method.description.result.filter(\.summary.isEmpty).map(\.name) == [])
    }

    @Test(arguments: Method.allCases)
    func `each method can be asked to answer in a language`(method: Method) throws {
        #expect(try description(of: method)["params"]?["properties"]?["lang"]?["type"]?.string == "string")
    }

    @Test(arguments: Method.allCases) func `each method is summed up in English and in Polish`(method: Method) throws {
        #expect(!method.description.summary.english.isEmpty && !method.description.summary.polish.isEmpty)
        var writer = JSONWriter()
        method.description.write(to: &writer, collection: "things", language: "pl")
        #expect(try JSONValue.parse(writer.bytes)["summary"]?.string == method.description.summary.text("pl"))
    }

    @Test func `the methods are described in their order`() {
        #expect(MethodTable.descriptions.map(\.method) == Method.allCases)
        #expect(Set(Method.allCases.map(\.name)).count == Method.allCases.count)
    }

    @Test(arguments: Method.allCases)
    func `each method has a schema of its result, all the way down`(method: Method) throws {
        let schema = try #require(try description(of: method)["result"])
        try check(schema, of: method.description.result)
    }

    private func check(_ schema: JSONValue, of members: [MemberDescription]) throws {
        #expect(schema["type"]?.string == "object")
        #expect(schema["properties"]?.object?.members.map(\.key) ?? [] == members.map(\.name))
        #expect(schema["required"]?.array?.map(\.string) ?? [] == members.filter(\.isRequired).map(\.name))
        for member in members {
            let own = try #require(schema["properties"]?[member.name])
            if case .object(let kind) = member.shape { try check(own, of: kind.memberList) }
            if case .array(.object(let kind)) = member.shape {
                try check(try #require(own["items"]), of: kind.memberList)
            }
        }
    }

    @Test func `the schema of a timeout has the setting that bounds it`() throws {
        var writer = JSONWriter()
        let bounds = RequestBounds(requestTime: 60_000, filter: 4096)
        Method.count.description.write(to: &writer, collection: "things", bounds: bounds)
        let schema = try JSONValue.parse(writer.bytes)["params"]?["properties"]?["timeout_ms"]
        #expect(schema?["maximum"]?.integer == 60_000)
    }

    @Test func `the schema of a parameter tells its default`() throws {
        let archived = try description(of: .search)["params"]?["properties"]?["archived"]
        #expect(archived?["default"]?.string == "exclude")
    }

    @Test(arguments: Method.allCases)
    func `the example of each method is a request that its own reader takes`(method: Method) throws {
        let example = try #require(try description(of: method)["example"])
        let bytes = example.compactBytes
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: 64, as: .document)
        let envelope = try RequestEnvelope(tape, bytes.rawSpan)
        #expect(envelope.method == method)
        try method.description.check(Arguments(tape, bytes.rawSpan, object: envelope.params, method: method))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("EXAMPLE"))
    }

    @Test func `the kinds of errors have the codes they always had`() {
        let codes = Dictionary(uniqueKeysWithValues: ErrorKind.allCases.map { ($0.rawValue, $0.code) })
        #expect(
            codes == [
                "parse_error": -32700, "invalid_request": -32600, "unknown_method": -32601, "bad_params": -32602,
                "internal": -32603, "bad_filter": 1400, "bad_sort": 1400, "bad_cursor": 1400, "forbidden": 1403,
                "not_found": 1404, "unknown_collection": 1404, "timeout": 1408, "conflict": 1409,
                "not_archivable": 1409, "not_allowed": 1409, "too_large": 1413, "invalid": 1422, "not_fresh": 1425,
                "busy": 1429, "outbox_full": 1429, "cancelled": 1499, "upstream_failed": 1502, "no_data": 1503,
                "storage_full": 1507,
            ])
    }

    @Test func `an error carries its data in the order that people read`() throws {
        let error = RequestError(
            .badFilter, TranslatedText(en: "unknown field 'statsu'", pl: "nieznane pole „statsu”"), position: 0,
            length: 6,
            hint: Suggestion.question("status"), details: [RequestError.detail("role", "x\"y")])
        let polish = String(decoding: error.line(id: nil, in: "pl_PL"), as: UTF8.self)
        #expect(polish.contains(#""message":"nieznane pole „statsu”""#))
        #expect(polish.contains(#""hint":"czy chodziło o „status”?""#))
        #expect(
            String(decoding: error.line(id: Array("7".utf8), in: "en"), as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":7,"error":{"code":1400,"message":"unknown field 'statsu'","data":{"#
                + #""kind":"bad_filter","position":0,"length":6,"hint":"did you mean 'status'?","role":"x\"y"}}}"#
                + "\n")
    }
}
