// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// The files that collections are loaded from; each is made once and kept.
struct CollectionFiles {
    let folder: String
    let lexicon: Lexicon

    /// Whole records, in no order, as a JSON array or a line each.
    enum Layout: String { case array = "json", lines = "jsonl" }

    /// The path of the file of that shape; makes the file if it is missing.
    func path(_ shape: CollectionShape, _ layout: Layout) throws -> String {
        let unique = shape.hasUniqueTerms ? "-unique" : ""
        let changed = shape.changedOneIn > 0 ? "-changed\(shape.changedOneIn)" : ""
        let path = Paths.join(folder, "\(shape.records)\(unique)\(changed).\(layout.rawValue)")
        if !Files.exists(path) { try write(shape, layout, to: path) }
        return path
    }

    /// The record at an index of the file: a permutation, so that ids come in no order.
    static func position(_ index: Int, of count: Int) -> Int {
        let step = 7_368_787
        return count % step == 0 ? index : Int((UInt64(index) &* UInt64(step)) % UInt64(count))
    }

    private func write(_ shape: CollectionShape, _ layout: Layout, to path: String) throws {
        let generator = RecordGenerator(shape: shape, lexicon: lexicon)
        let file = try FileDescriptor.open(path, .create(permissions: 0o644))
        var text = RecordGenerator.Text()
        var writer = JSONWriter()
        writer.reserve(1 << 21)
        if layout == .array { writer.beginArray() }
        for index in 0..<shape.records {
            generator.append(Self.position(index, of: shape.records), text: &text, to: &writer)
            if layout == .lines { writer.newline() }
            if writer.bytes.count >= 1 << 20 {
                try file.write(writer.bytes)
                writer.bytes.removeAll(keepingCapacity: true)  // the comma that the next one needs is remembered
            }
        }
        if layout == .array { writer.endArray() }
        try file.write(writer.bytes)
    }
}
