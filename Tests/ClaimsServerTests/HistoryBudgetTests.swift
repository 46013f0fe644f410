// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct HistoryBudgetTests {
    private func operation(_ fixture: FeedFixture) throws -> HistoryOperation {
        HistoryOperation(
            view: try fixture.view("shelf"), id: Array("1".utf8), limit: 9, before: nil, query: 1, language: nil,
            timeout: .seconds(60), peer: ServedShelf.peer())
    }

    /// The way in which a request for a history ends.
    private func failure(_ budget: QueryBudget) throws -> QueryFailure? {
        let fixture = try FeedFixture()
        for level in 0..<3 { try fixture.take([#"{"id":1,"level":\#(level)}"#]) }
        let operation = try operation(fixture)
        var writer = JSONWriter()
        do throws(QueryFailure) {
            try operation.run(fixture.context.queries, budget: budget, to: &writer)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a history ends when its time is over`() throws {
        guard case .interrupted(.outOfTime)? = try failure(QueryBudget(limit: .zero)) else {
            throw TestFailure("the time was not looked at")
        }
    }

    @Test func `its error names the setting, as the request has no parameter for its time`() throws {
        let error = try operation(FeedFixture()).timeoutError
        #expect(error.kind == .timeout)
        let hint = try #require(error.hint)
        #expect(hint.contains("limits.request") && !hint.contains("timeout_ms"))
    }

    @Test func `a history that was cancelled ends`() throws {
        let budget = QueryBudget(limit: .seconds(60), isCancelled: { true })
        guard case .interrupted(.cancelled)? = try failure(budget) else {
            throw TestFailure("the cancellation was not looked at")
        }
    }

    @Test func `a history within its time is answered`() throws {
        if let failure = try failure(.unlimited) { throw failure }
    }
}
