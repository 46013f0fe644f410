// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// Prints the results of `detail` one after the other.
struct DetailPrinter {
    private let session: Session
    /// One record was asked for: its result is the whole of `json`.
    private let isAlone: Bool
    private var descriptions: [String: CollectionDescription] = [:]
    private var results: [AnswerValue] = []
    private var count = 0
    private var header: [String]?
    private(set) var metas: [Meta] = []

    init(_ session: Session, isAlone: Bool) {
        self.session = session
        self.isAlone = isAlone
    }

    var needsDescription: Bool {
        switch session.format {
        case .table, .wide, .tsv, .csv: true
        case .json, .jsonl, .name: false
        }
    }

    mutating func description(
        _ collection: String, _ id: Connection.RequestID
    ) throws(CommandError) -> CollectionDescription? {
        if let known = descriptions[collection] { return known }
        let description = DescribeRequest.collections(in: try session.answer(to: id)).first
        descriptions[collection] = description
        return description
    }

    mutating func take(_ answer: AnswerValue, _ collection: CollectionDescription?) throws(CommandError) {
        count += 1
        for meta in Meta.all(in: answer["meta"]) where !metas.contains(where: { $0.collection == meta.collection }) {
            metas.append(meta)
        }
        switch session.format {
        case .table, .wide:
            guard let collection else { return }
            let maker = CellMaker(collection: collection, time: session.time)
            let text = DetailText(maker, width: session.width, isColored: session.isColored)
                .text(answer, withUpstream: session.invocation.wantsUpstream)
            try session.show((count > 1 ? "\n\n" : "") + text)
        case .json:
            results.append(answer)
        case .jsonl:
            let bytes = JSONText.versioned(Array(answer.source.utf8))
            let line = session.isTerminal ? JSONText.terminalSafe(bytes) : bytes
            try session.emit { $0 += line + [UInt8(ascii: "\n")] }
        case .tsv, .csv:
            guard let collection, let record = answer["record"] else { return }
            let names = collection.fields.map(\.name)
            let writer = SeparatedValues(isCSV: session.format == .csv, isForTerminal: session.isTerminal)
            let isNew = header != names
            header = names
            try session.emit { bytes in
                if isNew { writer.append(names, to: &bytes) }
                writer.append(record, keys: collection.fields.map(\.key), to: &bytes)
            }
        case .name:
            let id = answer["record"]?["id"]?.text ?? ""
            try session.emit { $0 += (session.isTerminal ? Escaping.line(id) : id).utf8 + [UInt8(ascii: "\n")] }
        }
    }

    func finish() throws(CommandError) {
        guard session.format == .json else { return }
        if isAlone {
            if let result = results.first { try session.emit(json: result) }
            return
        }
        try session.emit(json: JSONText.results(results))
    }
}
