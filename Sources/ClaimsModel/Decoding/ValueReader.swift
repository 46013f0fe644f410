// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Reads single values of upstream records into a decoded one, each by its field's type.
struct ValueReader: Sendable {
    let tables: DecoderTables
    /// The beginning of ids; empty for records of the only source of a collection.
    var idPrefix: [UInt8] = []
    /// The text of a string that had escapes.
    private var unescaped: [UInt8] = []

    init(tables: DecoderTables) {
        self.tables = tables
    }

    /// The first of a field's places in the record that holds a value.
    ///
    /// - Parameter nodes: for each member's number its node, or -1.
    /// - Returns: the node, and which of the field's pointers led there.
    mutating func locate(
        of plan: FieldPlan, _ nodes: [Int], _ tape: JSONTape, _ bytes: RawSpan
    ) -> (node: Int, pointer: Int)? {
        for path in plan.paths {
            var node = 0
            let member = tables.paths[path].member
            if member >= 0 {
                node = nodes[member]
                if node < 0 { continue }
                let rest = tables.paths[path].rest
                if rest >= 0 {
                    guard let inner = tape.resolve(tables.rests[rest], from: node, in: bytes) else { continue }
                    node = inner
                }
            }
            if isValue(node, of: tape, bytes) { return (node, path - plan.paths.lowerBound) }
        }
        return nil
    }

    /// Whether a node holds anything: null and strings without text do not.
    mutating func isValue(_ node: Int, of tape: JSONTape, _ bytes: RawSpan) -> Bool {
        let source = tape[node]
        guard case .string = source.kind else {
            if case .null = source.kind { return false }
            return true
        }
        let first = bytes.byte(at: source.start &+ 1)
        // The quote ends an empty string; a backslash may begin an escaped space.
        if first > 0x20, first < 0x80, first != UInt8(ascii: "\""), first != UInt8(ascii: "\\") { return true }
        unescaped.removeAll(keepingCapacity: true)
        tape.appendString(node, in: bytes, to: &unescaped)
        return !WhiteSpace.fills(unescaped.rawSpan)
    }

    /// The row of `table` whose key is the text of a node.
    mutating func row(of table: JoinTable, forNode node: Int, of tape: JSONTape, _ bytes: RawSpan) -> Int? {
        let source = tape[node]
        switch source.kind {
        case .string where source.hasEscapes:
            unescaped.removeAll(keepingCapacity: true)
            tape.appendString(node, in: bytes, to: &unescaped)
            return table.row(for: unescaped.rawSpan)
        case .string: return table.row(for: bytes.extracting(source.start &+ 1..<source.end &- 1))
        case .number: return table.row(for: bytes.extracting(source.range))
        default: return nil
        }
    }

    /// Reads an id; false if the node can be none.
    func readID(_ node: Int, of tape: JSONTape, _ bytes: RawSpan, into record: inout DecodedRecord) -> Bool {
        let source = tape[node]
        if !idPrefix.isEmpty { record.id += idPrefix }
        switch source.kind {
        case .string: tape.appendString(node, in: bytes, to: &record.id)
        case .number: record.id.append(bytes: bytes.extracting(source.range))
        default: return false
        }
        record.idKey.removeAll(keepingCapacity: true)
        let id = record.id
        KeyEncoding.natural(id.rawSpan, into: &record.idKey)
        return true
    }

    /// Appends the id that has been read as the value of its field.
    func appendID(_ plan: FieldPlan, to record: inout DecodedRecord, _ value: inout DecodedValue) {
        record.document.append(bytes: tables.piece(plan.label))
        let id = record.id
        JSONText.append(id.rawSpan, to: &record.document)
        let start = record.keys.count
        record.keys += record.idKey
        value.key = start..<record.keys.count
        let folded = record.folded.count
        Folding.fold(id.rawSpan, into: &record.folded)
        value.folded = folded..<record.folded.count
        value.isPresent = true
    }

    /// Appends the node's value as the value of the field. Where its type is wrong, nothing is appended and the
    /// answer is false.
    mutating func read(
        _ node: Int, of tape: JSONTape, _ bytes: RawSpan, as plan: FieldPlan, into record: inout DecodedRecord,
        value: inout DecodedValue
    ) -> Bool {
        let source = tape[node]
        switch plan.type {
        case .enum:
            readCode(node, of: tape, bytes, as: plan, into: &record, value: &value)
            return true
        case .bool:
            let isTrue: Bool
            switch source.kind {
            case .true: isTrue = true
            case .false: isTrue = false
            default: return false
            }
            append(tables.piece(plan.label), bytes.extracting(source.range), to: &record.document)
            value.key = keep(&record) { KeyEncoding.bool(isTrue: isTrue, into: &$0) }
            return true
        case .json:
            record.document.append(bytes: tables.piece(plan.label))
            tape.appendCompact(node, in: bytes, to: &record.document)
            return true
        case .integer, .decimal:
            if case .number = source.kind {
                return readNumber(bytes.extracting(source.range), plan, into: &record, &value)
            }
        case .id, .text, .url, .instant, .date:
            if case .number = source.kind, plan.acceptsNumber {
                readText(bytes.extracting(source.range), isPlain: true, plan, into: &record, &value)
                return true
            }
        }
        guard case .string = source.kind else { return false }
        if source.hasEscapes {
            unescaped.removeAll(keepingCapacity: true)
            tape.appendString(node, in: bytes, to: &unescaped)
            return readString(unescaped.rawSpan, isPlain: false, plan, into: &record, &value)
        }
        let text = bytes.extracting(source.start &+ 1..<source.end &- 1)
        return readString(text, isPlain: true, plan, into: &record, &value)
    }

