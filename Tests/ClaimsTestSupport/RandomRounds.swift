// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The number of rounds of a random test.
public enum RandomRounds {
    /// All of them; a quarter under a sanitizer, where each takes some ten times as long.
    public static func count(_ all: Int) -> Int {
        BuiltProgram.isSanitized ? max(1, all / 4) : all
    }
}
