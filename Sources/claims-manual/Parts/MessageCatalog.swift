// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The journal's message catalogue, read from systemd/claimsd.catalog.
public struct MessageCatalog: Sendable {
    /// An entry of the catalogue: the explanation of one message.
    public struct Entry: Sendable {
        /// The `MESSAGE_ID`, 32 hexadecimal digits.
        public let id: String
        /// The subject line.
        public let subject: String
        /// The explanation, one element for each paragraph.
        public let text: [String]
    }

    /// The entries, in the order of the file.
    public let entries: [Entry]

    /// Reads a catalogue in the form that `journalctl --update-catalog` takes.
    ///
    /// - Throws: a `ManualError` for an entry without a subject.
    public init(_ text: String) throws(ManualError) {
        var entries: [Entry] = []
        for part in ("\n" + text).split(separator: "\n-- ", omittingEmptySubsequences: false).dropFirst() {
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            let header = lines.prefix { !$0.isEmpty }
            guard let id = header.first, let subject = header.first(where: { $0.hasPrefix("Subject: ") }) else {
                throw ManualError("the catalogue has an entry without a subject")
            }
            let paragraphs = lines.dropFirst(header.count).split(separator: "").map { $0.joined(separator: " ") }
            entries.append(
                Entry(id: String(id), subject: String(subject.dropFirst("Subject: ".count)), text: paragraphs))
        }
        self.entries = entries
    }

    /// The entries as a table; values that the journal fills in are marked.
    var blocks: [Block] {
        [
            .table(
                header: ["Subject", "`MESSAGE_ID`", "Explanation"],
                rows: entries.map { entry in
                    ["\(Self.marked(entry.subject))", "`\(entry.id)`", Self.marked(entry.text.joined(separator: " "))]
                })
        ]
    }

    /// `@CLAIMSD_COLLECTION@` as *collection*.
    private static func marked(_ text: String) -> String {
        text.split(separator: "@", omittingEmptySubsequences: false).map { piece in
            guard piece.hasPrefix("CLAIMSD_"), piece.allSatisfy({ $0.isUppercase || $0 == "_" }) else {
                return String(piece)
            }
            return "*\(piece.dropFirst("CLAIMSD_".count).lowercased().replacing("_", with: " "))*"
        }.joined()
    }
}
