// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The values of each type: what they put into the document and into the keys.
extension ValueReader {
    /// - Parameter isPlain: whether the text, as a JSON string, needs no escapes.
    func readString(
        _ text: RawSpan, isPlain: Bool, _ plan: FieldPlan, into record: inout DecodedRecord,
        _ value: inout DecodedValue
    ) -> Bool {
        switch plan.type {
        case .id, .text, .url:
            readText(text, isPlain: isPlain, plan, into: &record, &value)
            return true
        case .integer, .decimal: return readNumber(WhiteSpace.trimmed(text), plan, into: &record, &value)
        case .instant:
            guard let instant = Instant.parse(WhiteSpace.trimmed(text)) else { return false }
            append(plan, upTo: Instant.textLength, to: &record.document) { instant.put(to: &$0) }
            value.key = keep(&record) { KeyEncoding.instant(instant.ms, into: &$0) }
            return true
        case .date:
            guard let days = CivilDate.parse(WhiteSpace.trimmed(text)) else { return false }
            append(plan, upTo: 10, to: &record.document) { CivilDate.put(days, to: &$0) }
            value.key = keep(&record) { KeyEncoding.date(days, into: &$0) }
            return true
        case .enum, .bool, .json: return false
        }
    }

    func readText(
        _ text: RawSpan, isPlain: Bool, _ plan: FieldPlan, into record: inout DecodedRecord,
        _ value: inout DecodedValue
    ) {
        let label = tables.piece(plan.label)
        if isPlain {
            record.document.append(upTo: label.byteCount &+ text.byteCount &+ 2) { cursor in
                cursor.put(label)
                cursor.put(UInt8(ascii: "\""))
                cursor.put(text)
                cursor.put(UInt8(ascii: "\""))
            }
        } else {
            record.document.append(bytes: label)
            JSONText.append(text, to: &record.document)
        }
        if case .url = plan.type {
            value.key = keep(&record) { KeyEncoding.url(text, into: &$0) }
            let start = record.folded.count
            Folding.fold(text, into: &record.folded)
            value.folded = start..<record.folded.count
            return
        }
        value.key = keep(&record) { Folding.fold(text, into: &$0) }
        if !record.keys.rawSpan.extracting(value.key).equals(text) {
            value.tie = keep(&record) { $0.append(bytes: text) }
        }
    }

    func readNumber(
        _ text: RawSpan, _ plan: FieldPlan, into record: inout DecodedRecord, _ value: inout DecodedValue
    ) -> Bool {
        guard let number = NumberText(text), plan.type == .decimal || number.isWhole else { return false }
        append(tables.piece(plan.label), text, to: &record.document)
        value.key = keep(&record) { KeyEncoding.append(number, of: text, to: &$0) }
        return true
    }

    func readCode(
        _ node: Int, of tape: JSONTape, _ bytes: RawSpan, _ plan: FieldPlan, into record: inout DecodedRecord,
        _ value: inout DecodedValue
    ) {
        let source = tape[node]
        if case .string = source.kind, !source.hasEscapes {
            let text = bytes.extracting(source.start &+ 1..<source.end &- 1)
            if let code = tables.code(of: plan.vocabulary, matching: text) {
                return append(code: code, of: plan, to: &record, &value)
            }
        }
        let raw = keep(&record) { keys in
            if case .string = source.kind {
                tape.appendString(node, in: bytes, to: &keys)
            } else {
                tape.appendCompact(node, in: bytes, to: &keys)
            }
        }
        if let code = tables.code(of: plan.vocabulary, matching: record.keys.rawSpan.extracting(raw)) {
            record.keys.removeSubrange(raw)
            return append(code: code, of: plan, to: &record, &value)
        }
        append(code: tables.fallback[plan.vocabulary], of: plan, to: &record, &value)
        record.document.append(bytes: tables.piece(plan.rawLabel))
        JSONText.append(record.keys, raw, to: &record.document)
        value.raw = raw
        record.unsupported = true
    }

    func append(
        code: Int, of plan: FieldPlan, to record: inout DecodedRecord, _ value: inout DecodedValue
    ) {
        record.document.append(bytes: tables.piece(tables.codes[plan.firstCode + code]))
        value.code = code
    }

    @inline(__always)
    func append(_ label: RawSpan, _ text: RawSpan, to out: inout [UInt8]) {
        out.append(upTo: label.byteCount &+ text.byteCount) { cursor in
            cursor.put(label)
            cursor.put(text)
        }
    }

    /// Appends a field's label and, in quotes, what `write` puts.
    @inline(__always)
    func append(
        _ plan: FieldPlan, upTo count: Int, to out: inout [UInt8], _ write: (inout ByteCursor) -> Void
    ) {
        let label = tables.piece(plan.label)
        out.append(upTo: label.byteCount &+ count &+ 2) { cursor in
            cursor.put(label)
            cursor.put(UInt8(ascii: "\""))
            write(&cursor)
            cursor.put(UInt8(ascii: "\""))
        }
    }

    /// Where in the record's keys `append` put something.
    @inline(__always)
    func keep(_ record: inout DecodedRecord, _ append: (inout [UInt8]) -> Void) -> Range<Int> {
        let start = record.keys.count
        append(&record.keys)
        return start..<record.keys.count
    }
}
