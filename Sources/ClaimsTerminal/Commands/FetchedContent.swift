// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsClient
public import ClaimsModel
public import ClaimsPlatform
import ClaimsProtocol

/// The bytes of a file that is fetched in parts, compared with what was announced: they are never more than its size, and the
/// whole has its hash.
public struct FetchedContent {
    private let file: RecordFile
    private var hash = SHA256()
    /// The number of bytes so far.
    public private(set) var count: Int64 = 0
    /// Whether all bytes have come, and are those of the hash.
    public private(set) var isWhole = false

    public init(of file: RecordFile) { self.file = file }

    /// The bytes of the next part, from the answer to `fetch_attachment`. After an error what has come is dropped.
    public mutating func append(_ answer: AnswerValue) throws(FetchMistake) -> [UInt8] {
        guard let bytes = answer[FetchAttachmentResult.data].flatMap({ Base64.decode($0.utf8) }) else {
            throw .notBase64
        }
        let isEnd = answer[FetchAttachmentResult.isEnd] == true
        let rest = file.size - count - Int64(bytes.count)
        guard isEnd ? rest == 0 : rest >= 0 && !bytes.isEmpty else { throw .size }
        hash.update(bytes.rawSpan)
        guard !isEnd || hash.hexadecimal == file.sha256.lowercased() else { throw .content }
        count += Int64(bytes.count)
        isWhole = isEnd
        return bytes
    }
}

/// The reason why a part of a file is not taken.
public enum FetchMistake: Error, Equatable {
    case notBase64
    case size
    case content

    /// The text for people.
    public var text: TranslatedText {
        switch self {
        case .notBase64:
            TranslatedText(
                en: "the daemon sent a part of a file that is no Base64",
                pl: "demon przysłał część pliku, która nie jest w Base64")
        case .size:
            TranslatedText(
                en: "the daemon sent a file of another size than it told",
                pl: "demon przysłał plik o innym rozmiarze, niż zapowiedział")
        case .content:
            TranslatedText(
                en: "the daemon sent a file of another content than its hash tells",
                pl: "demon przysłał plik o innej treści, niż mówi jego skrót")
        }
    }
}

extension CommandContext {
    /// Fetches a file in parts, and hands each of them on. What comes is never more than the announced size.
    ///
    /// - Throws: what `take` throws; a failure where the daemon answers another number of bytes than announced, or
    ///   other bytes than those of the announced hash. The caller then drops what it has been handed.
    func fetch(
        _ file: RecordFile, of reference: RecordReference, _ take: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var parameters = FetchAttachmentParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        parameters.sha256 = file.sha256
        var content = FetchedContent(of: file)
        while true {
            let answer = try call(.fetchAttachment, parameters)
            let bytes: [UInt8]
            do throws(FetchMistake) { bytes = try content.append(answer) } catch {
                throw .client(.malformed(error.text))
            }
            try take(bytes)
            if content.isWhole { return }
            parameters.offset = content.count
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

/// The paths of a copy of a file of a record that only this user can read. It has its name when it is whole; a part of
/// it is not left behind.
public final class PrivateCopy {
    /// The path of the part that has come.
    public let part: String
    private let path: String
    private var isFinished = false

    /// Makes the folder of a copy, in `$XDG_RUNTIME_DIR`, which goes with the session, or where that is not this user's
    /// alone in `$TMPDIR`. The same content has the same folder.
    ///
    /// Dangerous characters in the name of the file are replaced, and it ends as its type does.
    public init(_ file: RecordFile, environment: (String) -> String?) throws(SystemError) {
        let folder = try Self.folder(sha256: file.sha256, environment)
        path = Paths.join(folder, SafeName.make(file.name, type: file.type))
        part = Paths.join(folder, ".\(RandomBytes.hexadecimal(8)).part")
    }

    deinit {
        if !isFinished { Files.remove(part) }
    }

    /// Makes the part, which is empty.
    public func create() throws(SystemError) -> FileDescriptor {
        try FileDescriptor.open(part, .create(permissions: 0o600))
    }

    /// Gives the copy its name, and returns the path.
    public func finish() throws(SystemError) -> String {
        try Files.rename(part, to: path)
        isFinished = true
        return path
    }

    private static func folder(
        sha256: String, _ environment: (String) -> String?
    ) throws(SystemError) -> String {
        guard let runtime = Environment.runtimeDirectory(environment, isPrivate: Files.isPrivateDirectory) else {
            return try Directory.temporary(in: environment("TMPDIR") ?? "/tmp", prefix: "claimsctl")
        }
        let own = Paths.join(runtime, "claimsctl")
        try Directory.create(own, permissions: 0o700)
        let folder = Paths.join(own, String(sha256.prefix(16)))
        try Directory.create(folder, permissions: 0o700)
        return folder
    }
}
