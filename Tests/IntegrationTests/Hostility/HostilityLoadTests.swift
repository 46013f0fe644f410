// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Many connections at once, none of which behaves: others are served, and memory stays within its bounds.
@Suite(.serialized) struct HostilityLoadTests {
    /// As many as one user may have, less those of the witness.
    private static let peers = 120

    private static func search(_ id: Int, _ parameters: String = "") -> String {
        #"{"id":\#(id),"method":"search","params":{"collection":"things","limit":1000\#(parameters)}}"# + "\n"
    }

    @Test func `a thousand connections come and stay`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand(.new) {
            let peers = try (0..<1000).map { _ in try HostilePeer(besieged.daemon) }
            for peer in peers { try peer.push(#"{"id":1,"method":"ping"}"# + "\n") }
            let answered = try peers.count { try $0.lines(1, within: .seconds(5)).first?.contains("result") == true }
            #expect(answered > 0)
            return peers
        }
    }

    @Test func `a thousand half lines lock nobody out`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand(.new) {
            try (0..<1000).map { _ in
                let peer = try HostilePeer(besieged.daemon)
                try peer.push(#"{"id":1,"#)
                return peer
            }
        }
    }

    @Test func `many who never read get no more than their share`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peers = try (0..<Self.peers).map { _ in try HostilePeer(besieged.daemon) }
            let requests = Array((0..<1000).map { Self.search($0) }.joined().utf8)
            var sent = [Int](repeating: 0, count: peers.count)
            // Several times, so that each is taken further where the daemon goes on.
            for _ in 0..<20 {
                for (index, peer) in peers.enumerated() where sent[index] < requests.count {
                    sent[index] += try peer.push(Array(requests[sent[index]...].prefix(1 << 16)))
                }
            }
            return peers
        }
    }

    @Test func `many who read slowly get all of it`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peers = try (0..<20).map { _ in try HostilePeer(besieged.daemon) }
            for peer in peers { try peer.pushAll(Array((0..<3).map { Self.search($0) }.joined().utf8)) }
            for peer in peers {
                let lines = try peer.lines(3)
                #expect(lines.count == 3 && lines.allSatisfy { $0.contains(#""result""#) && $0.hasSuffix("}") })
            }
        }
    }

    @Test func `many lines of many values stay within the memory`() throws {
        let besieged = try BesiegedDaemon()
        let values = Array(repeating: "1", count: 450_000).joined(separator: ",")
        let line = Array(#"{"id":1,"method":"search","params":{"collection":"things","filter":[\#(values)]}}"#.utf8)
        try besieged.withstand {
            let peers = try (0..<8).map { _ in try HostilePeer(besieged.daemon) }
            for _ in 0..<2 {
                for peer in peers { try peer.pushAll(line + [0x0A]) }
            }
            for peer in peers {
                let lines = try peer.lines(2)
                #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""error""#) })
            }
            return peers
        }
    }

    @Test func `many long lines without an end stay within the memory`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peers = try (0..<Self.peers).map { _ in try HostilePeer(besieged.daemon) }
            let part = [UInt8](repeating: 0x78, count: (1 << 20) - 100)
            for peer in peers { try peer.pushAll(part) }
            return peers
        }
    }

    @Test func `many long lines without an end give way to a long line that ends`() throws {
        let besieged = try BesiegedDaemon()
        let ping = #"{"id":1,"method":"ping""# + String(repeating: " ", count: 900_000) + "}\n"
        try besieged.withstand {
            let part = [UInt8](repeating: 0x78, count: (1 << 20) - 100)
            var peers: [HostilePeer] = []
            for round in 0..<3 {
                let newcomers = try (0..<Self.peers / 3).map { _ in try HostilePeer(besieged.daemon) }
                for peer in newcomers { try peer.pushAll(part) }
                peers += newcomers
                let client = try HostilePeer(besieged.daemon)
                try client.pushAll(Array(ping.utf8))
                let answer = try client.lines(1).first ?? "nothing"
                #expect(answer.contains(#""result""#), "round \(round): \(answer)")
            }
            let first = try #require(peers.first)
            let lines = try first.lines(2)
            #expect(lines.count == 1 && lines[0].contains(#""kind":"busy""#) && first.isClosed, "\(lines)")
            return peers
        }
    }

    @Test func `a slow drip on many connections keeps nobody waiting`() throws {
        let besieged = try BesiegedDaemon()
        try besieged.withstand {
            let peers = try (0..<Self.peers).map { _ in try HostilePeer(besieged.daemon) }
            for byte in Self.search(1).utf8 {
                for peer in peers { try peer.push([byte]) }
            }
            return peers
        }
    }

    @Test func `connections that come, ask and go at once keep nobody waiting, and push nobody out`() throws {
        let besieged = try BesiegedDaemon()
        // The witness has a connection that stays, among the thousands of the same user.
        let report = try besieged.withstand(.both) {
            for number in 0..<3000 { try HostilePeer(besieged.daemon).push(Self.search(number)) }
        }
        #expect(report.slowest < .seconds(2), "\(report)")
        // A request with an effect is done, although nobody waits for the answer.
        try HostilePeer(besieged.daemon).push(
            #"{"id":1,"method":"archive","params":{"collection":"things","ids":["7"]}}"# + "\n")
        let client = try besieged.daemon.connect()
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        var archived: [String] = []
        while archived.isEmpty, SystemClock.monotonic < deadline {
            archived = try client.request("search", #"{"collection":"things","archived":"only"}"#).ids
        }
        #expect(archived == ["7"])
        _ = try client.request("unarchive", #"{"collection":"things","ids":["7"]}"#)
    }

    @Test func `a burst of silent connections pushes out nobody who asks`() throws {
        let besieged = try BesiegedDaemon()
        let client = try besieged.daemon.connect()
        #expect(try client.request("ping")["result"] != nil)
        let peers = try (0..<400).map { _ in try HostilePeer(besieged.daemon) }
        let answer = try client.request("ping")
        #expect(answer["result"] != nil)
        withExtendedLifetime(peers) {}
    }

    @Test func `many questions that take long keep nobody waiting`() throws {
        let besieged = try BesiegedDaemon()
        let terms = (0..<60).map { "e\($0 % 7)" }.joined(separator: ",")
        let filter = #","filter":"text~\#(terms) or not (title~e text~o) size>=0","sort":"-text,title","group":true"#
        try besieged.withstand {
            let peers = try (0..<40).map { _ in try HostilePeer(besieged.daemon) }
            for peer in peers {
                for id in 0..<20 { try peer.push(Self.search(id, filter)) }
            }
            for peer in peers { #expect(try peer.lines(5).count >= 5) }
        }
    }
}
