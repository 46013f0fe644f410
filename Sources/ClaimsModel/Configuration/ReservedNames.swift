// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The names that definitions may not use, because filters, answers and the command line have other uses for them.
public enum ReservedNames {
    /// The words of the filter grammar, which no field may be called.
    public static let filterWords: Set<String> = ["any", "none", "raw", "and", "or", "not"]

    /// The member that shows what of a record is not settled.
    public static let pending = "pending"

    /// The members that records of answers have beside their fields. A field of such a name would be there twice.
    public static let members: Set<String> = ["collection", "archived", pending]

    /// The names that no field may have.
    public static let fields = filterWords.union(members)

    /// A name for a field that would have a reserved one.
    public static func substitute(for name: String) -> String { name + "_value" }

    /// The options of claimsctl, which no singular may be called.
    public static let options: Set<String> = [
        "accept", "all", "archived", "as", "attach", "collection", "color", "config-dir", "credential", "critical",
        "cursor", "cursor-file", "data-dir", "detach", "dry-run", "exists", "facets", "fields", "filter", "for",
        "force", "group", "help", "host", "id", "incremental", "initial", "json", "lang", "limit", "mail", "max-age",
        "name", "no-pager", "none", "op", "output", "pager", "plain", "plot", "purpose", "quiet", "raw", "root",
        "run-dir",
        "since", "site", "socket", "sort", "state", "state-dir", "tar", "text", "time-zone", "timeout", "to", "until",
        "version", "view", "wait", "warning", "yes",
    ]

    /// Whether a name has the form `[a-z][a-z0-9_]*` and at most ``maxNameLength`` bytes.
    public static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z") else { return false }
        return name.utf8.count <= maxNameLength
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The maximal length of a name, in bytes.
    public static let maxNameLength = 64
}
