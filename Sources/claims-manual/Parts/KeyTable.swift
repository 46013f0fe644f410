// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The keys of one object of a configuration file.
public struct KeyTable: Sendable {
    /// The name of the part of the reference that shows it.
    public let part: String
    /// Where the object is in its file: `source.join`; empty for the file itself.
    public let path: String
    public let keys: [Key]

    /// All tables of all files.
    public static let all = settings + definitions

    var block: Block {
        .table(
            header: ["Key", "Type", "Default", "Meaning"],
            rows: keys.map { key in
                ["`\(key.name)`", key.type.text, key.standard.map { "`\($0)`" } ?? "required", key.meaning]
            })
    }
}
