// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Testing

struct ConditionTests {
    private func condition(_ state: String, _ freshness: String? = nil, _ failure: String? = nil) -> Condition {
        var meta = AnswerMeta(collection: "books", state: state)
        meta.freshness = freshness
        meta.failure = failure.map { .init(kind: $0, message: "The server timed out") }
        return Condition(meta)
    }

    @Test func `without data the state is the condition, whatever failed`() {
        for failure in [nil, "timeout", "held"] {
            #expect(condition("unconfigured", nil, failure) == .unconfigured)
            #expect(condition("loading", nil, failure) == .loading)
            #expect(condition("failed", nil, failure) == .failed)
            for freshness in [nil, "expired", "stale"] {
                #expect(condition("withheld", freshness, failure) == .withheld)
            }
        }
    }

    @Test(arguments: ["fresh", "stale", "expired", "bundle"])
    func `data without a source is abandoned, however old it is`(_ freshness: String) {
        #expect(condition("unconfigured", freshness) == .abandoned)
        #expect(condition("unconfigured", freshness, "timeout") == .abandoned)
    }

    @Test(arguments: ["ready", "empty"])
    func `expired data goes before data that is held, and that before stale data`(_ state: String) {
        #expect(condition(state, "expired", "held") == .expired)
        #expect(condition(state, "expired", "timeout") == .expired)
        #expect(condition(state, "stale", "held") == .held)
        #expect(condition(state, "fresh", "held") == .held)
        #expect(condition(state, "stale", "timeout") == .stale)
        #expect(condition(state, "stale") == .stale)
    }

    @Test func `fresh data is ok after a failed refresh too`() {
        #expect(condition("ready", "fresh", "timeout") == .ok)
        #expect(condition("empty", "fresh") == .ok)
    }

    @Test func `built-in data is stale once its upstream could not be read`() {
        #expect(condition("ready", "bundle") == .ok)
        #expect(condition("ready", "bundle", "unreachable") == .stale)
        #expect(condition("ready", "bundle", "held") == .held)
    }

    @Test func `the freshness decides under a state of a later version`() {
        #expect(condition("resting", "fresh") == .ok)
        #expect(condition("resting", "expired") == .expired)
    }
}
