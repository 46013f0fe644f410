// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsUpstream

/// Drafts a definition from an upstream's answer, for a person to complete.
///
///     let draft = DefinitionDraft(name: "valves", url: "https://valves.example/v1")
///     print(try draft.text(of: body.rawSpan))
///
/// The text is commented JSON5 without problems. Of the data it quotes names of members and the codes of enums alone.
public struct DefinitionDraft: Sendable {
    /// The maximal number of elements that are inspected.
    public static let maxElements = 10_000

    /// The name of the collection, which must be one (``ClaimsModel/ReservedNames/isName(_:)``).
    public let name: String
    /// The pointer to the records; nil for the largest array of objects.
    public let root: JSONPointer?
    /// The address that the answer came from; nil if it was a file.
    public let url: String?
    /// Whether the answer had a `Link` header that names a next page.
    public var hasLink = false
    /// The names that the draft must not use.
    public var taken = TakenNames()

    public init(name: String, root: JSONPointer? = nil, url: String? = nil) {
        self.name = name
        self.root = root
        self.url = url
    }

    /// The name that the draft has in the end: ``name``, unless another collection has it.
    public var freeName: String { taken.free(name) }

    /// Why the draft has another name than ``name``, as a sentence for people; nil if it has that.
    public var renaming: TranslatedText? {
        taken.objection(to: name).map { objection in
            TranslatedText(
                en: "\(objection.english), so the draft is for '\(freeName)'",
                pl: "\(objection.polish), więc szkic jest dla kolekcji „\(freeName)”")
        }
    }

    /// The definition for records such as those in `body`.
    public func text(of body: RawSpan) throws(DraftError) -> String {
        let outline: JSONOutline
        do throws(JSONError) { outline = try JSONOutline(body) } catch {
            throw DocumentKind(body).map { .other($0) } ?? .notJSON(error)
        }
        // GraphQL reports failures with the status 200.
        let full = outline.lists.filter { $0.objects > 0 }
        if self.root == nil, full.count == 1, full[0].pointer.text == "/errors" { throw .other(.failure) }
        let root = if let root = self.root { root } else { try Self.recordList(outline) }
        let (survey, elements) = try Self.survey(body, root)
        guard survey.records > 0 else {
            throw elements > 0 && !DocumentKind.isUTF8(body) ? .other(.latin1) : .noObjects(root)
        }
        let (fields, isCut) = try FieldDrafting(survey: survey).fields()
        let count = outline.lists.last { $0.pointer == root }?.elements ?? elements
        let hints = SourceHints(outline, root: root, elements: count, hasLink: hasLink, fields: fields, body)
        let text = DefinitionText(
            draft: self, root: root, fields: fields, hints: hints.lines, records: survey.records,
            others: elements - survey.records, isCut: isCut, isPart: count > elements)
        return text.text
    }

    /// The list with the most objects, of equal ones the first.
    private static func recordList(_ outline: JSONOutline) throws(DraftError) -> JSONPointer {
        var best: JSONOutline.List?
        for list in outline.lists where list.objects > best?.objects ?? 0 { best = list }
        if let best { return best.pointer }
        // A list without elements is named, so that a person knows why it cannot be learned from.
        if let list = outline.lists.first(where: { $0.elements == 0 }) { throw .noObjects(list.pointer) }
        throw outline.scalars.contains { $0.pointer.tokens.count == 1 } ? .other(.oneObject) : .noList
    }

    /// The members of the objects at `root`, and the number of elements inspected.
    private static func survey(_ body: RawSpan, _ root: JSONPointer) throws(DraftError) -> (MemberSurvey, Int) {
        var survey = MemberSurvey()
        var count = 0
        var tape = JSONTape()
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(body, root: root) } catch {
            if case .notJSON(let error) = error { throw .notJSON(error) }
            throw .notAList(root)
        }
        do throws(JSONError) {
            while count < maxElements, let element = try elements.next(into: &tape) {
                count += 1
                if case .value = element, tape[0].kind == .object { survey.inspect(tape, body) }
            }
        } catch { throw .notJSON(error) }
        return (survey, count)
    }
}

/// Writes a drafted definition as commented JSON5.
struct DefinitionText {
    let draft: DefinitionDraft
    let root: JSONPointer
    let fields: [DraftedField]
    /// Keys of the source that may be right, as comments.
    let hints: [String]
    /// The number of objects that were inspected.
    let records: Int
    /// The number of elements that were inspected and are no objects.
    let others: Int
    /// Members were left out.
    let isCut: Bool
    /// Further elements were not inspected.
    let isPart: Bool

    /// The whole file.
    var text: String {
        let lines = head + source + ["    fields: {"] + fields.flatMap(line) + ["    },"] + vocabularies + tail
        return lines.joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        let count = Plural.records.text(records).english
        var lines = [
            "// A draft by claimsctl define, from \(isPart ? "the first " : "")\(count).",
            "// Types and codes are those of the values seen. Before it is used:",
            "//     claimsctl try \(name).json5",
        ]
        if let renaming = draft.renaming { lines.append("// \(renaming.english).") }
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

/// The answer from which a definition is drafted, and its address.
public struct DraftSample: Sendable {
    private let body: FetchedBody
    /// The address that was asked; nil for a file.
    private let url: String?
    /// Whether the answer had a `Link` header that names a next page.
    private let hasLink: Bool

    private init(_ body: FetchedBody, url: String?, hasLink: Bool) {
        self.body = body
        self.url = url
        self.hasLink = hasLink
    }

    /// A document that was read from a file.
    public init(_ bytes: [UInt8]) { self.init(FetchedBody(bytes), url: nil, hasLink: false) }

    /// Asks an address once, without a definition, on the calling thread.
    ///
    /// - Parameter spoolDirectory: the folder of the unnamed files that hold large bodies.
    public static func fetch(_ url: String, spoolDirectory: String) throws(FetchFailure) -> DraftSample {
        do throws(HTTPError) {
            let limits = TransferLimits()
            if url.hasPrefix("file:") {
                let body = try FileTransfer.read(url, limits: limits, spoolDirectory: spoolDirectory)
                return DraftSample(body, url: url, hasLink: false)
            }
            let client = try HTTPClient(spoolDirectory: spoolDirectory)
            let response = try client.perform(
                HTTPRequest(url: url, headers: [("Accept", "application/json")], limits: limits))
            return DraftSample(response.body, url: url, hasLink: response.linkNext != nil)
        } catch {
            throw .of(error, fetching: url)
        }
    }

    /// A draft of a definition for it.
    ///
    /// - Parameter root: the pointer to the records; nil for the largest array of objects.
    public func draft(named name: String, root: JSONPointer?, taken: TakenNames) -> DefinitionDraft {
        var draft = DefinitionDraft(name: name, root: root, url: url)
        draft.hasLink = hasLink
        draft.taken = taken
        return draft
    }

    /// The text of the definition that a draft makes for this answer.
    public func text(of draft: DefinitionDraft) throws(DraftError) -> String {
        try body.withBytes { bytes throws(DraftError) in try draft.text(of: bytes) }
    }
}
