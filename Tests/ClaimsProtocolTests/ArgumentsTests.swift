// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import Testing

@Suite struct ArgumentsTests {
    private func withArguments<Value>(
        _ params: String, of method: Method = .search, _ body: (borrowing Arguments) throws(RequestError) -> Value
    ) throws -> Result<Value, RequestError> {
        let bytes = Array(params.utf8)
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: 64, as: .document)
        do throws(RequestError) {
            return .success(try body(try Arguments(tape, bytes.rawSpan, object: 0, method: method)))
        } catch {
            return .failure(error)
        }
    }

    private func failure<Value>(_ result: Result<Value, RequestError>) -> RequestError? {
        if case .failure(let error) = result { return error }
        return nil
    }

    @Test func `an unknown parameter is named with the nearest known one`() throws {
        let error = failure(try withArguments(#"{"fliter":"a"}"#) { arguments throws(RequestError) in 0 })
        #expect(error?.kind == .badParams)
        #expect(error?.message == "unknown parameter 'fliter' of search")
        #expect(error?.hint == "did you mean 'filter'?")
    }

    @Test func `null is as good as absent`() throws {
        let value = try withArguments(#"{"limit":null}"#) { arguments throws(RequestError) in
            try arguments.integer(.limit)
        }
        #expect(try value.get() == nil)
    }

    @Test(arguments: ["0", "1001", "-1", "\"5\"", "1.0", "true", "99999999999999999999"])
    func `a limit out of bounds is refused`(limit: String) throws {
        let result = try withArguments("{\"limit\":\(limit)}") { arguments throws(RequestError) in
            try arguments.integer(.limit)
        }
        #expect(failure(result)?.kind == .badParams)
        #expect(failure(result)?.message.contains("from 1 to 1000") == true)
    }

    @Test func `a list may be an array or a string with commas`() throws {
        for list in [#"["a","b"]"#, #""a,b""#] {
            let result = try withArguments("{\"fields\":\(list)}") { arguments throws(RequestError) in
                try arguments.strings(.fields)
            }
            #expect(try result.get() == ["a", "b"])
        }
    }

    @Test func `ids keep their commas and every digit`() throws {
        let result = try withArguments(#"{"ids":["a,b",1234567890123456789012345]}"#, of: .archive) {
            arguments throws(RequestError) in try arguments.identifiers(.ids)
        }
        #expect(try result.get() == ["a,b", "1234567890123456789012345"])
    }

    @Test func `of a parameter that is there twice the last counts`() throws {
        let result = try withArguments(#"{"lang":"en","lang":"pl"}"#) { arguments throws(RequestError) in
            try arguments.string(.language)
        }
        #expect(try result.get() == "pl")
    }

    @Test func `a word that is none of the choices is refused with the choices`() throws {
        let result = try withArguments(#"{"archived":"all"}"#) { arguments throws(RequestError) in
            try arguments.word(.archived)
        }
        #expect(failure(result)?.message == "parameter 'archived': expected one of exclude, only, include, not 'all'")
    }
}
