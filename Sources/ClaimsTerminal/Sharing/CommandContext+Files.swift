// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension CommandContext {
    /// Fetches a file in parts, and hands each of them on. What comes is never more than the told size.
    ///
    /// - Throws: what `take` throws; a failure where the daemon answers another number of bytes than it has told, or
    ///   other bytes than those of the told hash. The caller then drops what it has been handed.
    func fetch(
        _ file: RecordFile, of reference: RecordReference, _ take: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var parameters = FetchAttachmentParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        parameters.sha256 = file.sha256
        var hash = SHA256()
        while true {
            let answer = try call(.fetchAttachment, parameters)
            guard let bytes = answer[FetchAttachmentResult.data].flatMap({ Base64.decode($0.utf8) }) else {
                throw .client(
                    .malformed(
                        ErrorText(
                            en: "the daemon sent a part of a file that is no Base64",
                            pl: "demon przysłał część pliku, która nie jest w Base64")))
            }
            let isEnd = answer[FetchAttachmentResult.isEnd] == true
            let rest = file.size - parameters.offset - Int64(bytes.count)
            guard isEnd ? rest == 0 : rest >= 0 && !bytes.isEmpty else {
                throw .client(
                    .malformed(
                        ErrorText(
                            en: "the daemon sent a file of another size than it told",
                            pl: "demon przysłał plik o innym rozmiarze, niż zapowiedział")))
            }
            hash.update(bytes.rawSpan)
            guard !isEnd || hash.hexadecimal == file.sha256.lowercased() else {
                throw .client(
                    .malformed(
                        ErrorText(
                            en: "the daemon sent a file of another content than its hash tells",
                            pl: "demon przysłał plik o innej treści, niż mówi jego skrót")))
            }
            try take(bytes)
            parameters.offset += Int64(bytes.count)
            if isEnd { return }
        }
    }
}

extension CommandContext {
    /// Fetches a file into a new one that only this user can read. A part of it is not left behind.
    func save(_ file: RecordFile, of reference: RecordReference, to path: String) throws(CommandError) {
        let copy = try saving { () throws(SystemError) in try FileDescriptor.open(path, .create(permissions: 0o600)) }
        var line = ProgressLine(self)
        var count: Int64 = 0
        defer { line.clear() }
        do throws(CommandError) {
            try fetch(file, of: reference) { bytes throws(CommandError) in
                try saving { () throws(SystemError) in try copy.write(bytes) }
                count += Int64(bytes.count)
                line.show(messages.fetching(file.name, count, of: file.size))
            }
        } catch {
            Files.remove(path)
            throw error
        }
    }

    /// Does what writes a file; its error becomes the command's.
    func saving<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(CommandError) -> Value {
        do throws(SystemError) { return try body() } catch {
            throw .failed(.failure, kind: "output", message: error.text)
        }
    }
}
