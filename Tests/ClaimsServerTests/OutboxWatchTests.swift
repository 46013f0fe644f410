// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite final class OutboxWatchTests {
    private let fixture: FeedFixture
    private let thread: NamedThread
    private let loop: EventLoop
    private let id = OperationID(time: 1, random: (0, 0))

    init() throws {
        fixture = try FeedFixture()
        let loop = fixture.timers
        self.loop = loop
        thread = try NamedThread("timers") { loop.run() }
    }

    deinit { loop.stop() }

    /// Has one operation of the collection, in this state; nil: it has none.
    private func put(_ state: OperationState?) throws {
        let operations = state.map { state in
            let operation = Operation(
                id, .update, on: "7", of: "shelf", number: 1, state: state, submittedAt: 1, submittedBy: 1000)
            return StoredOperation(operation, content: ContentHash.Digest(low: 1, high: 1), seq: 1, changed: [])
        }
        fixture.store.catalog.record(in: "shelf") { condition in
            condition.operationsChanged(operations.map { [$0] } ?? [], aliases: [:])
        }
    }

    /// Begins to wait for the operation. The monitor gets whether it is over in time.
    private func wait(upTo timeout: Duration, isCancelled: Bool = false) -> Monitor<Bool?> {
        let answer = Monitor<Bool?>(nil)
        fixture.context.watch.add(
            OutboxWait(
                operations: [id], timeout: timeout, isCancelled: { isCancelled }, progress: { _ in },
                done: { isInTime in answer.update { $0 = isInTime } }))
        return answer
    }

    @Test func `a wait is answered once the operation is neither queued nor being sent`() throws {
        try put(.queued)
        let answer = wait(upTo: .seconds(60))
        #expect(answer.wait(upTo: .milliseconds(300)) { $0 } == nil)
        try put(.sending)
        #expect(answer.wait(upTo: .milliseconds(300)) { $0 } == nil)
        try put(.accepted)
        #expect(answer.wait(upTo: .seconds(20)) { $0 } == true)
        #expect(wait(upTo: .seconds(60)).wait(upTo: .seconds(20)) { $0 } == true)
        try put(nil)
        #expect(wait(upTo: .seconds(60)).wait(upTo: .seconds(20)) { $0 } == true)
    }

    @Test func `a wait ends at its deadline, or when it is cancelled`() throws {
        try put(.queued)
        #expect(wait(upTo: .milliseconds(10)).wait(upTo: .seconds(20)) { $0 } == false)
        #expect(wait(upTo: .seconds(60), isCancelled: true).wait(upTo: .seconds(20)) { $0 } == false)
    }
}
