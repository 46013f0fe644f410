// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The fetched large files of a source that are not taken yet, in the cache folder: an interrupted fetch continues with
/// the next file, even after a restart.
struct KeptFiles: Sendable {
    private static let prefix = "fleet-"
    /// A smaller file is fetched again, in bytes.
    private static let minSize = 256 << 10

    private let folder: String
    /// The beginning of the names of the source's files.
    private let prefix: String

    init(_ source: SourceID, in folder: String) {
        self.folder = folder
        prefix = Self.prefix(of: source)
    }

    private static func prefix(of source: SourceID) -> String {
        var hash = FNVHash()
        for byte in source.text.utf8 { hash.add(byte: byte) }
        return "\(prefix)\(String(hash.value, radix: 16))-"
    }

    private func path(of file: FileReference) -> String { Paths.join(folder, prefix + file.sha256) }

    /// The bytes of a file; nil if it is not kept, or not as it was fetched.
    func bytes(of file: FileReference) -> [UInt8]? {
        guard file.size >= Self.minSize, let bytes = try? Files.readAll(path(of: file), cap: file.size),
            SHA256.hexadecimal(of: bytes.rawSpan) == file.sha256
        else { return nil }
        return bytes
    }

    /// Keeps a file. Without room it is fetched again the next time.
    func keep(_ bytes: [UInt8], of file: FileReference) {
        guard file.size >= Self.minSize else { return }
        try? Files.writeAtomically(path(of: file), bytes, permissions: 0o600)
    }

    /// Deletes the kept files of the source except `files`.
    func removeAll(but files: [FileReference] = []) {
        let names = Set(files.map { prefix + $0.sha256 })
        for name in (try? Directory.list(folder)) ?? [] where name.hasPrefix(prefix) && !names.contains(name) {
            Files.remove(Paths.join(folder, name))
        }
    }

    /// Deletes the kept files of other sources than these.
    static func removeAll(butOf sources: [SourceID], in folder: String) {
        let prefixes = sources.map { prefix(of: $0) }
        for name in (try? Directory.list(folder)) ?? [] where name.hasPrefix(prefix) {
            if !prefixes.contains(where: { name.hasPrefix($0) }) { Files.remove(Paths.join(folder, name)) }
        }
    }
}
