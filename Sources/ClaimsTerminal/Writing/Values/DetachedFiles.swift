// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The files that `--detach` takes away.
enum DetachedFiles {
    /// The SHA-256 of files of a record that are named by it, by their name, or by their number as `open` counts. The
    /// record is asked for only where one is not named by its SHA-256.
    ///
    /// - Throws: a usage error for a text that names no file of the record, or several.
    static func hashes(
        _ texts: [String], of reference: RecordReference, _ description: CollectionDescription,
        _ context: CommandContext
    ) throws(CommandError) -> [String] {
        guard !texts.allSatisfy(isHash) else { return texts }
        var parameters = DetailParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        let files = RecordFiles(try context.call(.detail, parameters)[DetailResult.record], description).files
        var hashes: [String] = []
        for text in texts { hashes.append(try hash(text, among: files, of: reference.id)) }
        return hashes
    }

    private static func hash(_ text: String, among files: [RecordFile], of id: String) throws(CommandError) -> String {
        if isHash(text) { return text }
        let named = Set(files.filter { $0.name == text }.map(\.sha256))
        if let only = named.first, named.count == 1 { return only }
        let list = files.enumerated().map { "\($0 + 1) \(Escaping.line($1.name))" }.joined(separator: ", ")
        let hint = files.isEmpty ? nil : ErrorText(en: "its files: \(list)", pl: "jego pliki: \(list)")
        guard named.isEmpty else {
            throw .usage(
                UsageError(
                    en: "\(id) has several files named '\(text)'", pl: "\(id) ma kilka plików o nazwie „\(text)”",
                    hint: hint))
        }
        if let number = Int(text), files.indices.contains(number - 1) { return files[number - 1].sha256 }
        throw .usage(
            UsageError(en: "\(id) has no file '\(text)'", pl: "\(id) nie ma pliku „\(text)”", hint: hint))
    }

    /// Whether a file is named by its SHA-256, which stays its name whatever other files come and go.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { ASCII.hexValue($0) != nil }
    }
}
