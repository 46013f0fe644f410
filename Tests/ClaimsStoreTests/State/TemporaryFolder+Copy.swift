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
    ///
    /// - Parameter cache: where the cache is, if it is not in this folder.
    func copyOfStateAndCache(cacheIn cache: String? = nil) throws -> TemporaryFolder {
        try Self.copyOfStateAndCache(at: path, cacheIn: cache)
    }

    /// A copy of the folders of state and cache at a path.
    static func copyOfStateAndCache(at path: String, cacheIn cache: String? = nil) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for (folder, path) in [
            ("state", Paths.join(path, "state")), ("cache", cache ?? Paths.join(path, "cache")),
        ] {
            for name in try Directory.list(path) {
                do {
                    try copy.write("\(folder)/\(name)", Files.readAll(Paths.join(path, name), cap: 1 << 30))
                } catch let error as SystemError {
                    // A file that nothing names any more is removed by whoever reads it last, on any thread.
                    guard error.isNotFound, folder == "cache" else { throw error }
                }
            }
        }
        return copy
    }
}
