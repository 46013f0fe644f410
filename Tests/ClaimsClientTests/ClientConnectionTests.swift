// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Synchronization
import Testing

struct ClientConnectionTests {
    /// Answers with the parameters as the result, and the total that a result of a search has.
    private func echo() throws -> ScriptedDaemon {
        try ScriptedDaemon {
            .lines([$0.result("{\"total\":0,\(String(decoding: $0.params.compactBytes, as: UTF8.self).dropFirst())")])
        }
    }

    @Test func `a request carries its parameters and the answer its result`() throws {
        let daemon = try echo()
        let connection = try ClientConnection(path: daemon.path)
        var parameters = SearchParameters()
        parameters.selection.filter = "a=\"b\"\n"
        parameters.page.limit = 3
        let answer = try connection.call(.search, parameters)
        #expect(answer["filter"]?.string == "a=\"b\"\n")
        #expect(answer["limit"]?.integer == 3)
        #expect(daemon.requests.map(\.method) == ["search"])
    }

    @Test func `answers are told apart by their ids, whatever their order`() throws {
        let first = RequestHolder()
        let daemon = try ScriptedDaemon { request in
            guard let earlier = first.swap(request) else { return .lines([]) }
            return .lines([request.result(#"{"n":"second"}"#), earlier.result(#"{"n":"first"}"#)])
        }
        let connection = try ClientConnection(path: daemon.path)
        let one = connection.request(.ping, PingParameters())
        let two = connection.request(.ping, PingParameters())
        #expect(try connection.answer(to: one)["n"]?.string == "first")
        #expect(try connection.answer(to: two)["n"]?.string == "second")
    }

    @Test func `an error answer is thrown with all it says`() throws {
        let daemon = try ScriptedDaemon {
            .lines([$0.error("bad_filter", "unknown field", data: #","position":2,"length":3,"hint":"try","x":[1]"#)])
        }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.search, SearchParameters()) }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.kind == "bad_filter")
        #expect(refusal.message == "unknown field")
        #expect(refusal.position == 2)
        #expect(refusal.length == 3)
        #expect(refusal.hint == "try")
        #expect(refusal.data?["x"]?.elements.count == 1)
    }

    @Test func `an error without an id ends every request`() throws {
        let daemon = try ScriptedDaemon { _ in
            .lines([#"{"id":null,"error":{"code":1429,"message":"busy","data":{"kind":"busy","retry_after_ms":50}}}"#])
        }
        let connection = try ClientConnection(path: daemon.path)
        let one = connection.request(.ping, PingParameters())
        let two = connection.request(.ping, PingParameters())
        for id in [one, two] {
            let error = #expect(throws: ClientError.self) { try connection.answer(to: id) }
            guard case .refused(let refusal)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal.kind == "busy")
            #expect(refusal.retryAfter == 50)
        }
    }

    @Test func `notifications are handed over and are no answer`() throws {
        let daemon = try ScriptedDaemon {
            .lines([#"{"method":"records","params":{"request":1,"records":[{"id":"7"}]}}"#, $0.result(#"{"total":1}"#)])
        }
        let connection = try ClientConnection(path: daemon.path)
        var ids: [String] = []
        _ = try connection.answer(
            to: connection.request(.search, SearchParameters()),
            onNotification: { notification in
                ids += notification["params"]?["records"]?.elements.compactMap { $0["id"]?.string } ?? []
            })
        #expect(ids == ["7"])
    }

    @Test func `a line may come in pieces and be far larger than the buffer`() throws {
        let text = String(repeating: "x", count: 3_000_000)
        let daemon = try ScriptedDaemon { .lines([$0.result(#"{"n":"\#(text)"}"#)]) }
        let connection = try ClientConnection(path: daemon.path)
        #expect(try connection.call(.ping, PingParameters())["n"]?.string == text)
        #expect(try connection.call(.ping, PingParameters())["n"]?.string?.utf8.count == 3_000_000)
    }

    @Test func `more can be sent than the daemon takes before it is read`() throws {
        let daemon = try echo()
        let connection = try ClientConnection(path: daemon.path)
        let text = String(repeating: "y", count: 100_000)
        var parameters = HelloParameters()
        parameters.client = text
        let ids = (0..<40).map { _ in connection.request(.hello, parameters) }
        for id in ids { #expect(try connection.answer(to: id)["client"]?.string?.utf8.count == 100_000) }
    }

    @Test func `a purpose is told once before the first request, and on each new connection`() throws {
        let daemon = try ScriptedDaemon { request in .lines([request.result(request.line)]) }
        for _ in 0..<2 {
            let connection = try ClientConnection(path: daemon.path)
            connection.purpose = Purpose("audit")
            #expect(try connection.call(.ping, PingParameters())["method"]?.string == "ping")
            #expect(try connection.call(.ping, PingParameters())["id"]?.integer == 2)
        }
        #expect(daemon.parameters(of: "hello") == [#"{"purpose":"audit"}"#, #"{"purpose":"audit"}"#])
        #expect(daemon.parameters(of: "ping").count == 4)
    }

    @Test func `a purpose that the daemon refuses fails the requests`() throws {
        let daemon = try ScriptedDaemon { request in
            .lines([request.method == "hello" ? request.error("bad_params", "no purpose") : request.result("{}")])
        }
        let connection = try ClientConnection(path: daemon.path)
        connection.purpose = Purpose("audit")
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        guard case .refused(let refusal)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.message == "no purpose")
    }

    @Test func `a daemon that closes is an error, not an answer`() throws {
        let daemon = try ScriptedDaemon { _ in .lastBytes(Array(#"{"id":1,"result":"#.utf8)) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        guard case .closed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["nonsense", "{}", #"{"id":1}"#, "[]"])
    func `what is no answer is malformed`(line: String) throws {
        let daemon = try ScriptedDaemon { _ in .lines([line]) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a line without an end is given up once it is longer than any answer`() throws {
        let daemon = try ScriptedDaemon { _ in
            .lastBytes([UInt8](repeating: UInt8(ascii: "x"), count: ClientConnection.maxLine + (1 << 20)))
        }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        #expect(malformed(error) == "the daemon's answer is longer than 16 MiB")
    }

    @Test(.timeLimit(.minutes(1))) func `what belongs to no request does not prolong the time for its answer`() throws {
        let heartbeat = #"{"method":"event","params":{"subscription":1,"type":"heartbeat","clock":"e.1-x"}}"#
        for line in [heartbeat, #"{"id":999,"result":{}}"#] {
            let daemon = try ScriptedDaemon { _ in .endless([line]) }
            let connection = try ClientConnection(path: daemon.path, timeout: .milliseconds(30))
            let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
            guard case .timedOut(.milliseconds(30))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["\n", "\r\n \n", "x"])
    func `bytes that are no line do not prolong the time for an answer`(bytes: String) throws {
        let daemon = try ScriptedDaemon { _ in .endlessBytes(Array(bytes.utf8)) }
        let connection = try ClientConnection(path: daemon.path, timeout: .milliseconds(30))
        let error = #expect(throws: ClientError.self) {
            try connection.answer(to: connection.request(.ping, PingParameters()), whileWaiting: {})
        }
        guard case .timedOut(.milliseconds(30))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(.timeLimit(.minutes(1))) func `parts of an answer prolong the time for it only where that is wanted`() throws
    {
        let part = #"{"method":"records","params":{"request":1,"records":[]}}"#
        let daemon = try ScriptedDaemon { _ in .endless([part]) }
        let connection = try ClientConnection(path: daemon.path, timeout: .milliseconds(30))
        connection.isProlongedByParts = false
        let error = #expect(throws: ClientError.self) { try connection.call(.search, SearchParameters()) }
        guard case .timedOut(.milliseconds(30))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        (#"{"total":"4"}"#, "/result/total"), (#"{"total":4.0}"#, "/result/total"),
        (#"{"total":9007199254740993}"#, "/result/total"), (#"{"totals":{"a":1,"b":[]}}"#, "/result/totals/*"),
        (#"{"meta":{"collections":[{"age_ms":true}]}}"#, "/result/meta/collections/0/age_ms"),
        (#"{"meta":[]}"#, "/result/meta"), ("7", "/result"),
    ])
    func `a member of another type than the protocol says is named`(result: String, path: String) throws {
        let daemon = try ScriptedDaemon { .lines([$0.result(result)]) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }
        #expect(malformed(error)?.contains("'\(path)' is not ") == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        #"{"id":1,"error":{"code":"1"}}"#, #"{"id":1,"error":{"message":5}}"#,
        #"{"id":null,"error":{"data":{"retry_after_ms":"soon"}}}"#,
        #"{"method":"event","params":{"subscription":1,"type":"changes","changes":{}}}"#,
        #"{"method":"event","params":{"subscription":1,"type":"later","subscription":"1"}}"#,
        #"{"method":"records","params":{"request":1,"records":["7"]}}"#,
        #"{"method":"progress","params":{"request":1,"bytes":-9223372036854775808}}"#,
    ])
    func `errors and notifications have the types of the protocol, too`(line: String) throws {
        let daemon = try ScriptedDaemon { .lines([line, $0.result("{}")]) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }
        #expect(malformed(error)?.contains(" is not ") == true, "\(String(describing: error))")
    }

    @Test(arguments: Method.allCases)
    func `a result without what a client relies on is no answer`(method: Method) throws {
        let daemon = try ScriptedDaemon { .lines([$0.result("{}")]) }
        let connection = try ClientConnection(path: daemon.path)
        if [.hello, .ping, .unsubscribe, .cancel].contains(method) {
            #expect(try connection.call(method, PingParameters()).members.isEmpty)
        } else {
            let error = #expect(throws: ClientError.self) { try connection.call(method, PingParameters()) }
            #expect(malformed(error)?.hasSuffix(" is missing") == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: [
        (
            Method.changes, #"{"changes":[{"op":"added","id":"1"},{"op":"added"}],"clock":"e.1"}"#,
            "/result/changes/1/id"
        ),
        (.refresh, #"{"collections":[{"collection":"x"}]}"#, "/result/collections/0/outcome"),
        (.outbox, #"{"operations":[{"op":"x"}]}"#, "/result/operations/0/state"),
        (.quarantine, #"{"entries":[{}]}"#, "/result/entries/0/entry"),
        (.status, #"{"collections":[{}]}"#, "/result/collections/0/name"),
        (.describe, #"{"collections":[{"name":"x"},{}]}"#, "/result/collections/1/name"),
        (.outbox, #"{"changed":[],"refused":[{"op":"x"}]}"#, "/result/refused/0/state"),
        (.quarantine, #"{"accepted":[{"entry":1}],"refused":[]}"#, "/result/accepted/0/id"),
        (.quarantine, #"{"accepted":[],"refused":[{"entry":1}]}"#, "/result/refused/0/reason"),
        (.fetchAttachment, #"{"data":"","size":1}"#, "/result/eof"),
    ])
    func `an element without what a client relies on is named`(method: Method, result: String, path: String) throws {
        let daemon = try ScriptedDaemon { .lines([$0.result(result)]) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(method, PingParameters()) }
        #expect(malformed(error) == "the daemon sent what is no answer: '\(path)' is missing")
    }

    @Test(arguments: [
        (#""clock":"e.1-x""#, "/params/type"), (#""type":"changes","clock":"e.1-x""#, "/params/changes"),
        (#""type":"changes","changes":[{"id":"1"}]"#, "/params/changes/0/op"), (#""type":"synced""#, "/params/clock"),
        (#""type":"fresh_instance""#, "/params/reason"),
    ])
    func `an event without what a client relies on is no answer`(members: String, path: String) throws {
        let event = #"{"method":"event","params":{"subscription":1,\#(members)}}"#
        let daemon = try ScriptedDaemon { .lines([event, $0.result("{}")]) }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        #expect(malformed(error) == "the daemon sent what is no answer: '\(path)' is missing")
    }

    @Test func `a needed member that is null is missing, and one of several is enough`() throws {
        let daemon = try ScriptedDaemon { request in
            .lines([request.result(request.method == "count" ? #"{"total":null}"# : #"{"changed":[]}"#)])
        }
        let connection = try ClientConnection(path: daemon.path)
        let error = #expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }
        #expect(malformed(error) == "the daemon sent what is no answer: '/result/total' is missing")
        #expect(try connection.call(.outbox, OutboxParameters())[OutboxResult.changed].isEmpty)
    }

    @Test func `other members that are null, missing or not known are no mistake`() throws {
        let result = #"{"total":1,"totals":null,"later":[1.5],"meta":{"age_ms":-1,"clock":null,"new":{"a":[]}}}"#
        let daemon = try ScriptedDaemon {
            .lines([#"{"method":"later","params":{"request":[]}}"#, $0.result(result)])
        }
        let connection = try ClientConnection(path: daemon.path)
        #expect(try connection.call(.count, CountParameters())[CountResult.total] == 1)
    }

    /// The text of an error about what is no answer; nil for any other.
    private func malformed(_ error: ClientError?) -> String? {
        if case .malformed(let text)? = error { text.text("en") } else { nil }
    }

    @Test func `an answer that does not come is waited for no longer than allowed`() throws {
        let daemon = try ScriptedDaemon { _ in .lines([]) }
        let connection = try ClientConnection(path: daemon.path, timeout: .milliseconds(30))
        let error = #expect(throws: ClientError.self) { try connection.call(.ping, PingParameters()) }
        guard case .timedOut(.milliseconds(30))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `nobody at the socket is unreachable and names it`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ClientError.self) { try ClientConnection(path: folder("nobody")) }
        guard case .unreachable(let path, let cause)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == folder("nobody"))
        #expect(cause.isNotFound)
    }

    @Test func `lines pass through as they are`() throws {
        let daemon = try ScriptedDaemon { .lines(["<\($0.line)>"]) }
        let connection = try ClientConnection(path: daemon.path)
        connection.send(line: Array("{ \"id\" : 1 }".utf8))
        connection.send(line: Array("not json".utf8))
        #expect(try connection.line().map { String(decoding: $0, as: UTF8.self) } == "<{ \"id\" : 1 }>")
        #expect(try connection.line().map { String(decoding: $0, as: UTF8.self) } == "<not json>")
    }

    /// A daemon that ends its N-th connection with these bytes, and answers all requests of the next one.
    private func ending(_ ends: [String]) throws -> ScriptedDaemon {
        let count = Mutex(0)
        return try ScriptedDaemon { request in
            let number = count.withLock { number in
                defer { number += 1 }
                return number
            }
            return number < ends.count
                ? .lastBytes(Array(ends[number].utf8)) : .lines([request.result(#"{"total":4,"collections":[]}"#)])
        }
    }

    @Test func `requests that only read are sent once more, all of them, with their ids`() throws {
        let daemon = try ending([""])
        let connection = try ClientConnection(path: daemon.path)
        let one = connection.request(.count, CountParameters())
        let two = connection.request(.status, StatusParameters())
        #expect(try connection.answer(to: one)["total"]?.integer == 4)
        #expect(try connection.answer(to: two)["total"]?.integer == 4)
        #expect(daemon.requests.suffix(2).map(\.id) == ["1", "2"])
        #expect(try connection.call(.count, CountParameters())["total"]?.integer == 4)
    }

    @Test func `an idle connection that was closed meanwhile is replaced for a request that only reads`() throws {
        let daemon = try ScriptedDaemon { request in
            let line = request.result("{}") + "\n"
            return request.id == "1" ? .lastBytes(Array(line.utf8)) : .lines([line])
        }
        let connection = try ClientConnection(path: daemon.path)
        _ = try connection.call(.ping, PingParameters())
        _ = try connection.call(.ping, PingParameters())
        #expect(daemon.requests.map(\.id).suffix(1) == ["2"])
    }

    @Test func `nothing is asked a third time`() throws {
        let daemon = try ending(["", "", ""])
        let connection = try ClientConnection(path: daemon.path)
        #expect(
            mayBeDone(#expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }) == false)
        #expect(daemon.requests.count == 2)
    }

    @Test(arguments: [#"{"id":1,"resu"#, "\u{20}", #"{"method":"records","params":{"request":1,"records":[]}}\#n"#])
    func `nothing is asked again once a byte of its answer has come`(_ begin: String) throws {
        let daemon = try ending([begin])
        let connection = try ClientConnection(path: daemon.path)
        #expect(
            mayBeDone(#expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }) == false)
        #expect(daemon.requests.count == 1)
    }

    @Test func `what changes something is never asked again, nor is what was sent beside it`() throws {
        let daemon = try ending([""])
        let connection = try ClientConnection(path: daemon.path)
        let one = connection.request(.count, CountParameters())
        _ = connection.request(.refresh, RefreshParameters())
        #expect(mayBeDone(#expect(throws: ClientError.self) { try connection.answer(to: one) }) == true)
        #expect(daemon.requests.allSatisfy { $0.id != "3" } && daemon.requests.count <= 2)
    }

    @Test func `nothing is asked again where a subscription is lost`() throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "subscribe" ? .lines([request.result(#"{"subscription":1}"#)]) : .lastBytes([])
        }
        let connection = try ClientConnection(path: daemon.path)
        _ = try connection.call(.subscribe, SubscribeParameters())
        #expect(
            mayBeDone(#expect(throws: ClientError.self) { try connection.call(.count, CountParameters()) }) == false)
        #expect(daemon.requests.map(\.method) == ["subscribe", "count"])
    }

    /// The text of an error about a closed connection; nil for any other.
    private func mayBeDone(_ error: ClientError?) -> Bool? {
        if case .closed(let mayBeDone)? = error { mayBeDone } else { nil }
    }
}
