// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// A file of a record that is kept on the daemon's host.
public struct RecordFile: Hashable, Sendable {
    public let name: String
    /// The media type that the daemon has found.
    public let type: String
    /// The size in bytes.
    public let size: Int64
    /// The hash of its bytes, in hexadecimal.
    public let sha256: String

    public init(name: String, type: String, size: Int64, sha256: String) {
        self.name = name
        self.type = type
        self.size = size
        self.sha256 = sha256
    }
}

/// The files of a record, from an answer of `detail`: those that the daemon keeps, and addresses of others.
public struct RecordAttachments: Sendable {
    /// The files that the daemon keeps, those under way at the end.
    public let files: [RecordFile]
    /// The http and https addresses in the attachments' field, or where that is not known, in all fields of urls and
    /// JSON.
    public let addresses: [String]

    /// Finds them in a record; without a description no field of it is known.
    public init(_ record: AnswerValue?, _ description: CollectionDescription?) {
        guard let record else {
            (files, addresses) = ([], [])
            return
        }
        let own = description?.writes?.fileField
        let fields = (description?.fields ?? []).filter { field in
            own.map { $0 == field.name } ?? (field.type == .json || field.type == .url)
        }
        var found: [RecordFile] = []
        var addresses: [String] = []
        for field in fields {
            guard let value = record[utf8: field.key] else { continue }
            found += value.elements.compactMap(RecordFile.init)
            Self.collect(value, into: &addresses)
        }
        let pending = record["pending"]?[PendingMark.attachments] ?? []
        for file in pending.compactMap(RecordFile.init) where !found.contains(where: { $0.sha256 == file.sha256 }) {
            found.append(file)
        }
        files = found
        self.addresses = addresses
    }

    /// The text by which `submit` takes one of the files away: its hash, with its name where others have the same content.
    public func reference(to file: RecordFile) -> String {
        let isOnly = files.count { $0.sha256 == file.sha256 } == 1
        return isOnly ? file.sha256 : "\(file.sha256)/\(file.name)"
    }

    private static func collect(_ value: AnswerValue, into addresses: inout [String]) {
        if let text = value.string {
            let start = text.lowercased()
            if start.hasPrefix("http://") || start.hasPrefix("https://") { addresses.append(text) }
        }
        for element in value.elements { collect(element, into: &addresses) }
        for (_, element) in value.members { collect(element, into: &addresses) }
    }
}

extension RecordFile {
    /// Reads an element of the attachments' field; nil for anything but a file that the daemon keeps.
    /// The largest size that is believed, in bytes: what doubles hold exactly.
    private static let maxSize: Int64 = 1 << 53

    init?(_ value: AnswerValue) {
        guard let sha256 = value[AttachmentEntry.sha256], sha256.utf8.count == 64,
            sha256.utf8.allSatisfy({ ASCII.hexValue($0) != nil })
        else { return nil }
        self.sha256 = sha256
        name = value[AttachmentEntry.name] ?? sha256
        type = value[AttachmentEntry.type] ?? ""
        // Of a record's members nothing is known before: sums of sizes must not run over.
        size = max(0, min(value[AttachmentEntry.size] ?? 0, Self.maxSize))
    }
}

extension RecordFile {
    /// The file on one line: `scan.png, image/png, 1.2 MiB`.
    public func line(_ messages: Messages) -> String { Escaping.line("\(name), \(type), \(messages.size(size))") }
}
