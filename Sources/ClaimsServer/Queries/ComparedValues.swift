// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery

/// The values of one record in the form in which terms compare them.
struct ComparedValues {
    /// The bytes of a value that are shown.
    static let maxBytes = 256

    private let definition: Definition
    private let record: JSONValue
    private let pending: PendingState?

    /// - Parameters:
    ///   - document: the record as it is served; empty for none.
    ///   - pending: the state of its unsettled operations; nil where there are none.
    init(_ definition: Definition, document: [UInt8], pending: PendingState? = nil) {
        self.pending = pending
        self.definition = definition
        // A served record nests less deep than a body; without one every value is absent.
        record = (try? JSONValue.parse(document, depth: JSONElements.bodyDepth)) ?? .object(JSONObject())
    }

    /// Writes `value` and, where it is cut, `cut` as members of a node.
    func write(_ term: ExplainedTerm, to writer: inout JSONWriter) {
        var isCut = false
        let value: JSONValue
        if let field = term.field {
            value = shown(field, as: term.form, &isCut) ?? nil
        } else if term.isPending {
            value = pending.map { .string($0.rawValue) } ?? .null
        } else {
            var members: [JSONObject.Member] = []
            for field in definition.searchedFields {
                guard let text = shown(field, as: .folded, &isCut) else { continue }
                members.append(JSONObject.Member(definition.fields[field].name, text))
            }
            value = .object(JSONObject(members))
        }
        writer.key(ExplainResult.Node.value)
        value.write(to: &writer)
        if isCut { writer.member(ExplainResult.Node.isCut, true) }
    }

    /// The value of a field; nil where it is absent.
    private func shown(_ field: Int, as form: ExplainedTerm.Form, _ isCut: inout Bool) -> JSONValue? {
        let name = definition.fields[field].name
        guard let value = record[form == .received ? name + ".raw" : name] else { return nil }
        switch value {
        case .string(let text):
            let isFolded = form == .folded || form == .searched
            return .string(Self.cut(isFolded ? Folding.fold(text) : Array(text.utf8), &isCut))
        case .object, .array:
            var writer = JSONWriter()
            value.write(to: &writer)
            return .string(Self.cut(writer.bytes, &isCut))
        case .null, .bool, .number: return value
        }
    }

    /// The beginning of a text, with whole characters.
    private static func cut(_ text: [UInt8], _ isCut: inout Bool) -> String {
        guard text.count > maxBytes else { return String(decoding: text, as: UTF8.self) }
        isCut = true
        var end = maxBytes
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: text[..<end], as: UTF8.self)
    }
}
