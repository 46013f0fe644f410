// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Suggestions of the known name that a misspelt name most resembles.
public enum Suggestion {
    /// The candidate nearest to `name`, letter case ignored; nil if none is near enough. Of equally near ones, the
    /// first.
    ///
    /// A candidate is near if it differs by at most a third of the longer name in single changes: a letter added, lost
    /// or replaced, or two neighbours swapped. Without one, a candidate that begins with `name` is taken, if that has
    /// three letters or more.
    ///
    /// Near means: at most a third of its length in single changes (a letter added, lost, replaced, or two swapped),
    /// or that it begins with `name`. Of equally near ones the first wins.
    public static func nearest(_ name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(maxLength))
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        var completion: String?
        for candidate in candidates {
            let scalars = Array(candidate.lowercased().unicodeScalars.prefix(maxLength))
            if wanted.count >= 3, completion == nil, scalars.starts(with: wanted) { completion = candidate }
            let allowed = max(1, max(wanted.count, scalars.count) / 3)
            let distance = distance(wanted, scalars)
            // A name of one letter is as near to any other one.
            guard distance <= allowed, distance < max(wanted.count, scalars.count) else { continue }
            if distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.name ?? completion
    }

    /// A question for people, such as `did you mean 'status'?`; nil if no candidate is near enough.
    public static func hint(_ name: String, among candidates: some Sequence<String>) -> String? {
        nearest(name, among: candidates).map { "did you mean '\($0)'?" }
    }

    /// A longer name is compared by its beginning.
    private static let maxLength = 64

    /// The optimal string alignment distance.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        var current = last
        for (row, scalar) in left.enumerated() {
            current[0] = row + 1
            for (column, other) in right.enumerated() {
                let replaced = last[column] + (scalar == other ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current[column + 1] = cost
            }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[right.count]
    }
}