    /// Gives an enum without a value the code that its vocabulary has for that, if it has one.
    func readAbsent(_ plan: FieldPlan, into record: inout DecodedRecord, _ value: inout DecodedValue) {
        guard plan.vocabulary >= 0, tables.absent[plan.vocabulary] >= 0 else { return }
        append(code: tables.absent[plan.vocabulary], of: plan, to: &record, &value)
        value.isPresent = true
    }
}

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
        _ node: Int, of tape: JSONTape, _ bytes: RawSpan, as plan: FieldPlan, into record: inout DecodedRecord,
        value: inout DecodedValue
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

    /// The positions in the record's keys where `append` wrote something.
    @inline(__always)
    func keep(_ record: inout DecodedRecord, _ append: (inout [UInt8]) -> Void) -> Range<Int> {
        let start = record.keys.count
        append(&record.keys)
        return start..<record.keys.count
    }
}

/// The field types that take a scalar as their value, as records are decoded.
///
///     let types = FittingTypes.of(.string, text: bytes)    // of "2026-11-20" date and text; nil of "  "
public struct FittingTypes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A number without fraction and exponent, as a number or as text.
    public static let integer = FittingTypes(rawValue: 1)
    /// Any number, as a number or as text.
    public static let decimal = FittingTypes(rawValue: 2)
    public static let instant = FittingTypes(rawValue: 4)
    public static let date = FittingTypes(rawValue: 8)
    public static let bool = FittingTypes(rawValue: 16)
    /// A text that begins as a web address does.
    public static let url = FittingTypes(rawValue: 32)
    public static let text = FittingTypes(rawValue: 64)
    public static let all = FittingTypes(rawValue: 127)

    /// The types that accept a value. The set is empty for a container: only json accepts it, and json accepts
    /// everything.
    ///
    /// - Parameter text: the bytes of a number, the unescaped text of a string.
    /// - Returns: nil for a value that counts as absent.
    public static func of(_ kind: JSONKind, text: RawSpan) -> FittingTypes? {
        switch kind {
        case .null: return nil
        case .true, .false: return .bool
        case .object, .array: return []
        case .number: return numbers(text)
        case .string:
            guard !WhiteSpace.fills(text) else { return nil }
            let trimmed = WhiteSpace.trimmed(text)
            var types = numbers(trimmed).union(.text)
            if Instant.parse(trimmed) != nil { types.insert(.instant) }
            if CivilDate.parse(trimmed) != nil { types.insert(.date) }
            if trimmed.matches("https://", at: 0) || trimmed.matches("http://", at: 0) { types.insert(.url) }
            return types
        }
    }

    private static func numbers(_ text: RawSpan) -> FittingTypes {
        guard let number = NumberText(text) else { return [] }
        for offset in 0..<text.byteCount {
            // A value such as 1.0 is whole, but other values of the field may not be.
            switch text.byte(at: offset) {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return .decimal
            default: break
            }
        }
        return number.isWhole ? [.integer, .decimal] : .decimal
    }
}

/// The form of the ids of records. Ids appear in cursors and logs, on command lines, and on lines that programs read.
public enum IDForm {
    /// The maximal length, in bytes.
    public static let maxLength = 1024

    /// The reason why a text in UTF-8 can be no id, for people; nil if it can be one.
    public static func objection(to id: RawSpan) -> String? {
        if WhiteSpace.fills(id) { return "no id" }
        if id.byteCount > maxLength { return "the id is longer than \(maxLength) bytes" }
        return hasControls(id) ? "the id has a control character" : nil
    }

    /// Whether a text has a control character: C0, DEL or C1.
    private static func hasControls(_ id: RawSpan) -> Bool {
        for offset in 0..<id.byteCount {
            switch id.byte(at: offset) {
            case 0..<0x20, 0x7F: return true
            // C2 begins the scalars U+0080 to U+00BF.
            case 0xC2: if id.byte(at: offset &+ 1) < 0xA0 { return true }
            default: break
            }
        }
        return false
    }
}
