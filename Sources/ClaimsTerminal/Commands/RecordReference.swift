// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A reference to a record on the command line: an id beside a selector, or `COLLECTION/ID` without one.
///
/// The second form is what `-o name` prints.
public struct RecordReference: Equatable, Sendable {
    /// The name or singular of the collection, as it was typed.
    public let collection: String
    /// The id of the record.
    public let id: String

    /// Reads the terms of an invocation as record references, in their order.
    ///
    /// - Throws: a `UsageError` for an empty id, or for an id without a collection.
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

    /// Divides the references into batches for one request each, by collection.
    ///
    /// The collections stand in the order of their first reference. The ids of a batch have together at most `limit`
    /// bytes of JSON, except that a batch always has one id.
    public static func batches(
        _ references: [RecordReference], limit: Int = 512 * 1024
    ) -> [(collection: String, ids: [String])] {
        var batches: [(collection: String, ids: [String])] = []
        var open: [String: (index: Int, bytes: Int)] = [:]
        for reference in references {
            let size = reference.id.utf8.count + 3
            if let batch = open[reference.collection], batch.bytes + size <= limit {
                batches[batch.index].ids.append(reference.id)
                open[reference.collection] = (batch.index, batch.bytes + size)
            } else {
                open[reference.collection] = (batches.count, size)
                batches.append((reference.collection, [reference.id]))
            }
        }
        return batches
    }
}
