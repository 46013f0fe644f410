// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
import ClaimsUpstream

/// The reason why no definition can be drafted from a document. It holds nothing of the document but names.
public enum DraftError: Error, Equatable, Sendable {
    /// The document is not JSON.
    case notJSON(JSONError)
    /// The document is something else than an array of records in JSON.
    case other(DocumentKind)
    /// No array of objects lies in the document at the expected pointer.
    case noList
    /// The pointer that was given leads to no array.
    case notAList(JSONPointer)
    /// The array has no elements that are objects.
    case noObjects(JSONPointer)
    /// No member has a distinct value in each of the objects.
    case noID(objects: Int)
    /// No member can be the id; the member with the name of an id has a value that occurs more than once.
    case repeatedID(JSONPointer, objects: Int)

    /// The reason as a sentence for people, with the remedy.
    public var text: TranslatedText {
        switch self {
        case .notJSON(let error):
            TranslatedText(en: "this is not JSON: ", pl: "to nie jest JSON: ").joined("", error.text)
        case .other(let kind): kind.text
        case .noList:
            TranslatedText(
                en: "there is no array of objects in it, at a depth of \(JSONOutline.maxDepth) at most",
                pl: "nie ma w tym tablicy obiektów, najwyżej na głębokości \(JSONOutline.maxDepth)")
        case .notAList(let root):
            TranslatedText(
                en: "there is no array at '\(DraftText.visible(root.text))'",
                pl: "w miejscu „\(DraftText.visible(root.text))” nie ma tablicy")
        case .noObjects(let root):
            TranslatedText(
                en: "the array at '\(DraftText.visible(root.text))' has no objects to learn from",
                pl:
                    "tablica w miejscu „\(DraftText.visible(root.text))” nie zawiera obiektów, z których można się uczyć"
            )
        case .repeatedID(let pointer, let objects):
            TranslatedText(
                en:
                    "nothing can be the id: '\(DraftText.visible(pointer.text))' has a value that comes more than once, "
                    + "and no other member is in all of the \(objects) objects with a value that comes once; "
                    + "another array is chosen with --root",
                pl: "nic nie może być identyfikatorem: „\(DraftText.visible(pointer.text))” ma wartość, która się "
                    + "powtarza, a żadna inna składowa nie występuje we wszystkich obiektach (\(objects)) "
                    + "z niepowtarzalną wartością; inną tablicę wybiera --root")
        case .noID(let objects):
            TranslatedText(
                en:
                    "nothing can be the id: no text or integer is in all of the \(objects) objects with a value that "
                    + "comes once (decimals, dates and bools are no ids); another array is chosen with --root",
                pl: "nic nie może być identyfikatorem: żaden tekst ani liczba całkowita nie występuje we wszystkich "
                    + "obiektach (\(objects)) z niepowtarzalną wartością (ułamki, daty i wartości logiczne nie są "
                    + "identyfikatorami); inną tablicę wybiera --root")
        }
    }
}

/// Text from elsewhere in a file for people: it can neither end a comment nor reach a terminal as a control character.
enum DraftText {
    /// `text` as a JSON5 string.
    static func quoted(_ text: String) -> String { "\"\(escaped(text, isQuoted: true))\"" }

    /// A text for a sentence.
    static func visible(_ text: String) -> String { escaped(text, isQuoted: false) }

    private static func escaped(_ text: String, isQuoted: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if TextSafety.isUnsafe(scalar) {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
                }
                continue
            }
            if isQuoted, scalar == "\"" || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
