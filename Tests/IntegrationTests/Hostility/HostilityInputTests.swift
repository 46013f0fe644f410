// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Lines that no honest client would send, on one connection: it stays usable, and all others too.
@Suite(.serialized) struct HostilityInputTests {
    private static let ping = #"{"id":"after","method":"ping"}"#

    @Test func `a hostile line is refused for what it is, and the next one is answered`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            for line in HostileLine.all {
                let client = try besieged.daemon.connect()
                try client.send(bytes: line.bytes + [0x0A])
                let answer = try #require(try client.receive(), "\(line.name): the connection was closed")
                let value = try JSONValue.parse(answer)
                #expect(value["error"]?["data"]?["kind"]?.string == line.kind, "\(line.name): \(answer.prefix(300))")
                #expect(line.kind != nil || value["result"] != nil, "\(line.name): \(answer.prefix(300))")
                try expectPing(client, line.name)
            }
        }
    }

    @Test func `random bytes are refused line by line`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            for round in 0..<8 {
                let peer = try HostilePeer(besieged.daemon)
                var bytes = Self.noise(1 << 18, seed: UInt64(round + 1))
                // Short lines in every other round, else as chance has it.
                if round % 2 == 1 {
                    for index in stride(from: 0, to: bytes.count, by: 1 + round * 7) { bytes[index] = 0x0A }
                }
                try peer.pushAll(bytes)
                try peer.pushAll(Array("\n\(Self.ping)\n".utf8))
                let lines = try peer.lines(.max, until: #""after""#)
                let last = try #require(lines.last)
                #expect(try JSONValue.parse(last)["result"] != nil)
            }
        }
    }

    @Test func `half a line harms nobody, whether it is left, taken back or ended`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            var left: [HostilePeer] = []
            for length in [1, 10, 1000, 100_000, 1 << 20] {
                for ending in 0..<3 {
                    let peer = try HostilePeer(besieged.daemon)
                    try peer.pushAll(Array(#"{"id":1,"method":""#.utf8) + Array(repeating: 0x61, count: length))
                    if ending == 1 { peer.finishSending() }
                    if ending == 2 { left.append(peer) }
                }
            }
            return left
        }
    }

    @Test func `a line without end is refused once and forgotten`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peer = try HostilePeer(besieged.daemon)
            let part = [UInt8](repeating: 0x78, count: 1 << 20)
            for _ in 0..<64 { try peer.pushAll(part) }
            try peer.pushAll(Array("\n\(Self.ping)\n".utf8))
            let lines = try peer.lines(2)
            #expect(lines.count == 2)
            #expect(try JSONValue.parse(lines.first ?? "")["error"]?["data"]?["kind"] == "too_large")
            #expect(try JSONValue.parse(lines.last ?? "")["result"] != nil)
        }
    }

    @Test func `a thousand requests at once are all answered, each once`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peer = try HostilePeer(besieged.daemon)
            let requests = (0..<1000).map { number in
                #"{"id":\#(number),"method":"search","params":{"collection":"things","filter":"number","limit":20}}"#
            }
            let all = Array((requests.joined(separator: "\n") + "\n").utf8)
            // Nothing is read until nothing more is taken.
            var sent = try peer.push(all)
            var lines: [String] = []
            while lines.count < 1000, !peer.isClosed {
                lines += try peer.lines(1)
                sent += try peer.push(Array(all[sent...]))
            }
            let ids = try lines.map { try JSONValue.parse($0) }.map { answer in
                #expect(answer["result"]?["total"]?.integer == Int64(BesiegedDaemon.records))
                return answer["id"]?.integer ?? -1
            }
            #expect(ids.sorted() == Array(0..<1000))
        }
    }

    /// The same bytes each time (xorshift).
    private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9e37_79b9_7f4a_7c15
        return (0..<count).map { _ in
            state ^= state &<< 13
            state ^= state &>> 7
            state ^= state &<< 17
            return UInt8(truncatingIfNeeded: state &>> 24)
        }
    }

    private func expectPing(_ client: LineClient, _ name: String) throws {
        try client.send(Self.ping)
        let answer = try #require(try client.receive(), "\(name): the connection was closed")
        #expect(try JSONValue.parse(answer)["id"] == "after", "\(name): \(answer.prefix(300))")
    }
}
