// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The notice about the collections that an answer over all of them leaves out.
enum LeftOut {
    /// The notice, such as `left out: books, films (unknown field 'shelf')`; nil if nothing is left out.
    ///
    /// Collections with the same reason stand together, so that nothing is said twice.
    static func text(_ skipped: [(collection: String, reason: String)], _ messages: Messages) -> String? {
        var groups: [(reason: String, collections: [String])] = []
        for (collection, reason) in skipped {
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                guard !groups[index].collections.contains(collection) else { continue }
                groups[index].collections.append(collection)
            } else {
                groups.append((reason, [collection]))
            }
        }
        if groups.isEmpty { return nil }
        let parts = groups.map { reason, collections in
            let names = collections.joined(separator: ", ")
            // Some reasons name the collection themselves.
            let words = reason.split { " :;,()'„”".contains($0) }
            let isNamed = collections.count == 1 && words.contains { $0 == names }
            return isNamed ? reason : "\(names) (\(FreshnessLine.clause(reason)))"
        }
        return messages.leftOut(parts.joined(separator: "; "))
    }
}
