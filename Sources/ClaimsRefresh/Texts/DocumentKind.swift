// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// A document that people mistake for an array of records.
public enum DocumentKind: Sendable, CaseIterable {
    case html, xml, csv, jsonLines, latin1, utf16, gzip, oneObject, failure

    /// Recognizes bytes that are not JSON; nil if they resemble nothing of this.
    init?(_ bytes: RawSpan) {
        if bytes.byteCount >= 2, [0xFEFF, 0xFFFE].contains(Int(bytes.byte(at: 0)) << 8 | Int(bytes.byte(at: 1))) {
            self = .utf16
            return
        }
        if bytes.byteCount >= 2, bytes.byte(at: 0) == 0x1F, bytes.byte(at: 1) == 0x8B {
            self = .gzip
            return
        }
        if let markup = Self.markup(bytes) {
            self = markup
            return
        }
        let text = Self.start(of: bytes)
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        guard let first = lines.first?.drop(while: { $0.isWhitespace || $0 == "\u{feff}" }) else { return nil }
        if Self.isObject(first), lines.count > 1, lines[1].hasPrefix("{") {
            self = .jsonLines
        } else if lines.count > 1, Self.isTable(Array(lines.prefix(3))) {
            self = .csv
        } else if !Self.isUTF8(bytes) {
            self = .latin1
        } else {
            return nil
        }
    }

    /// HTML or XML; nil for bytes that do not begin like either.
    static func markup(_ bytes: RawSpan) -> DocumentKind? {
        let text = start(of: bytes).drop { $0.isWhitespace || $0 == "\u{feff}" }
        guard text.hasPrefix("<") else { return nil }
        let lower = text.lowercased()
        return lower.contains("<html") || lower.hasPrefix("<!doctype html") ? .html : .xml
    }

    private static func start(of bytes: RawSpan) -> String {
        var start: [UInt8] = []
        start.append(bytes: bytes.extracting(first: min(bytes.byteCount, maxStart)))
        return String(decoding: start, as: UTF8.self)
    }

    /// Whether bytes are UTF-8.
    static func isUTF8(_ bytes: RawSpan) -> Bool {
        var copy: [UInt8] = []
        copy.append(bytes: bytes)
        return String(validating: copy, as: UTF8.self) != nil
    }

    /// The number of bytes at the beginning that are inspected.
    private static let maxStart = 64 << 10

    private static func isObject(_ line: Substring) -> Bool {
        guard let value = try? JSONValue.parse(Array(line.utf8)), case .object = value else { return false }
        return true
    }

    /// Whether lines have one separator equally often.
    private static func isTable(_ lines: [Substring]) -> Bool {
        guard let first = lines.first?.first, first != "{", first != "[" else { return false }
        let separators: [Character] = [",", ";", "\t"]
        return separators.contains { separator in
            let counts = lines.map { line in line.count { $0 == separator } }
            return counts[0] > 0 && counts.allSatisfy { $0 == counts[0] }
        }
    }

    /// The name of it, and the way to help, for people.
    var text: TranslatedText {
        switch self {
        case .html:
            TranslatedText(
                en: "this is HTML, a page for people; the upstream's manual has the address of its data",
                pl: "to jest HTML, strona dla ludzi; adres danych podaje dokumentacja serwera")
        case .xml: TranslatedText(en: "this is XML; expected JSON", pl: "to jest XML; oczekiwano formatu JSON")
        case .csv:
            TranslatedText(
                en: "this is CSV, a table; expected JSON: an array with an object for each record",
                pl: "to jest CSV, tabela; oczekiwano formatu JSON: tablicy z obiektem dla każdego rekordu")
        case .jsonLines:
            TranslatedText(
                en: "these are JSON lines, an object in each; expected one array, as of: jq -s . FILE",
                pl: "to są linie JSON, w każdej obiekt; oczekiwano jednej tablicy, jak z: jq -s . FILE")
        case .latin1:
            TranslatedText(
                en: "its text is not UTF-8, but perhaps Latin-1; this makes it UTF-8: iconv -f LATIN1 -t UTF-8 FILE",
                pl: "to nie jest tekst UTF-8, lecz może Latin-1; na UTF-8 zmienia go: iconv -f LATIN1 -t UTF-8 FILE")
        case .utf16:
            TranslatedText(
                en: "its text is UTF-16; this makes it UTF-8: iconv -f UTF-16 -t UTF-8 FILE",
                pl: "to jest tekst UTF-16; na UTF-8 zmienia go: iconv -f UTF-16 -t UTF-8 FILE")
        case .gzip:
            TranslatedText(
                en: "this is compressed; this unpacks it: gunzip -c FILE",
                pl: "to są dane skompresowane; rozpakowuje je: gunzip -c FILE")
        case .failure:
            TranslatedText(
                en: "this reports a failure: its only objects are 'errors'; if these are the records: --root /errors",
                pl: "to jest zgłoszenie błędu: jedyne obiekty to „errors”; jeśli to one są rekordami: --root /errors")
        case .oneObject:
            TranslatedText(
                en: "this is one object; expected an array with an object for each record",
                pl: "to jest jeden obiekt; oczekiwano tablicy z obiektem dla każdego rekordu")
        }
    }
}
