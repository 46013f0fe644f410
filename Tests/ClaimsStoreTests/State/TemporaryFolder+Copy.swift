// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

extension TemporaryFolder {
    /// A copy of the files in it, as a crash at this moment would leave them.
    func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try Directory.list(path) where !Files.isDirectory(self(name)) {
            try copy.write(name, Files.readAll(self(name), cap: 1 << 30))
        }
        return copy
    }
}
