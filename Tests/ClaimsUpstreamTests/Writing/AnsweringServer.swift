// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

/// A server on 127.0.0.1 that treats each connection as a test says, one after the other, and keeps what it read.
final class AnsweringServer: Sendable {
    /// The treatment of a connection.
    enum Treatment: Sendable {
        /// Reads the whole request, answers, and reads on until the client closes.
        case answer(String)
        /// As `answer`, then closes without waiting for the client.
        case answerAndClose([UInt8])
        /// Answers after the head of the request, and reads on until the client closes.
        case answerEarly(String)
        /// Reads the whole request and resets the connection.
        case reset
        /// Resets the connection without reading.
        case resetAtOnce
        /// Reads the whole request, and then only until the client closes.
        case silence
    }

    let port: UInt16
    private let service: Service
    private let thread: NamedThread

    /// Further connections are treated like the last one that is named.
    init(_ treatments: Treatment...) throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        self.port = port
        let service = Service(listener, treatments)
        self.service = service
        thread = try NamedThread("answering") { service.run() }
    }

    deinit { service.stop() }

    var url: String { "http://127.0.0.1:\(port)/things" }

    /// All that each connection has brought, once `count` of them have ended.
    @discardableResult
    func requests(count: Int = 1) throws -> [Request] {
        guard let requests = service.requests(count: count) else { throw TestFailure("no \(count) connections ended") }
        return requests
    }

    /// A request as it was read.
    struct Request: Sendable {
        let bytes: [UInt8]

        private var end: Int? {
            let mark = Array("\r\n\r\n".utf8)
            return unsafe ByteSearch.firstIndex(of: mark.span.bytes, in: bytes.span.bytes)
        }

        /// The lines of the head; empty without a whole head.
        var head: [String] {
            guard let end else { return [] }
            return String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        }

        var body: [UInt8] { end.map { end in Array(bytes[(end + 4)...]) } ?? [] }

        /// The value of a header, by its name in lower case; nil if there is none.
        func header(_ name: String) -> String? {
            for line in head.dropFirst() where line.lowercased().hasPrefix(name + ":") {
                return String(line.dropFirst(name.count + 1).drop { $0 == " " })
            }
            return nil
        }

        var isWhole: Bool {
            guard let end else { return false }
            return bytes.count - end - 4 >= (header("content-length").flatMap { Int($0) } ?? 0)
        }
    }
}

/// The part of the server that its thread has.
private final class Service: Sendable {
    private let listener: LoopbackSocket.RawListener
    private let treatments: [AnsweringServer.Treatment]
    private let state = Monitor<[AnsweringServer.Request]>([])

    init(_ listener: LoopbackSocket.RawListener, _ treatments: [AnsweringServer.Treatment]) {
        self.listener = listener
        self.treatments = treatments
    }

    func requests(count: Int) -> [AnsweringServer.Request]? {
        state.wait(upTo: LineClient.timeout) { $0.count >= count ? $0 : nil }
    }

    func stop() { listener.shutDown() }

    func run() {
        var number = 0
        while let connection = listener.accept() {
            let request = treat(connection, treatments[min(number, treatments.count - 1)])
            state.update(waking: .all) { $0.append(request) }
            number += 1
        }
    }

    private func treat(
        _ connection: consuming FileDescriptor, _ treatment: AnsweringServer.Treatment
    ) -> AnsweringServer.Request {
        var read: [UInt8] = []
        switch treatment {
        case .answer(let text):
            self.read(connection, into: &read) { $0.isWhole }
            try? connection.write(Array(text.utf8))
            self.read(connection, into: &read) { _ in false }
        case .answerAndClose(let bytes):
            self.read(connection, into: &read) { $0.isWhole }
            try? connection.write(bytes)
        case .answerEarly(let text):
            self.read(connection, into: &read) { !$0.head.isEmpty }
            try? connection.write(Array(text.utf8))
            self.read(connection, into: &read) { _ in false }
        case .reset:
            self.read(connection, into: &read) { $0.isWhole }
            LoopbackSocket.resetWhenClosed(connection)
        case .resetAtOnce:
            LoopbackSocket.resetWhenClosed(connection)
        case .silence:
            self.read(connection, into: &read) { _ in false }
        }
        return AnsweringServer.Request(bytes: read)
    }

    /// Reads until `isEnough`, or the end of the connection.
    private func read(
        _ connection: borrowing FileDescriptor, into bytes: inout [UInt8],
        until isEnough: (AnsweringServer.Request) -> Bool
    ) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while !isEnough(AnsweringServer.Request(bytes: bytes)) {
            guard let count = try? connection.read(into: &buffer), count > 0 else { return }
            bytes += buffer[..<count]
        }
    }
}
