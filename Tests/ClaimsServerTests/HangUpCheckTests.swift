// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Testing

@testable import ClaimsServer

@Suite struct HangUpCheckTests {
    /// Whether there is nothing to do for a peer that has sent this, and has then left or not.
    private func isOver(_ text: String, isGone: Bool = true) throws -> Bool {
        let pair = try UnixSocket.pair()
        try #require(try UnixSocket.send(pair.writing.raw, Array(text.utf8)) == .bytes(text.utf8.count))
        if isGone { UnixSocket.shutDown(pair.writing.raw, .both) }
        var check = HangUpCheck()
        let isOver = check.isOver(pair.reading.raw, maxDepth: 64)
        // The bytes that were sent are still there, whether it says yes or no.
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var received = 0
        while case .bytes(let count) = try UnixSocket.receive(pair.reading.raw, into: &buffer, at: 0) {
            received += count
        }
        #expect(received == text.utf8.count)
        return isOver
    }

    @Test func `a peer that left without a whole line has asked for nothing`() throws {
        for text in ["", "\n", " \n\r\n", #"{"id":1,"method":"archive","params":{"ids":["7"]}}"#] {
            #expect(try isOver(text), "\(text)")
        }
    }

    @Test func `questions of a peer that left are over`() throws {
        let questions = [
            #"{"id":1,"method":"ping"}"#, #"{"id":1,"method":"search","params":{"filter":"archive"}}"#, "archive", "[1",
            #"{"id":1,"method":"detail","params":{"id":"archive"}}"#, #"{"method":"archive","params":{}}"#,
            #"{"id":1,"method":"archives","params":{}}"#,
        ]
        for question in questions { #expect(try isOver(question + "\n"), "\(question)") }
        #expect(try isOver(questions.map { $0 + "\n" }.joined()))
    }

    @Test func `a request with an effect is still done, wherever it stands`() throws {
        let ping = #"{"id":1,"method":"ping"}"# + "\n"
        for method in ["archive", "unarchive", "refresh"] {
            let request = #"{"id":2,"method":"\#(method)","params":{"collection":"things"}}"# + "\n"
            #expect(try !isOver(request), "\(method)")
            #expect(try !isOver(ping + "nonsense\n" + request + ping), "\(method)")
        }
    }

    @Test func `a peer that sent much is served, because not all of it was looked at`() throws {
        let ping = #"{"id":1,"method":"ping"}"# + "\n"
        #expect(try !isOver(String(repeating: ping, count: 1000)))
    }

    @Test func `a peer that is still there is served, even if it sends no more`() throws {
        #expect(try !isOver("", isGone: false))
        #expect(try !isOver(#"{"id":1,"method":"ping"}"# + "\n", isGone: false))
        let pair = try UnixSocket.pair()
        UnixSocket.shutDown(pair.writing.raw, .writing)
        var check = HangUpCheck()
        let isOver = check.isOver(pair.reading.raw, maxDepth: 64)
        #expect(!isOver)
    }
}
