// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A piece of a build that writes its sections on any thread.
protocol BuildJob: Sendable {
    func write() throws(StoreError)
}
