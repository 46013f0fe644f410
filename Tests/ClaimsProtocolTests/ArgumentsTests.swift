// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

/// Parameters of every shape are read as their types say, and refused with what was expected.
@Suite struct ArgumentsTests {
    /// The parameters that `read` makes of `params`.
    private func reading<Value>(
        _ params: String, of method: Method = .search, bounds: RequestBounds = .standard,
        _ read: (borrowing Arguments) throws(RequestError) -> Value
    ) throws -> Result<Value, RequestError> {
        let bytes = Array(params.utf8)
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: 64, as: .document)
        do throws(RequestError) {
            return .success(
                try read(try Arguments(tape, bytes.rawSpan, object: 0, method: method, bounds: bounds)))
        } catch {
            return .failure(error)
        }
    }

    private func search(
        _ params: String, bounds: RequestBounds = .standard
    ) throws -> Result<SearchParameters, RequestError> {
        try reading(params, bounds: bounds) { arguments throws(RequestError) in try SearchParameters(arguments) }
    }

    private func failure<Value>(_ result: Result<Value, RequestError>) -> RequestError? {
        if case .failure(let error) = result { return error }
        return nil
    }

    @Test func `an unknown parameter is named with the nearest known one`() throws {
        let error = failure(try search(#"{"fliter":"a"}"#))
        #expect(error?.kind == .badParams)
        #expect(error?.message == "unknown parameter 'fliter' of search")
        #expect(error?.hint == "did you mean 'filter'?")
    }

    @Test func `null is as good as absent`() throws {
        #expect(try search(#"{"limit":null,"archived":null}"#).get() == SearchParameters())
    }

    @Test(arguments: ["0", "1001", "-1", "\"5\"", "1.0", "true", "99999999999999999999"])
    func `a limit out of bounds is refused`(limit: String) throws {
        let error = failure(try search("{\"limit\":\(limit)}"))
        #expect(error?.kind == .badParams)
        #expect(error?.message.contains("from 1 to 1000") == true)
    }

    @Test func `a list may be an array or a string with commas`() throws {
        for list in [#"["a","b"]"#, #""a,b""#] {
            #expect(try search("{\"fields\":\(list)}").get().page.fields == ["a", "b"])
        }
    }

    @Test func `ids keep their commas and every digit`() throws {
        let parameters = try reading(
            #"{"collection":"books","ids":["a,b",1234567890123456789012345]}"#, of: .archive
        ) { arguments throws(RequestError) in try ArchiveParameters(arguments) }
        #expect(try parameters.get().ids == ["a,b", "1234567890123456789012345"])
    }

    @Test(arguments: [#""7""#, "7", #""\u0037""#]) func `an id is text, whatever it comes as`(id: String) throws {
        let parameters = try reading(#"{"collection":"books","id":\#(id)}"#, of: .detail) {
            arguments throws(RequestError) in try DetailParameters(arguments)
        }
        #expect(try parameters.get().id == "7")
    }

    @Test func `of a parameter that is there twice the last counts`() throws {
        #expect(try search(#"{"lang":"en","lang":"pl"}"#).get().selection.language == "pl")
    }

    @Test func `a word that is none of the choices is refused with the choices`() throws {
        let error = failure(try search(#"{"archived":"all"}"#))
        #expect(error?.message == "parameter 'archived': expected one of exclude, only, include, not 'all'")
    }

    @Test func `a required parameter that is missing is named`() throws {
        let error = failure(
            try reading(#"{"collection":"books"}"#, of: .detail) { arguments throws(RequestError) in
                try DetailParameters(arguments)
            })
        #expect(error?.message == "parameter 'id' of detail is missing")
        #expect(error?.details.first?.json == Array(#""id""#.utf8))
    }

    @Test func `a query may take as long as the setting allows, and no longer`() throws {
        var limits = ServingLimits()
        limits.request = .seconds(60)
        let minute = RequestBounds(limits)
        #expect(try search(#"{"timeout_ms":60000}"#, bounds: minute).get().selection.timeout == 60_000)
        let error = failure(try search(#"{"timeout_ms":60001}"#, bounds: minute))
        #expect(error?.kind == .badParams)
        #expect(error?.message == "parameter 'timeout_ms': expected an integer from 1 to 60000, not 60001")
        #expect(error?.hint == "the setting limits.request bounds it")
        #expect(failure(try search(#"{"timeout_ms":20000}"#)) != nil)
    }

    @Test func `a filter that is far too long is refused before a tree is made of it`() throws {
        let list = String(repeating: "1,", count: 500)
        let error = failure(
            try search(#"{"filter":["and",\#(list)1]}"#, bounds: RequestBounds(requestTime: 10_000, filter: 16)))
        #expect(error?.kind == .badFilter)
        #expect(error?.hint == "a filter has at most 16 bytes")
    }

    @Test(arguments: ["[2,1]", "[1]", "\"1\"", "[1,\"2\"]", "{}"])
    func `versions are two integers in their order`(versions: String) throws {
        let error = failure(
            try reading(#"{"protocol":\#(versions)}"#, of: .hello) { arguments throws(RequestError) in
                try HelloParameters(arguments)
            })
        #expect(error?.message.contains("two integers, the lowest and the highest version") == true)
    }

    @Test func `what a client writes is what the server reads`() throws {
        var parameters = SearchParameters()
        parameters.collection = "books"
        parameters.selection.filter = "shelf=\"attic\""
        parameters.selection.archived = .only
        parameters.selection.timeout = 500
        parameters.sort = ["-pages", "title"]
        parameters.page.limit = 3
        parameters.page.fields = ["id"]
        parameters.page.isGrouped = true
        var writer = JSONWriter()
        writer.beginObject()
        parameters.write(to: &writer)
        writer.endObject()
        #expect(try search(String(decoding: writer.bytes, as: UTF8.self)).get() == parameters)
    }

    @Test func `what a request need not say is not written`() {
        var writer = JSONWriter()
        writer.beginObject()
        SearchParameters().write(to: &writer)
        writer.endObject()
        #expect(writer.bytes == Array("{}".utf8))
    }
}
