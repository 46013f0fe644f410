// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// Takes the pages of a list and prints them in the format asked for, as they arrive. Only `json` waits for the last
/// page: what is printed is a whole document or nothing.
struct ListSink {
    private let session: Session
    private let single: CollectionDescription?
    private let request: ListRequest
    private var renderer: ListRenderer?
    private let separated: SeparatedValues
    private let names: [String]
    private let keys: [[UInt8]]
    private var hasHeader = false
    /// The records of each page as they came: a document of a million is held once, not copied as it grows.
    private var pages: [[UInt8]] = []
    private var first: AnswerValue?
    private var hasMoved = false

    init(
        _ session: Session, _ collections: [CollectionDescription], _ single: CollectionDescription?,
        _ request: ListRequest, fields: [String]
    ) {
        self.session = session
        self.single = single
        self.request = request
        let showsArchived = request.archived == .include
        if session.format.isForPeople {
            renderer = ListRenderer(
                collections: collections, single: single, fields: fields, isWide: session.format == .wide,
                showsArchived: showsArchived, width: session.width, isColored: session.isColored, time: session.time)
        }
        separated = SeparatedValues(isCSV: session.format == .csv, isForTerminal: session.isTerminal)
        names =
            Self.names(fields, collections, single, isOverAll: request.collection == nil)
            + (showsArchived ? ["archived"] : [])
        keys = names.map { Array($0.utf8) }
    }

    /// The columns of TSV and CSV: the fields of the list; over all collections those of any of them.
    private static func names(
        _ fields: [String], _ collections: [CollectionDescription], _ single: CollectionDescription?, isOverAll: Bool
    ) -> [String] {
        let prefix = isOverAll ? ["collection"] : []
        if !fields.isEmpty { return prefix + fields.filter { !prefix.contains($0) } }
        if let single { return single.list }
        var names = prefix + ["id"]
        for name in collections.flatMap(\.list) where !names.contains(name) { names.append(name) }
        return names
    }

    mutating func take(_ answer: AnswerValue) throws(CommandError) {
        if first == nil { first = answer }
        if answer["moved"]?.bool == true { hasMoved = true }
        let list = answer["records"]?.elements ?? []
        switch session.format {
        case .table, .wide:
            try session.show(renderer?.render(answer, isGrouped: request.isGrouped) ?? "")
        case .json:
            if let records = answer["records"], !list.isEmpty {
                // Without the array's own brackets.
                pages.append(
                    Array(records.document.bytes[(records.range.lowerBound + 1)..<(records.range.upperBound - 1)]))
            }
        case .jsonl:
            try session.emit { bytes in
                for record in list {
                    if session.isTerminal {
                        bytes += JSONText.terminalSafe(Array(record.source.utf8))
                    } else {
                        record.appendSource(to: &bytes)
                    }
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        case .tsv, .csv:
            try session.emit { bytes in
                if !hasHeader { separated.append(names, to: &bytes) }
                for record in list { separated.append(record, keys: keys, to: &bytes) }
            }
            hasHeader = true
        case .name:
            try session.emit { bytes in
                for record in list {
                    var name = record["id"]?.text ?? ""
                    if request.collection == nil, let collection = record["collection"]?.string {
                        name = collection + "/" + name
                    }
                    bytes += (session.isTerminal ? Escaping.line(name) : name).utf8
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        }
    }

    /// All pages have been taken.
    func finish() throws(CommandError) {
        guard let first else { return }
        switch session.format {
        case .json:
            try emitDocument(first)
        case .table, .wide:
            if let facets = first["facets"] {
                try session.show(
                    "\n" + FacetText.text(facets, single, width: session.width, isColored: session.isColored))
            }
        case .jsonl, .csv, .tsv, .name: break
        }
    }

    /// One object: the first answer, but with the records of all pages.
    private func emitDocument(_ first: AnswerValue) throws(CommandError) {
        var before = JSONWriter()
        var after = JSONWriter()
        before.beginObject()
        before.member("schema_version", JSONText.schemaVersion)
        after.beginObject()
        for (name, value) in first.members where name != "next" && name != "moved" && name != "records" {
            after.key(name)
            after.raw(Array(value.source.utf8))
        }
        if hasMoved { after.member("moved", true) }
        after.endObject()
        before.key("records")
        before.beginArray()
        // The second object's members go on where the first one's end.
        let tail =
            (after.bytes.count > 2 ? [UInt8(ascii: "]"), UInt8(ascii: ",")] : [UInt8(ascii: "]")])
            + after.bytes.dropFirst()
        if session.isTerminal {
            let whole = before.bytes + pages.joined(separator: [UInt8(ascii: ",")]) + tail
            return try session.emit(document: whole)
        }
        try session.emit { $0 += before.bytes }
        for (index, page) in pages.enumerated() {
            try session.emit { bytes in
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += page
            }
        }
        try session.emit { $0 += tail + [UInt8(ascii: "\n")] }
    }
}
