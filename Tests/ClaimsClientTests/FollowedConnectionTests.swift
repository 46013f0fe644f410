// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Glibc
import Testing

@Suite struct FollowedConnectionTests {
    private let second: UInt64 = 1_000_000_000

    /// Exchanges until something comes, with waits for the socket in between.
    private func arrivals(_ link: FollowedConnection<Int>, at now: UInt64 = 0) throws -> [FollowedConnection<Int>
        .Arrival]
    {
        while true {
            let arrivals = link.exchange(at: now, canRead: true)
            if !arrivals.isEmpty { return arrivals }
            guard let watched = link.watched else { return [] }
            var entry = pollfd(fd: watched.descriptor, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&entry, 1, Int32(LineClient.timeout.wholeMilliseconds)) > 0
            try #require(isReady)
        }
    }

    private func tag(_ number: Int) -> Int { number }

    @Test func `each answer goes to the one that asked, in any order`() throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "count"
                ? .lines([]) : .lines([request.result(#"{"x":1}"#), request.error("forbidden", "no")])
        }
        let link = FollowedConnection<Int>(try ClientConnection(path: daemon.path)) { () throws(ClientError) in
            throw .closed(mayBeDone: false)
        }
        link.ask(.count, CountParameters(), for: tag(1))
        link.ask(.ping, PingParameters(), for: tag(2))
        guard case .answer(tag(2), .success(let result)) = try #require(try arrivals(link).first) else {
            throw TestFailure("no answer")
        }
        #expect(result["x"]?.integer == 1)
    }

    @Test func `an answer that was cancelled is dropped, and the daemon is told`() throws {
        let daemon = try ScriptedDaemon { request in
            switch request.method {
            case "count": .lines([])
            case "cancel": .lines([#"{"id":1,"result":{"total":1}}"#, request.result("{}")])
            default: .lines([request.result("{}")])
            }
        }
        let link = FollowedConnection<Int>(try ClientConnection(path: daemon.path)) { () throws(ClientError) in
            throw .closed(mayBeDone: false)
        }
        link.ask(.count, CountParameters(), for: tag(1))
        link.cancel(tag(1))
        link.ask(.ping, PingParameters(), for: tag(2))
        let first = try arrivals(link)
        guard first.count == 1, case .answer(tag(2), .success) = first[0] else { throw TestFailure("\(first)") }
        #expect(daemon.parameters(of: "cancel") == [#"{"request":1}"#])
    }

    @Test func `a lost connection is told once, and made anew after a pause`() throws {
        let away = try ScriptedDaemon { _ in .lastBytes([]) }
        let back = try ScriptedDaemon { request in .lines([request.result("{}")]) }
        var attempts = 0
        let link = FollowedConnection<Int>(try ClientConnection(path: away.path)) { () throws(ClientError) in
            attempts += 1
            guard attempts == 3 else { throw .closed(mayBeDone: false) }
            return try ClientConnection(path: back.path)
        }
        link.ask(.ping, PingParameters(), for: tag(1))
        guard case .lost = try #require(try arrivals(link).first) else { throw TestFailure("not lost") }
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<3 {
            pauses.append(link.nextTime - now)
            now = link.nextTime
            #expect(link.tend(at: now).isEmpty)
        }
        #expect(pauses == [200_000_000, 200_000_000, 400_000_000])
        #expect(!link.isConnected)
        guard case .connected = try #require(try arrivals(link, at: now).first) else {
            throw TestFailure("not connected")
        }
        #expect(link.isConnected)
    }

    @Test func `a daemon that is silent is asked, then that is told, and then it counts as lost`() throws {
        let daemon = try ScriptedDaemon { _ in .lines([]) }
        let link = FollowedConnection<Int>(try ClientConnection(path: daemon.path)) { () throws(ClientError) in
            throw .closed(mayBeDone: false)
        }
        #expect(link.nextTime == .max)
        // The silence begins with the question, however long nothing was asked before.
        let start = 60 * second
        link.ask(.count, CountParameters(), for: tag(1))
        #expect(link.tend(at: start).isEmpty)
        #expect(link.nextTime == start + FollowedConnection<Int>.probeTime)
        #expect(link.tend(at: link.nextTime).isEmpty)
        #expect(link.exchange(at: start + FollowedConnection<Int>.probeTime, canRead: false).isEmpty)
        #expect(link.nextTime == start + FollowedConnection<Int>.reportTime)
        guard case .silent(start) = try #require(link.tend(at: link.nextTime).first) else {
            throw TestFailure("not told")
        }
        #expect(link.isConnected)
        #expect(link.nextTime == start + FollowedConnection<Int>.maxSilence)
        guard case .lost = try #require(link.tend(at: link.nextTime).first) else {
            throw TestFailure("not lost")
        }
        link.ask(.count, CountParameters(), for: tag(2))
        #expect(link.watched == nil)
    }

    @Test func `a daemon that answers after a silence keeps its connection, and that is told`() throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "count" ? .lines([]) : .lines([request.result("{}")])
        }
        let link = FollowedConnection<Int>(try ClientConnection(path: daemon.path)) { () throws(ClientError) in
            throw .closed(mayBeDone: false)
        }
        link.ask(.count, CountParameters(), for: tag(1))
        var told = 0
        for time in [0, FollowedConnection<Int>.probeTime, FollowedConnection<Int>.reportTime] {
            for case .silent in link.tend(at: time) { told += 1 }
        }
        #expect(told == 1)
        guard case .answering = try #require(try arrivals(link, at: FollowedConnection<Int>.reportTime).first) else {
            throw TestFailure("not told")
        }
        // The question still waits, from now on.
        #expect(link.nextTime == FollowedConnection<Int>.reportTime + FollowedConnection<Int>.probeTime)
        #expect(link.isConnected)
    }

    @Test func `time in which the process was stopped is no silence of the daemon`() throws {
        let daemon = try ScriptedDaemon { _ in .lines([]) }
        let link = FollowedConnection<Int>(try ClientConnection(path: daemon.path)) { () throws(ClientError) in
            throw .closed(mayBeDone: false)
        }
        link.ask(.count, CountParameters(), for: tag(1))
        #expect(link.tend(at: second).isEmpty)
        link.restartSilence()
        #expect(link.tend(at: 100 * second).isEmpty)
        #expect(link.nextTime == 100 * second + FollowedConnection<Int>.probeTime)
    }
}
