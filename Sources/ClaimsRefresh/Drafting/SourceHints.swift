// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The signs in a document that there are further pages, or that a request could ask for less.
///
/// All hints become comments, because only the manual of an upstream shows whether it works that way.
struct SourceHints {
    /// Lines of comments, each with the key and a remark.
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - outline: the values around the records.
    ///   - elements: the number of elements of the array.
    ///   - hasLink: whether the answer had a `Link` header that names a next page.
    init(
        _ outline: JSONOutline, root: JSONPointer, elements: Int, hasLink: Bool, fields: [DraftedField],
        _ bytes: RawSpan
    ) {
        addPaging(outline, elements: elements, hasLink: hasLink, bytes)
        if let list = outline.lists.first(where: { $0.pointer.lastName == "errors" && $0.pointer != root }) {
            lines.append("fails: \(list.pointer.quoted),    // if a value there means that the request has failed")
        }
        addPosition(fields)
    }

    private mutating func addPaging(_ outline: JSONOutline, elements: Int, hasLink: Bool, _ bytes: RawSpan) {
        if hasLink {
            lines.append("next: { link: true },    // the answer's Link header names a next page")
        }
        var more: JSONPointer?
        for scalar in outline.scalars where [.true, .false].contains(scalar.kind) {
            let words = scalar.pointer.lastWords
            if words.contains("more") || words.contains("next") { more = scalar.pointer }
        }
        let moreText = more.map { ", more: \($0.quoted)" } ?? ""
        var isPaged = hasLink
        for scalar in outline.scalars where scalar.kind == .string || scalar.kind == .number || scalar.kind == .null {
            let words = scalar.pointer.lastWords
            if words.contains("cursor") || words.contains("token") || words.contains("continuation") {
                guard !words.contains("start"), !words.contains("previous"), !words.contains("prev") else { continue }
                lines.append(
                    "next: { cursor: \(scalar.pointer.quoted)\(moreText), to: \"cursor\" },    "
                        + "// name the parameter that the upstream expects")
                isPaged = true
            } else if words.contains("next"), scalar.kind != .number {
                lines.append(
                    "next: { pointer: \(scalar.pointer.quoted) },    // if the address of the next page is there")
                isPaged = true
            }
            if isPaged { break }
        }
        if isPaged { return }
        let total = outline.scalars.first { scalar in
            guard scalar.kind == .number, !scalar.pointer.lastWords.isDisjoint(with: ["total", "count"]) else {
                return false
            }
            return (Int(Self.text(bytes.extracting(scalar.range))) ?? 0) > elements
        }
        let isRound = [10, 20, 25, 30, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000].contains(elements)
        guard more != nil || total != nil || isRound else { return }
        let reason =
            total.map { "\($0.pointer.quoted) says that there are more" } ?? "\(elements) records may be one page"
        lines.append("next: { page: \"page\", size: \(max(1, elements))\(moreText) },    // \(reason)")
    }

    private mutating func addPosition(_ fields: [DraftedField]) {
        let changed = fields.first { field in
            [.instant, .date].contains(field.type)
                && !field.pointer.lastWords.isDisjoint(with: ["updated", "modified", "changed", "update", "change"])
        }
        if let changed {
            lines.append(
                "since: { to: \"updated_since\", field: \"\(changed.name)\", overlap: \"5min\", full: \"24h\" },    "
                    + "// if it can be asked for what has changed")
        }
        let deleted = fields.first { field in
            [.bool, .instant, .date, .integer].contains(field.type)
                && !field.pointer.lastWords.isDisjoint(with: ["deleted", "removed"])
        }
        if let deleted {
            lines.append("deleted: \(deleted.pointer.quoted),    // if that marks a record as gone")
        }
    }

    private static func text(_ bytes: RawSpan) -> String {
        var copy: [UInt8] = []
        copy.append(bytes: bytes)
        return String(decoding: copy, as: UTF8.self)
    }
}

extension JSONPointer {
    /// The last token; empty for the whole document.
    fileprivate var lastName: String { tokens.last.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The words of the last token.
    fileprivate var lastWords: Set<String> {
        Set((FieldName.of(lastName) ?? "").split(separator: "_").map(String.init))
    }

    /// The pointer as a string of JSON5.
    var quoted: String { DraftText.quoted(text) }
}

/// The address of a draft without the secrets in its query, which belong in a credential.
struct DraftedAddress {
    /// The address without them.
    let url: String
    /// The names of the query parameters that were secrets, in their order.
    let secrets: [String]

    init(_ url: String) {
        let end = url.firstIndex(of: "#") ?? url.endIndex
        guard let mark = url[..<end].firstIndex(of: "?") else {
            (self.url, secrets) = (url, [])
            return
        }
        var kept: [Substring] = []
        var secrets: [String] = []
        for pair in url[url.index(after: mark)..<end].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: PercentEncoding.decode(parts[0]), as: UTF8.self)
            if parts.count > 1, !parts[1].isEmpty,
                SecretNames.isSecret(name) || SecretNames.isLikely(name, value: parts[1])
            {
                if !secrets.contains(name) { secrets.append(name) }
            } else {
                kept.append(pair)
            }
        }
        self.secrets = secrets
        if secrets.isEmpty {
            self.url = url
        } else {
            let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
            self.url = "\(url[..<mark])\(query)\(url[end...])"
        }
    }
}
