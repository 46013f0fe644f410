// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct SuggestionTests {
    private static let names = ["id", "state", "name", "colour", "made_at", "description"]

    @Test(arguments: [
        ("statte", "state"), ("tsate", "state"), ("STATE", "state"), ("nam", "name"), ("color", "colour"),
        ("made-at", "made_at"), ("desc", "description"), ("discription", "description"), ("ids", "id"),
    ])
    func `a slip of the pen finds its name`(written: String, meant: String) {
        #expect(Suggestion.nearest(written, among: Self.names) == meant)
        #expect(Suggestion.hint(written, among: Self.names) == "did you mean '\(meant)'?")
    }

    @Test(arguments: ["", "x", "weight", "zzzzzzzz"])
    func `what resembles nothing has no suggestion`(written: String) {
        #expect(Suggestion.nearest(written, among: Self.names) == nil)
    }

    @Test func `a name of any length is compared in bounded time`() {
        #expect(Suggestion.nearest(String(repeating: "a", count: 1_000_000), among: Self.names) == nil)
    }
}
