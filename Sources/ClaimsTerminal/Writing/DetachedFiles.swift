// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The files that `--detach` takes away.
struct DetachedFiles {
    /// The texts by which `submit` takes them away.
    private(set) var references: [String] = []
    /// The files for the text of a dry run, a line for each.
    private(set) var lines: [String] = []

    /// No files.
    init() {}

    /// The files of a record that are named by their SHA-256, by their name, or by their number as `open` counts. The
    /// record is asked for only where one is not named by its SHA-256, and for a dry run, which shows the files.
    ///
    /// - Throws: a usage error for a text that names no file of the record, or several.
    init(
        _ texts: [String], of reference: RecordReference, _ description: CollectionDescription,
        _ context: CommandContext
    ) throws(CommandError) {
        guard !texts.isEmpty else { return }
        let areHashes = texts.allSatisfy(Self.isHash)
        guard !areHashes || context.invocation.isDryRun else {
            references = texts.map { $0.lowercased() }
            return
        }
        var parameters = DetailParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        let known = RecordAttachments(try context.call(.detail, parameters)[DetailResult.record], description)
        for text in texts {
            if Self.isHash(text) {
                // All files of that content, under whatever name.
                references.append(text.lowercased())
                lines += known.files.filter { $0.sha256 == text.lowercased() }.map { $0.line(context.messages) }
            } else {
                let keeper = description.writes?.isUpstream == true ? Self.keptUpstream : nil
                let file = try Self.file(text, among: known.files, of: reference.id, otherwise: keeper)
                references.append(known.reference(to: file))
                lines.append(file.line(context.messages))
            }
        }
    }

    private static let keptUpstream = TranslatedText(
        en: "files that an upstream has are not taken away from here", pl: "plików z serwera nie można stąd odłączyć")

    private static func file(
        _ text: String, among files: [RecordFile], of id: String, otherwise keeper: TranslatedText?
    ) throws(CommandError) -> RecordFile {
        let named = Set(files.filter { $0.name == text })
        let list = files.enumerated().map { "\($0 + 1) \(Escaping.line($1.name))" }.joined(separator: ", ")
        let hint = files.isEmpty ? keeper : TranslatedText(en: "its files: \(list)", pl: "jego pliki: \(list)")
        guard named.count < 2 else {
            throw .usage(
                UsageError(
                    en: "\(id) has several files named '\(text)'", pl: "\(id) ma kilka plików o nazwie „\(text)”",
                    hint: hint))
        }
        let numbered = Int(text).flatMap { files.indices.contains($0 - 1) ? files[$0 - 1] : nil }
        if let first = named.first, let numbered, first != numbered {
            throw .usage(
                UsageError(
                    en: "'\(text)' is the name of one file of \(id), and the number of another",
                    pl: "„\(text)” to nazwa jednego pliku rekordu \(id) i numer innego",
                    hint: TranslatedText(
                        en: "its files: \(list); a SHA-256 names one, too",
                        pl: "jego pliki: \(list); plik można też wskazać przez SHA-256")))
        }
        if let file = named.first ?? numbered { return file }
        throw .usage(
            UsageError(en: "\(id) has no file '\(text)'", pl: "\(id) nie ma pliku „\(text)”", hint: hint))
    }

    /// Whether a file is named by its SHA-256, which stays its name whatever other files come and go.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { ASCII.hexValue($0) != nil }
    }
}
