// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How the configuration gets at its files: this module reads none itself.
public struct ConfigurationFiles {
    public enum Content {
        case bytes([UInt8])
        case missing
        /// Why it cannot be read.
        case unreadable(String)
    }

    /// The content of the file at a path.
    public let read: (_ path: String) -> Content
    /// The names in the folder at a path, in any order; none if there is no such folder.
    public let list: (_ folder: String) -> [String]

    public init(read: @escaping (String) -> Content, list: @escaping (String) -> [String]) {
        self.read = read
        self.list = list
    }
}
