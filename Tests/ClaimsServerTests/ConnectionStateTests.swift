// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct ConnectionStateTests {
    /// Asks for actions until the slice ends, and performs those of the state itself: each line is answered with two
    /// bytes, and `sends` tells how many bytes the peer takes in all.
    private struct Driver: ~Copyable {
        var state: ConnectionState
        var pressure = MemoryPressure()
        var written: [UInt8] = []
        var peerTakes = Int.max
        var lines: [String] = []
        var errors: [ConnectionState.Action] = []
        var watched: EventMask = .read
        /// Whether a line is answered later instead of at once.
        var isLater: (String) -> Bool = { _ in false }
        var tokens: [UInt64] = []

        init(line: Int? = nil, inFlight: Int? = nil, unsent: Int? = nil) {
            var limits = ServingLimits()
            if let line { limits.line = line }
            if let inFlight { limits.inFlight = inFlight }
            if let unsent { limits.unsent = unsent }
            state = ConnectionState(limits: limits)
        }

        mutating func receive(_ text: String) { state.input.append(Array(text.utf8)[...]) }

        /// Runs one slice, and returns the action that ended it.
        @discardableResult
        mutating func slice(maxActions: Int = 10_000) -> ConnectionState.Action {
            for _ in 0..<maxActions {
                let action = state.next(written: written.count, pressure)
                switch action {
                case .run(let range):
                    let line = String(decoding: state.input.bytes[range], as: UTF8.self)
                    lines.append(line)
                    if isLater(line) {
                        tokens.append(state.begin(Array(line.utf8), .query(Cancellation())))
                    } else {
                        written += [0x7B, 0x7D]
                    }
                case .refuseLongLine, .reportCancelled: errors.append(action)
                case .continueStream(let token, _): _ = state.complete(token)
                case .send: send()
                case .watch(let events):
                    watched = events
                    return action
                case .close:
                    _ = state.close()
                    return action
                case .rest: return action
                }
            }
            Issue.record("the slice does not end")
            return .rest
        }

        private mutating func send() {
            let waiting = state.output.count
            state.output.append(written, from: 0)
            written = []
            var left = peerTakes
            state.output.drain { bytes, start in
                let count = min(left, bytes.count - start)
                left -= count
                return count
            }
            if peerTakes != .max { peerTakes = left }
            state.recordSent(waitingBefore: waiting)
        }
    }

    @Test func `whole lines are run in their order, and half a line waits`() {
        var driver = Driver()
        driver.receive("one\ntwo\r\n\nthr")
        var ending = driver.slice()
        #expect(ending == .rest)
        #expect(driver.lines == ["one", "two"])
        driver.receive("ee\n")
        ending = driver.slice()
        #expect(ending == .rest)
        #expect(driver.lines == ["one", "two", "three"])
    }

    @Test func `a line that is too long is refused once, and the connection lives`() {
        var driver = Driver(line: 8)
        driver.receive(String(repeating: "x", count: 100))
        driver.slice()
        driver.receive(String(repeating: "x", count: 100) + "\nping\n")
        driver.slice()
        #expect(driver.errors == [.refuseLongLine] && driver.lines == ["ping"])
    }

    @Test func `a half line that yields is dropped, and the connection closes once what came is answered`() {
        var driver = Driver()
        driver.isLater = { _ in true }
        driver.receive("one\nhalf a li")
        driver.slice()
        let hasYielded = driver.state.yieldLine()
        let unread = driver.state.unread
        #expect(hasYielded && unread == .nothing)
        var ending = driver.slice()
        #expect(ending == .watch([]) && driver.lines == ["one"])
        let id = driver.state.complete(driver.tokens[0])
        #expect(id == Array("one".utf8))
        ending = driver.slice()
        #expect(ending == .close)
    }

    @Test func `a connection that gave up a half line ends with its subscriptions`() {
        var driver = Driver()
        _ = driver.state.subscriptions.begin()
        driver.receive("half a li")
        #expect(driver.slice() != .close)
        let hasYielded = driver.state.yieldLine()
        let ending = driver.slice()
        #expect(hasYielded && ending == .close)
    }

    @Test func `a line that has come whole yields no more, and is read`() {
        var driver = Driver()
        driver.receive("one\n")
        let hasYielded = driver.state.yieldLine()
        #expect(!hasYielded)
        let ending = driver.slice()
        #expect(ending == .rest && driver.lines == ["one"])
    }

    @Test func `no more requests are started than may be in flight, and reading stops until one is answered`() {
        var driver = Driver(inFlight: 2)
        driver.isLater = { _ in true }
        driver.receive("a\nb\nc\n")
        var ending = driver.slice()
        #expect(ending == .watch([]))
        #expect(driver.lines == ["a", "b"])
        let id = driver.state.complete(driver.tokens[0])
        #expect(id == Array("a".utf8))
        ending = driver.slice()
        #expect(ending == .rest)
        #expect(driver.lines == ["a", "b", "c"])
        let again = driver.state.complete(driver.tokens[0])
        #expect(again == nil, "it was answered")
    }

    @Test func `a peer that takes nothing is watched until it can be written to, and gets no further answers`() {
        var driver = Driver(unsent: 4)
        driver.peerTakes = 0
        driver.receive("a\nb\n")
        let ending = driver.slice()
        #expect(ending == .watch([.read, .write]) || driver.watched == .write)
        driver.receive("c\n")
        driver.slice()
        #expect(driver.watched == .write && driver.lines == ["a", "b"])
        driver.peerTakes = .max
        let mayReceive = driver.state.handle(.write)
        #expect(!mayReceive)
        driver.slice()
        driver.slice()
        #expect(driver.watched == .read && driver.lines == ["a", "b", "c"])
    }

    @Test func `the end of the input closes the connection once all is answered and sent`() {
        var driver = Driver()
        driver.isLater = { $0 == "slow" }
        driver.receive("slow\nfast\n")
        driver.state.endInput()
        var ending = driver.slice()
        #expect(ending == .watch([]))
        #expect(driver.lines == ["slow", "fast"])
        _ = driver.state.complete(driver.tokens[0])
        ending = driver.slice()
        #expect(ending == .close)
        #expect(driver.state.phase == .closed)
    }

    @Test(arguments: [EventMask.hangUp, .error]) func `a peer that is gone gets one more slice`(event: EventMask) {
        var driver = Driver()
        driver.receive("archive\n")
        let mayReceive = driver.state.handle([event, .read])
        #expect(mayReceive && driver.state.isEnding)
        let ending = driver.slice()
        #expect(ending == .close)
        #expect(driver.lines == ["archive"])
    }

    @Test func `nothing is received after the input has ended, not even after a hang-up`() {
        var driver = Driver()
        driver.state.endInput()
        let mayReceive = driver.state.handle([.hangUp, .read])
        #expect(!mayReceive)
    }

    @Test func `a slice that ends early leaves the other lines for the next one`() {
        var driver = Driver()
        driver.receive("a\nb\n")
        let first = driver.state.next(written: 0, MemoryPressure())
        #expect(first == .run(0..<1))
        driver.state.endSlice()
        let ending = driver.slice()
        #expect(ending == .rest)
        #expect(driver.lines.isEmpty)
        driver.slice()
        #expect(driver.lines == ["b"])
    }

    @Test func `a cancelled request is answered once, and its work is told`() throws {
        var driver = Driver()
        let cancellation = Cancellation()
        let token = driver.state.begin([0x31], .query(cancellation))
        let id = Array("1".utf8)
        let isInFlight = driver.state.isInFlight(id.rawSpan)
        let cancelled = try driver.state.cancel(id)
        #expect(isInFlight && cancelled == token)
        #expect(cancellation.isCancelled)
        driver.slice()
        #expect(driver.errors == [.reportCancelled(id: [0x31])])
        let completed = driver.state.complete(token)
        #expect(completed == nil)
    }

    @Test func `a change and an unknown request are not cancelled`() {
        var driver = Driver()
        _ = driver.state.begin([0x31], .change)
        #expect(kind(&driver, [0x31]) == .conflict)
        #expect(kind(&driver, [0x32]) == .notFound)
    }

    private func kind(_ driver: inout Driver, _ id: [UInt8]) -> ErrorKind? {
        do throws(RequestError) {
            _ = try driver.state.cancel(id)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `closing cancels the requests in flight, and happens once`() {
        var driver = Driver()
        let cancellation = Cancellation()
        _ = driver.state.begin([0x31], .stream(cancellation))
        #expect(driver.state.unsentBytes == BufferBudget.share)
        let isFirst = driver.state.close()
        let isSecond = driver.state.close()
        #expect(isFirst && !isSecond && cancellation.isCancelled)
        #expect(driver.state.unsentBytes == 0 && driver.state.unreadBytes == 0)
        let ending = driver.slice()
        #expect(ending == .rest)
    }

    @Test func `activity tells a working, an active and an idle connection apart`() {
        var driver = Driver()
        var activity = driver.state.consumeActivity()
        #expect(activity == .none)
        driver.receive("a\n")
        driver.slice()
        activity = driver.state.consumeActivity()
        #expect(activity == .progressed)
        activity = driver.state.consumeActivity()
        #expect(activity == .none)
        let token = driver.state.begin([0x31], .change)
        activity = driver.state.consumeActivity()
        #expect(activity == .working)
        _ = driver.state.complete(token)
        activity = driver.state.consumeActivity()
        #expect(activity == .none)
    }

    // MARK: - Properties

    /// Input of any kind in any order: every line is run once and in its order unless the connection closes, bounds
    /// hold, and what is watched is what the state waits for.
    @Test(arguments: UInt64(0)..<200) func `random events leave no line out and keep the bounds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let maxInFlight = 1 + Int(seed % 3)
        var driver = Driver(line: 64, inFlight: maxInFlight, unsent: 6)
        driver.isLater = { $0.hasSuffix("?") }
        var sent: [String] = []
        var open = Set<UInt64>()
        for step in 0..<120 {
            driver.pressure = MemoryPressure(isUnsentExhausted: random.oneIn(8))
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1, 2:
                guard driver.state.phase == .open, driver.watched.contains(.read) else { break }
                let line = "\(step)" + (random.oneIn(3) ? "?" : "")
                sent.append(line)
                driver.receive(line + "\n")
            case 3: driver.peerTakes = random.oneIn(2) ? .max : Int.random(in: 0..<4, using: &random)
            case 4, 5:
                if let token = open.randomElement(using: &random) {
                    open.remove(token)
                    if driver.state.complete(token) != nil { driver.written += [0x7B, 0x7D] }
                }
            case 6: if random.oneIn(20) { driver.state.endInput() }
            default: if random.oneIn(60) { _ = driver.state.handle(random.oneIn(2) ? .hangUp : .error) }
            }
            let before = driver.tokens.count
            let last = driver.slice()
            open.formUnion(driver.tokens[before...])
            if driver.state.phase == .closed { break }
            #expect(open.count <= maxInFlight)
            #expect(driver.state.output.count <= 6 + 2 * (maxInFlight + 1))
            #expect(driver.lines.elementsEqual(sent.prefix(driver.lines.count)))
            #expect(driver.watched.contains(.write) == (driver.state.output.count > 0), "\(last)")
        }
        guard driver.state.phase == .open || driver.state.phase == .halfClosed else { return }
        // At rest everything is answered.
        driver.pressure = MemoryPressure()
        driver.peerTakes = .max
        for _ in 0..<sent.count + 4 {
            for token in open { if driver.state.complete(token) != nil { driver.written += [0x7B, 0x7D] } }
            open = []
            let before = driver.tokens.count
            driver.slice()
            open.formUnion(driver.tokens[before...])
        }
        #expect(driver.lines == sent && driver.state.output.count == 0)
    }
}
