// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The source tree that the tests were built from.
package enum Repository {
    package static let root = Paths.parent(Paths.parent(Paths.parent(#filePath)))

    /// The vendor's definitions and settings: what `--data-dir` takes.
    package static let data = Paths.join(root, "Config")
}
