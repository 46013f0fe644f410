// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// Attempts over real sockets, decided by the table, at an upstream with random faults: whatever is lost on the way,
/// nothing is done twice, and what counts as accepted has been done.
@Suite struct DeliveryTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess()
        try upstream.keep("books", "[]")
    }

    /// An operation and the rules that its requests obey.
    private struct Delivery {
        var operation: Operation
        let rules: SendingRules
        private(set) var attempts: Int64 = 0
        private var now: Int64 = 1_000_000

        private static let maxAttempts = 60

        init(_ operation: Operation, _ rules: SendingRules) {
            (self.operation, self.rules) = (operation, rules)
        }

        /// Makes attempts until the table wants no more; the time passes by itself.
        mutating func run() {
            while operation.state == .queued, attempts < Self.maxAttempts {
                attempts += 1
                let table = OutcomeTable(rules, now: now, random: UInt64(attempts) &* 0x9E37_79B9_7F4A_7C15)
                operation = table.begin(operation, attempt: attempts)
                guard operation.state == .sending else { return }
                operation = table.end(operation, send(), of: .record).operation
                now = max(now + 1, operation.delivery.nextTry ?? now)
            }
        }

        private func send() -> AttemptEnd {
            var headers = [(name: "Content-Type", value: "application/json")]
            if rules.keyLife != nil { headers.append(("Idempotency-Key", operation.key(.record))) }
            let body = Array(#"{"title":"\#(operation.id.text)"}"#.utf8)
            let request = HTTPWriteRequest(
                rules.method, url: rules.url, headers: headers,
                body: rules.method == .delete ? .none : .content(.bytes(body)))
            switch HTTPWriter().send(request) {
            case .unsent: return .unsent(Message(.writeInterrupted))
            case .unanswered: return .unanswered(Message(.writeInterrupted))
            case .answered(let answer):
                let id = (try? JSONValue.parse(answer.body))?["id"]?.string
                return .answered(
                    AttemptAnswer(
                        answer.status, retryAfter: answer.retryAfter, id: id.map(AnsweredID.given) ?? .none))
            }
        }
    }

    /// Steps of the upstream: most fail before or after the write is done.
    private static let steps = [
        #""fault":"close""#, #""fault":"close","commit":1"#, #""fault":"close","read":0"#, #""fault":"reset""#,
        #""fault":"reset","commit":1"#, #""fault":"reset","read":3"#, #""fault":"close_mid_headers""#,
        #""fault":"close_mid_body""#, #""fault":"length_long""#, #""fault":"chunked_cut""#, #""fault":"not_http""#,
        #""fault":"status","status":500"#, #""fault":"status","status":502,"commit":1"#,
        #""fault":"status","status":503"#, #""fault":"status","status":503,"commit":1"#,
        #""fault":"status","status":503,"headers":{"Retry-After":"30"}"#,
        #""fault":"status","status":429,"headers":{"Retry-After":"7"}"#, #""fault":"status","status":425"#,
        #""fault":"status","status":408"#, #""fault":"status","status":408,"commit":1"#,
        #""fault":"status","status":401"#, #""fault":"chunked""#,
    ]
    /// Answers after which the table wants no further attempt.
    private static let ends = [
        #""fault":"status","status":400"#, #""fault":"status","status":403"#, #""fault":"status","status":409"#,
        #""fault":"redirect""#, #""fault":"no_content""#, #""fault":"empty""#, #""json":{"ok":true}"#,
    ]

    /// Random steps, and the words for them in a failed expectation.
    private func misbehave(_ generator: inout SeededGenerator, _ path: String) throws -> Comment {
        var steps = (0..<Int.random(in: 0...4, using: &generator)).map { _ in generator.pick(Self.steps) }
        if generator.oneIn(4) { steps.append(generator.pick(Self.ends)) }
        let text = "[\(steps.map { "{\($0)}" }.joined(separator: ","))]"
        try upstream.misbehave(path, text)
        return "\(text)"
    }

    @Test(arguments: [true, false])
    func `a create is done once at most, and done if it is accepted`(hasKeys: Bool) throws {
        var generator = SeededGenerator(seed: hasKeys ? 1 : 2)
        var accepted = 0
        for number in 1...Int64(RandomRounds.count(120)) {
            let told = try misbehave(&generator, "books")
            var delivery = Delivery(
                operation(number, .create),
                SendingRules(
                    method: .post, url: upstream.url("books"), keyLife: hasKeys ? 86_400_000 : nil, needsID: true))
            delivery.run()
            let end = delivery.operation
            let title = JSONValue.string(end.id.text)
            let writes = try upstream.writes("books").filter { write in write.fields["title"] == title }
            #expect(writes.count <= 1, told)
            #expect(end.state != .queued && end.state != .sending, told)
            switch end.state {
            case .accepted:
                accepted += 1
                #expect(writes.map(\.id) == [end.delivery.givenID], told)
            // A person is told that it was not done, unless an answer had been lost before.
            case .rejected, .held, .conflict: #expect(writes.isEmpty || end.delivery.isAnswerMissing, told)
            default: #expect(end.state == .uncertain, told)
            }
            try upstream.behave()
        }
        #expect(accepted > 10)
    }

    @Test(arguments: [HTTPMethod.put, .delete])
    func `what may be repeated is repeated until it is done`(method: HTTPMethod) throws {
        var generator = SeededGenerator(seed: method == .put ? 3 : 4)
        for number in 1...Int64(RandomRounds.count(60)) {
            try upstream.put("books/7", #"{"id":"7","title":"before"}"#)
            let steps = (0..<4).map { _ in "{\(generator.pick(Self.steps))}" }.joined(separator: ",")
            try upstream.misbehave("books/7", "[\(steps)]")
            let action: OperationAction = method == .put ? .update : .delete
            var delivery = Delivery(
                operation(number, action), SendingRules(method: method, url: upstream.url("books/7")))
            delivery.run()
            #expect(delivery.operation.state == .accepted, "\(steps)")
            let record = try upstream.records("books").first { record in record["id"] == "7" }
            #expect(record?["title"]?.string == (method == .put ? delivery.operation.id.text : nil), "\(steps)")
            try upstream.behave()
        }
    }
}
