// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// A small HTTP client on 127.0.0.1, each request on a connection of its own.
public enum LoopbackHTTP {
    /// The answer to a request.
    public struct Answer: Sendable {
        public let status: Int
        /// Names in lower case.
        public let headers: [String: String]
        public let body: [UInt8]

        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The answer to one request; nil if the connection ends without a whole one.
    /// - Parameter headers: The length of the body comes by itself.
    public static func send(
        _ method: String, _ path: String, to port: UInt16, headers: [String: String] = [:], body: [UInt8] = []
    ) throws -> Answer? {
        let socket = try LoopbackSocket.connect(port)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        do {
            try socket.write(Array((head + "\r\n").utf8) + body)
        } catch {
            // The server may end the connection before it has read everything, and still have answered.
        }
        return try answer(socket)
    }

    private static func answer(_ socket: borrowing FileDescriptor) throws -> Answer? {
        var bytes: [UInt8] = []
        while true {
            if let answer = parse(&bytes, isEnded: false) { return answer }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            guard try socket.wait(for: .read, timeout: LineClient.timeout) else {
                throw TestFailure("no answer in time; so far: \(String(decoding: bytes.prefix(4096), as: UTF8.self))")
            }
            guard let count = try? socket.read(into: &buffer), count > 0 else {
                return parse(&bytes, isEnded: true)
            }
            bytes += buffer[..<count]
        }
    }

    /// The answer in `bytes`, past interim ones; nil if it is not whole.
    /// - Parameter isEnded: Whether nothing more comes, so that a body without a length is whole.
    private static func parse(_ bytes: inout [UInt8], isEnded: Bool) -> Answer? {
        let mark = Array("\r\n\r\n".utf8)
        guard let end = ByteSearch.firstIndex(of: mark.rawSpan, in: bytes.rawSpan) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        let body = bytes[(end + 4)...]
        if status < 200 {
            bytes = Array(body)
            return parse(&bytes, isEnded: isEnded)
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { character in character == " " }
            headers[line[..<colon].lowercased()] = String(value)
        }
        let unstated = status == 204 || status == 304 ? 0 : isEnded ? body.count : nil
        guard let length = headers["content-length"].map({ Int($0) ?? 0 }) ?? unstated, body.count >= length else {
            return nil
        }
        return Answer(status: status, headers: headers, body: Array(body.prefix(length)))
    }
}
