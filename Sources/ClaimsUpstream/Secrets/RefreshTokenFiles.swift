// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// The refresh tokens by which token servers have replaced the ones in credentials: the only secrets on the disk.
///
/// Each is a file of a private folder, on disk before the access token that came with it is used. If there is no room,
/// it is kept in memory, and written once there is room. Safe on any thread.
final class RefreshTokenFiles: Sendable {
    private struct Kept: Sendable {
        var token: String
        var digest: String
        /// The collections that named it.
        var collections: Set<String>
        var isWritten = true
    }

    private let directory: String?
    private let report: @Sendable (SystemError?) -> Void
    /// By the names of their files.
    private let kept = Monitor<[String: Kept]>([:])

    /// The size of the largest file, in bytes.
    private static let maxSize = 256 << 10

    /// - Parameters:
    ///   - directory: the folder; nil keeps them in memory only.
    ///   - report: called with the reason why a file cannot be written, and with nil once one is.
    init(directory: String?, report: @escaping @Sendable (SystemError?) -> Void) {
        self.directory = directory
        self.report = report
        guard let directory, let names = try? Directory.list(directory) else { return }
        // A crash may have left a part of a write.
        for name in names where name.hasSuffix(".new") { Files.remove(Paths.join(directory, name)) }
    }

    /// The token in force in place of the credential's; nil if there is none. The collection is recorded beside it.
    func token(of grant: RefreshGrant, for collection: String) -> String? {
        let name = Self.name(grant.url, grant.client, grant.credential)
        if kept.read({ $0[name] }) == nil, let found = load(name) { kept.update { $0[name] = $0[name] ?? found } }
        let (token, isNew) = kept.update { kept -> (String?, Bool) in
            guard var file = kept[name], file.digest == grant.digest else { return (nil, false) }
            guard file.collections.insert(collection).inserted else { return (file.token, false) }
            file.isWritten = false
            kept[name] = file
            return (file.token, true)
        }
        if isNew { write(name) }
        return token
    }

    /// Takes a newer token, and returns once it is on disk, or once that has failed and was reported.
    func keep(_ token: String, of grant: RefreshGrant, for collection: String) {
        let name = Self.name(grant.url, grant.client, grant.credential)
        kept.update { kept in
            let earlier = kept[name]?.collections ?? []
            kept[name] = Kept(
                token: token, digest: grant.digest, collections: earlier.union([collection]), isWritten: false)
        }
        write(name)
    }

    /// Whether there is something that could not be written.
    var hasUnwritten: Bool { kept.read { $0.values.contains { !$0.isWritten } } }

    /// Tries again to write what could not be written.
    func writeUnwritten() {
        for name in kept.read({ kept in kept.filter { !$0.value.isWritten }.map(\.key) }) { write(name) }
    }

    /// Removes the tokens that are not needed any more.
    ///
    /// - Parameters:
    ///   - requests: the token requests of definitions in force.
    ///   - hasRows: whether a collection still has rows.
    func removeUnneeded(requests: [TokenRequest], hasRows: (String) -> Bool) {
        let needed = Set(
            requests.compactMap { request in
                request.refresh.map { Self.name(request.url, request.client, $0) }
            })
        var names = Set(kept.read { Array($0.keys) })
        if let directory, let files = try? Directory.list(directory) { names.formUnion(files) }
        for name in names.subtracting(needed) {
            guard let file = kept.read({ $0[name] }) ?? load(name), !file.collections.contains(where: hasRows) else {
                continue
            }
            _ = kept.update { $0.removeValue(forKey: name) }
            if let directory { Files.remove(Paths.join(directory, name)) }
        }
    }

    private func write(_ name: String) {
        guard let directory, let file = kept.read({ $0[name] }) else { return }
        let value: JSONValue = [
            "collections": .array(file.collections.sorted().map { .string($0) }), "credential": .string(file.digest),
            "refresh_token": .string(file.token),
        ]
        do throws(SystemError) {
            try Directory.create(directory, permissions: 0o700)
            try Files.writeAtomically(Paths.join(directory, name), value.compactBytes, permissions: 0o600)
            kept.update { kept in
                if kept[name]?.token == file.token, kept[name]?.collections == file.collections {
                    kept[name]?.isWritten = true
                }
            }
            report(nil)
        } catch {
            report(error)
        }
    }

    /// A file that an earlier process has written; nil if there is none, or if it is damaged.
    private func load(_ name: String) -> Kept? {
        guard let directory, let bytes = try? Files.readAll(Paths.join(directory, name), cap: Self.maxSize),
            let value = try? JSONValue.parse(bytes), let token = value["refresh_token"]?.string,
            let digest = value["credential"]?.string
        else { return nil }
        return Kept(
            token: token, digest: digest,
            collections: Set((value["collections"]?.array ?? []).compactMap(\.string)))
    }

    /// The name of a file, which reveals nothing.
    private static func name(_ url: String, _ client: String, _ credential: String) -> String {
        let text = [url, client, credential].map { "\($0.utf8.count) \($0)" }.joined()
        return unsafe String(SHA256.hexadecimal(of: Array(text.utf8).span.bytes).prefix(32))
    }
}
