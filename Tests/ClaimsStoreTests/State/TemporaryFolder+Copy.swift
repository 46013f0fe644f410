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

extension TemporaryFolder {
    /// A copy of the folders of state and cache, as a crash at this moment would leave them.
    func copyOfStateAndCache() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for folder in ["state", "cache"] {
            for name in try Directory.list(self(folder)) {
                try copy.write("\(folder)/\(name)", Files.readAll(self("\(folder)/\(name)"), cap: 1 << 30))
            }
        }
        return copy
    }
}
