// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel

/// Drafts a definition from an upstream's answer, for a person to complete.
///
///     let draft = DefinitionDraft(name: "valves", url: "https://valves.example/v1")
///     print(try draft.text(of: body.rawSpan))
///
/// The text is commented JSON5 without problems. Of the data it quotes names of members and the codes of enums alone.
public struct DefinitionDraft: Sendable {
    /// The maximal number of elements that are looked at.
    public static let maxElements = 10_000

    /// The name of the collection, which must be one (``ClaimsModel/ReservedNames/isName(_:)``).
    public let name: String
    /// The pointer to the records; nil to take the largest array of objects.
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

    /// Why the draft has another name than ``name``, as a sentence for people; nil where it has that.
    public var renaming: ErrorText? {
        taken.objection(to: name).map { objection in
            ErrorText(
                en: "\(objection.text("en")), so the draft is for '\(freeName)'",
                pl: "\(objection.text("pl")), więc szkic jest dla kolekcji „\(freeName)”")
        }
    }

    /// The definition for records such as those in `body`.
    public func text(of body: RawSpan) throws(DraftError) -> String {
        let outline: JSONOutline
        do throws(JSONError) { outline = try JSONOutline(body) } catch {
            throw DocumentKind(body).map { .other($0) } ?? .notJSON(error)
        }
        // GraphQL tells failures with the status 200.
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

    /// The members of the objects at `root`, and the number of elements looked at.
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
                if case .value = element, tape[0].kind == .object { survey.note(tape, body) }
            }
        } catch { throw .notJSON(error) }
        return (survey, count)
    }
}
