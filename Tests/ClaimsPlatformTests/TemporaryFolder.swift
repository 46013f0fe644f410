// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A folder of the test's own, removed with this object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = try Directory.temporary(prefix: "claimsd-platform")
    }

    deinit {
        try? Directory.remove(path)
    }

    func callAsFunction(_ name: String) -> String { Paths.join(path, name) }
}
