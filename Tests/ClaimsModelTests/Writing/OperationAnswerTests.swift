// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct OperationAnswerTests {
    @Test(arguments: [
        (#"{"title":"Bad","detail":"The amount is too high."}"#, "The amount is too high."),
        (#"{"error":{"code":7,"message":"no such type"}}"#, "no such type"),
        (#"{"errors":[{"field":"a","message":"one"},{"message":"two"}]}"#, "one; two"),
        (#"{"error":"invalid_grant","error_description":"it is over"}"#, "it is over"),
        (#"["a","b"]"#, "a; b"), (#""no""#, "no"), (#"{"code":7}"#, nil), (#"{"detail":"cut o"#, nil),
        ("  the amount\n is\ttoo high\u{1B}[31m ", "the amount is too high [31m"), ("", nil), (" \n", nil),
        ("<html><body>no</body></html>", nil),
    ])
    func `the words for people are found in what upstreams answer`(body: String, words: String?) {
        #expect(OperationAnswer(status: 422, body: body).words == words)
    }

    @Test func `words are bounded`() throws {
        let words = try #require(OperationAnswer(status: 422, body: String(repeating: "ą", count: 3000)).words)
        #expect(words.count == 201 && words.hasSuffix("ą…"))
    }

    @Test func `words belong to a state that came from the answer`() {
        var operation = Operation(OperationID(time: 1, random: (0, 0)), .update, on: "7", of: "books")
        operation.delivery.answer = OperationAnswer(status: 422, body: "no")
        operation.delivery.log = [OperationAttempt(number: 1, at: 1, method: "PUT", url: "x", status: 422)]
        #expect(operation.upstreamWords == nil)
        #expect(operation.with(.rejected, message: Message(.httpStatus, "422")).upstreamWords == "no")
        #expect(operation.with(.conflict, message: Message(.writeOverChanged, "title")).upstreamWords == nil)
        operation.delivery.log.append(OperationAttempt(number: 2, at: 2, method: "PUT", url: "x"))
        #expect(operation.with(.rejected, message: Message(.httpStatus, "422")).upstreamWords == nil)
    }
}
