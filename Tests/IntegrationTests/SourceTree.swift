// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// The Swift files of `Sources`, read from the working copy that the tests were built from.
enum SourceTree {
    struct File {
        /// Below the repository's root: "Sources/ClaimsJSON/JSONValue.swift".
        let path: String
        let text: String

        /// The file's name without ".swift".
        var baseName: String {
            let name = path.split(separator: "/").last ?? ""
            return String(name.dropLast(".swift".count))
        }
    }

    static func files() throws -> [File] {
        try paths(below: "Sources").sorted().map { path in
            File(path: path, text: try Files.readText(Paths.join(Repository.root, path), cap: 1 << 20))
        }
    }

    private static func paths(below folder: String) throws -> [String] {
        var found: [String] = []
        for name in try Directory.list(Paths.join(Repository.root, folder)) {
            let path = "\(folder)/\(name)"
            if Files.isDirectory(Paths.join(Repository.root, path)) {
                found += try paths(below: path)
            } else if name.hasSuffix(".swift") {
                found.append(path)
            }
        }
        return found
    }
}
