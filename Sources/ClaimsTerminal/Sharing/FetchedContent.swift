// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsClient
public import ClaimsModel
import ClaimsProtocol

/// The bytes of a file that is fetched in parts, compared with what was told of it: they are never more than its size,
/// and the whole has its hash.
public struct FetchedContent {
    private let file: RecordFile
    private var hash = SHA256()
    /// The number of bytes so far.
    public private(set) var count: Int64 = 0
    /// Whether all bytes have come, and are those of the hash.
    public private(set) var isWhole = false

    public init(of file: RecordFile) { self.file = file }

    /// The bytes of the next part, from the answer to `fetch_attachment`. After an error what has come is dropped.
    public mutating func take(_ answer: AnswerValue) throws(FetchMistake) -> [UInt8] {
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
    public var text: ErrorText {
        switch self {
        case .notBase64:
            ErrorText(
                en: "the daemon sent a part of a file that is no Base64",
                pl: "demon przysłał część pliku, która nie jest w Base64")
        case .size:
            ErrorText(
                en: "the daemon sent a file of another size than it told",
                pl: "demon przysłał plik o innym rozmiarze, niż zapowiedział")
        case .content:
            ErrorText(
                en: "the daemon sent a file of another content than its hash tells",
                pl: "demon przysłał plik o innej treści, niż mówi jego skrót")
        }
    }
}
