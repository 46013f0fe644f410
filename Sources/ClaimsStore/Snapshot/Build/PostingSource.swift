// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What has keys to be indexed by.
protocol PostingSource: Sendable {
    /// Calls `body` with each key of `item`; a key may come more than once. `bytes` is where the keys are.
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void)
}
