// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// The folder of attached files: `attachments/SHA256`, and `attachments/uploads/ID` with a note of each finished
/// upload.
///
/// The notes are files beside state.db, not rows in it: an upload must outlive a crash for an hour, but it is no part
/// of the truth, and a copy of state.db that is put back must not bring old ones with it.
struct AttachmentFolder: Sendable {
    /// The folder itself.
    let path: String
    private var notes: String { Paths.join(path, "uploads") }

    init(in directory: String) {
        path = Paths.join(directory, "attachments")
    }

    /// The path of a kept file; nil if the name is no SHA-256 in lower-case hexadecimal.
    func file(_ sha256: String) -> String? { Self.isDigest(sha256) ? Paths.join(path, sha256) : nil }

    /// The path of the file of an unfinished upload.
    func unfinished(_ id: String) -> String { Paths.join(path, id + UploadFile.suffix) }

    private func note(_ id: String) -> String { Paths.join(notes, id) }

    /// Makes the folders that are missing.
    func create() throws(SystemError) {
        try Directory.create(path, permissions: 0o700)
        try Directory.create(notes, permissions: 0o700)
        // A sync of the folder alone does not keep its own name in its parent.
        try Directory.sync(Paths.parent(path))
    }

    /// The files that are kept, with their sizes; removes what unfinished uploads have left.
    func tidy() throws(SystemError) -> [(sha256: String, size: Int64)] {
        guard Files.isDirectory(path) else { return [] }
        var kept: [(sha256: String, size: Int64)] = []
        for name in try Directory.list(path) {
            let path = Paths.join(path, name)
            if name.hasSuffix(UploadFile.suffix) { try Directory.remove(path) }
            if Self.isDigest(name), let size = Files.size(path) { kept.append((name, Int64(size))) }
        }
        return kept
    }

    /// The SHA-256 of all kept files.
    func list() throws(SystemError) -> [String] {
        guard Files.isDirectory(path) else { return [] }
        return try Directory.list(path).filter(Self.isDigest)
    }

    /// The time before which no file is removed, in milliseconds since 1970.
    var heldUntil: Int64 {
        guard let text = try? Files.readText(hold, cap: 64) else { return 0 }
        return Int64(text) ?? .max
    }

    /// Keeps all files until a time.
    func hold(until time: Int64) throws(SystemError) {
        guard Files.isDirectory(path), heldUntil < time else { return }
        try Files.writeAtomically(hold, Array(String(time).utf8), permissions: 0o600)
    }

    private var hold: String { Paths.join(path, "held-until") }

    // MARK: - Finished uploads

    /// Writes the note of a finished upload, and returns once it would outlive a crash.
    func write(_ id: String, _ new: NewUpload, _ file: OperationFile, finishedAt: Int64) throws(SystemError) {
        try Directory.sync(path)
        let note = JSONObject([
            .init(Key.collection, .string(new.collection)), .init(Key.uid, .integer(new.uid)),
            .init(Key.name, .string(file.name)), .init(Key.type, .string(file.type)),
            .init(Key.size, .integer(file.size)), .init(Key.sha256, .string(file.sha256)),
            .init(Key.finishedAt, .integer(finishedAt)),
        ])
        try Files.writeAtomically(self.note(id), JSONValue.object(note).compactBytes, permissions: 0o600)
    }

    /// Removes the note of an upload that was submitted or has expired.
    func remove(note id: String) { Files.remove(note(id)) }

    /// The uploads that were finished before the start; removes files that are no notes, and notes without a file.
    func uploads() throws(SystemError) -> [(id: String, new: NewUpload, file: OperationFile, finishedAt: Int64)] {
        guard Files.isDirectory(notes) else { return [] }
        var uploads: [(id: String, new: NewUpload, file: OperationFile, finishedAt: Int64)] = []
        for id in try Directory.list(notes) {
            if let (new, file, finishedAt) = read(id) {
                uploads.append((id, new, file, finishedAt))
            } else {
                try Directory.remove(note(id))
            }
        }
        return uploads
    }

    private func read(_ id: String) -> (new: NewUpload, file: OperationFile, finishedAt: Int64)? {
        guard UploadID.isValid(id), let bytes = try? Files.readAll(note(id), cap: Self.maxNote),
            let note = try? JSONValue.parse(bytes), let collection = note[Key.collection]?.string,
            let uid = note[Key.uid]?.integer.flatMap(UInt32.init(exactly:)), let name = note[Key.name]?.string,
            let type = note[Key.type]?.string, let size = note[Key.size]?.integer,
            let sha256 = note[Key.sha256]?.string, let finishedAt = note[Key.finishedAt]?.integer,
            let path = file(sha256), Files.size(path) == Int(size)
        else { return nil }
        let new = NewUpload(name, size: size, for: collection, field: "", types: [type], uid: uid, connection: 0)
        return (new, OperationFile(sha256: sha256, name: name, type: type, size: size), finishedAt)
    }

    private enum Key {
        static let collection = "collection"
        static let uid = "uid"
        static let name = "name"
        static let type = "type"
        static let size = "size"
        static let sha256 = "sha256"
        static let finishedAt = "finished_at"
    }

    /// The maximal size of a note in bytes.
    private static let maxNote = 64 << 10

    private static func isDigest(_ name: String) -> Bool { UploadID.isHexadecimal(name, count: 64) }
}

/// The names of uploads: 16 random bytes in hexadecimal, so that no user can guess the name of another user's upload.
enum UploadID {
    private static let bytes = 16

    static func make() -> String { RandomBytes.hexadecimal(bytes) }

    static func isValid(_ id: String) -> Bool { isHexadecimal(id, count: 2 * bytes) }

    static func isHexadecimal(_ text: String, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

/// The SHA-256 of files in JSON texts: every string of 64 lower-case hexadecimal digits.
///
/// It does not use definitions, because files stay even if no definition can read their records any more. A string that
/// only looks like a digest keeps a file for longer, which does no harm.
struct DigestScan {
    private(set) var digests: Set<String> = []

    private static let length = 64
    private static let quote = UInt8(ascii: "\"")

    /// Adds the digests in a text.
    mutating func read(_ text: RawSpan) {
        var start = text.firstIndex(of: Self.quote)
        while let opening = start {
            guard let closing = text.firstIndex(of: Self.quote, from: opening + 1) else { return }
            if closing - opening - 1 == Self.length {
                let content = String(decoding: text.part(opening + 1..<closing).array, as: UTF8.self)
                if UploadID.isHexadecimal(content, count: Self.length) { digests.insert(content) }
            }
            // The closing quote may be the opening one of the next string.
            start = closing
        }
    }
}
