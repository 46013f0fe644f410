// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A record that was named on the command line: an id with a selector, or `COLLECTION/ID` without one, as `-o name`
/// prints them.
public struct RecordReference: Equatable, Sendable {
    public let collection: String
    public let id: String

    /// Reads the arguments of a verb that takes ids.
    public static func read(_ invocation: Invocation) throws(UsageError) -> [RecordReference] {
        var references: [RecordReference] = []
        for term in invocation.terms {
            let text = term.text
            if text.isEmpty { throw UsageError("an empty id") }
            if let selector = invocation.selector {
                references.append(RecordReference(collection: selector.name, id: text))
                continue
            }
            guard let slash = text.firstIndex(of: "/"), slash != text.startIndex,
                text.index(after: slash) != text.endIndex
            else {
                throw UsageError(
                    "in which collection is '\(text)'?",
                    hint: "select one (--book, --collection NAME), or write COLLECTION/\(text)")
            }
            references.append(
                RecordReference(collection: String(text[..<slash]), id: String(text[text.index(after: slash)...])))
        }
        return references
    }

    /// The ids of each collection, in the order they were first named; no more than `limit` bytes of ids together.
    public static func batches(
        _ references: [RecordReference], limit: Int = 512 * 1024
    ) -> [(collection: String, ids: [String])] {
        var batches: [(collection: String, ids: [String])] = []
        var open: [String: (index: Int, bytes: Int)] = [:]
        for reference in references {
            let size = reference.id.utf8.count + 3
            if let place = open[reference.collection], place.bytes + size <= limit {
                batches[place.index].ids.append(reference.id)
                open[reference.collection] = (place.index, place.bytes + size)
            } else {
                open[reference.collection] = (batches.count, size)
                batches.append((reference.collection, [reference.id]))
            }
        }
        return batches
    }
}
