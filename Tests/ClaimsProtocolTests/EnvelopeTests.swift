// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

@Suite struct EnvelopeTests {
    /// The envelope of a line, or the error it is answered with and the id that goes with it.
    private func read(_ line: String) throws -> Result<Method, Refusal> {
        let bytes = Array(line.utf8)
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: 64, as: .document)
        do {
            return .success(try RequestEnvelope(tape, bytes.rawSpan).method)
        } catch {
            return .failure(Refusal(kind: error.error.kind, hint: error.error.hint, hasID: error.id != nil))
        }
    }

    struct Refusal: Error, Equatable {
        var kind: ErrorKind
        var hint: String?
        var hasID: Bool
    }

    private func refusal(_ line: String) throws -> Refusal? {
        guard case .failure(let refusal) = try read(line) else { return nil }
        return refusal
    }

    @Test func `a request is known by its method, with or without jsonrpc`() throws {
        #expect(try read(#"{"id":1,"method":"ping"}"#).get() == .ping)
        #expect(try read(#"{"jsonrpc":"2.0","params":{},"method":"search","id":"a"}"#).get() == .search)
    }

    @Test(arguments: Method.allCases) func `each method is found by its name`(method: Method) throws {
        #expect(try read(#"{"id":1,"method":"\#(method.name)"}"#).get() == method)
        #expect(method.description.method == method)
    }

    @Test func `a batch is told to be sent as lines`() throws {
        let refusal = try #require(try refusal(#"[{"id":1,"method":"ping"}]"#))
        #expect(refusal.kind == .invalidRequest && refusal.hint?.contains("one a line") == true && !refusal.hasID)
    }

    @Test func `a notification is told to bring an id`() throws {
        #expect(try refusal(#"{"method":"ping"}"#)?.kind == .invalidRequest)
    }

    @Test(arguments: [
        #"{"id":null,"method":"ping"}"#, #"{"id":1.5,"method":"ping"}"#, #"{"id":[1],"method":"ping"}"#,
        #"{"id":true,"method":"ping"}"#, #"{"id":1e3,"method":"ping"}"#,
        "{\"id\":\"" + String(repeating: "x", count: 65) + "\",\"method\":\"ping\"}",
    ]) func `an id that cannot be echoed is refused`(line: String) throws {
        #expect(try refusal(line)?.kind == .invalidRequest)
        #expect(try refusal(line)?.hasID == false)
    }

    @Test func `an id of 64 bytes is the longest`() throws {
        let id = String(repeating: "x", count: 64)
        #expect(try read(#"{"id":"\#(id)","method":"ping"}"#).get() == .ping)
    }

    @Test func `an id is measured without its escapes`() throws {
        let escaped = String(repeating: #"\u00e9"#, count: 32)
        #expect(try read(#"{"id":"\#(escaped)","method":"ping"}"#).get() == .ping)
        #expect(try refusal(#"{"id":"\#(escaped)x","method":"ping"}"#)?.kind == .invalidRequest)
    }

    @Test func `an unknown method is answered under its id with the nearest name`() throws {
        let refusal = try #require(try refusal(#"{"id":7,"method":"serach"}"#))
        #expect(refusal == Refusal(kind: .unknownMethod, hint: "did you mean 'search'?", hasID: true))
    }

    @Test(arguments: [
        #"{"id":1,"method":"ping","params":[]}"#, #"{"id":1,"method":"ping","extra":1}"#,
        #"{"id":1,"jsonrpc":"1.0","method":"ping"}"#, #"{"id":1,"method":5}"#, #"{"id":1}"#,
    ]) func `what is no request is answered under its id`(line: String) throws {
        let refusal = try #require(try refusal(line))
        #expect(refusal.kind == .invalidRequest && refusal.hasID)
    }
}
