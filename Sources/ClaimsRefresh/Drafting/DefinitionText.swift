// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// Writes a drafted definition as commented JSON5.
struct DefinitionText {
    let draft: DefinitionDraft
    let root: JSONPointer
    let fields: [DraftedField]
    /// Keys of the source that may be right, as comments.
    let hints: [String]
    /// The number of objects that were looked at.
    let records: Int
    /// The number of elements that were looked at and are no objects.
    let others: Int
    /// Members were left out.
    let isCut: Bool
    /// Further elements were not looked at.
    let isPart: Bool

    /// The whole file.
    var text: String {
        let lines = head + source + ["    fields: {"] + fields.flatMap(line) + ["    },"] + vocabularies + tail
        return lines.joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        var lines = [
            "// A draft by claimsctl define, from \(isPart ? "the first " : "")\(records) record\(records == 1 ? "" : "s").",
            "// Types and codes are those of the values seen. Before it is used:",
            "//     claimsctl try \(name).json5",
        ]
        if let renaming = draft.renaming { lines.append("// \(renaming.text("en")).") }
        if others > 0 { lines.append("// \(others) of the elements could not be read as objects.") }
        if isCut { lines.append("// There are more members than become fields here; all are kept with the record.") }
        lines += ["{", "    title: \(DraftText.quoted(LocalizedText.humanized(name))),"]
        lines.append("    singular: \(DraftText.quoted(singular)),")
        return lines
    }

    private var source: [String] {
        var lines = ["    source: {"]
        if let url = draft.url {
            let address = DraftedAddress(url)
            lines.append("        url: \(DraftText.quoted(address.url)),")
            if let parameter = address.secrets.first {
                lines.append(
                    "        auth: { key: { secret: \(DraftText.quoted(name)), parameter: "
                        + "\(DraftText.quoted(parameter)) } },    // its value is a secret: put it into the credential \(name)"
                )
            }
            lines += address.secrets.dropFirst().map { parameter in
                "        // the address had \(DraftText.quoted(parameter)), too, which may be a secret"
            }
        } else {
            lines.append("        // url: \"https://…\",    // where the records come from")
        }
        lines.append("        interval: \"5min\",")
        if !root.tokens.isEmpty { lines.append("        root: \(root.quoted),") }
        return lines + hints.map { "        // \($0)" } + ["    },"]
    }

    private func line(_ field: DraftedField) -> [String] {
        var parts = ["type: \"\(field.type.rawValue)\"", "from: [\(field.pointer.quoted)]"]
        if field.type == .enum { parts.append("vocabulary: \"\(field.name)\"") }
        if field.isSearched { parts.append("search: true") }
        if field.isEmphasized { parts.append("bold: true") }
        let remark = field.remark.map { "    // \($0)" } ?? ""
        return ["        \(field.name): { \(parts.joined(separator: ", ")) },\(remark)"]
    }

    private var vocabularies: [String] {
        let enums = fields.filter { $0.type == .enum }
        guard !enums.isEmpty else { return [] }
        var lines = ["    vocabularies: {"]
        for field in enums {
            guard let vocabulary = DraftedVocabulary(field.codes) else { continue }
            lines.append("        \(field.name): {")
            lines.append("            fallback: \(DraftText.quoted(vocabulary.fallback)),    // any other value")
            lines.append("            codes: {")
            for (index, code) in vocabulary.codes.enumerated() {
                lines.append("                \(DraftText.quoted(code)): { rank: \((index + 1) * 10) },")
            }
            if vocabulary.isFallbackNew {
                lines.append("                \(DraftText.quoted(vocabulary.fallback)): { rank: -1 },")
            }
            lines += ["            },", "        },"]
        }
        return lines + ["    },"]
    }

    private var tail: [String] {
        let list = FieldDrafting.list(fields).map { "\"\($0)\"" }.joined(separator: ", ")
        return ["    list: [\(list)],", "}"]
    }

    private var name: String { draft.freeName }

    /// The word for one record, which becomes an option of claimsctl.
    private var singular: String {
        var word = draft.name
        if word.count > 3, word.hasSuffix("ies") {
            word = word.dropLast(3) + "y"
        } else if word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss") {
            word.removeLast()
        }
        if ReservedNames.options.contains(word) { word += "_record" }
        return draft.taken.free(word)
    }
}
