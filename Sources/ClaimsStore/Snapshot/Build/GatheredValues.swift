// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `ValueGatherer` has gathered.
struct GatheredValues: Sendable {
    let idKeys: SpilledElements<UInt8>
    let idKeyCounts: SpilledElements<UInt32>
    let columns: [CollectedColumn]
    let words: WordList
}
