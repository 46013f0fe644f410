// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The source tree that the tests were built from.
public enum Repository {
    public static let root = Paths.parent(Paths.parent(Paths.parent(#filePath)))

    /// The vendor's definitions and settings: what `--data-dir` takes.
    public static let data = Paths.join(root, "Config")
}
