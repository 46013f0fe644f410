// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Keys of any length as a sequence of 64-bit words that order like them.
///
/// `bytes` is where the keys are; for each item, depths are asked for in ascending order and each once.
protocol KeySource {
    /// The word at `depth`; zeros where the key has ended.
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64
    /// What orders keys whose words are equal up to `depth`: how much of the key that word was, or `goesOn`.
    func rest(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> Int
}

extension KeySource {
    static var goesOn: Int { .max }
}
