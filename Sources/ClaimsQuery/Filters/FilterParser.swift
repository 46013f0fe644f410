// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Reads filters in both forms: as a text, and as a tree.
///
/// Neither looks at a definition: names, codes and types are checked when the node is typed. Time is linear in the
/// input, and recursion is bounded by the limits.
public enum FilterParser {
    /// Reads the text form; positions in errors are bytes of `text`.
    public static func parse(
        _ text: String, limits: FilterLimits = .standard
    ) throws(FilterError) -> FilterNode {
        var reader = FilterTextReader(text, limits: limits)
        return try reader.readFilter()
    }

    /// Reads the tree form: `["and", ["ne","status","ok"], ["has","title","water"]]`. A string is read as text.
    public static func parse(
        tree: JSONValue, limits: FilterLimits = .standard
    ) throws(FilterError) -> FilterNode {
        if case .string(let text) = tree { return try parse(text, limits: limits) }
        var reader = FilterTreeReader(limits: limits)
        return try reader.readFilter(tree)
    }
}
