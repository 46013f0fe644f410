// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Feeds a running claimsd of ours: by its folder alone, so from any thread.
struct DaemonControl: Sendable {
    let home: String

    /// The longest that a refresh may take.
    private static let refreshLimit: Duration = .seconds(300)

    var socket: String { Paths.join(home, "socket") }
    /// The file that its one source names.
    var source: String { Paths.join(home, "source.json") }

    /// What the next refresh will find.
    func feed(_ path: String) throws {
        // A new file under the old name: the daemon may still have the old one mapped.
        Files.remove(source)
        guard unsafe symlink(path, source) == 0 else { throw SystemError.last("link \(path)") }
    }

    /// What the next refresh will find: no record at all.
    func feedNothing() throws {
        let empty = Paths.join(home, "empty.json")
        if !Files.exists(empty) { try Files.writeAtomically(empty, Array("[]".utf8)) }
        try feed(empty)
    }

    /// Fetches now and returns when that is published: how long it took.
    @discardableResult
    func refresh() throws -> Duration {
        let request = """
            {"id":1,"method":"refresh","params":{"collection":"\(Daemon.collection)","wait":true,"force":true,"accept":true}}

            """
        let start = ContinuousClock.now
        let answer = try Load.ask(socket, Array(request.utf8), patience: Self.refreshLimit)
        let duration = ContinuousClock.now - start
        let outcome = try JSONValue.parse(answer)["result"]?["collections"]?.array?.first?["outcome"]
        guard outcome?.string == "updated" || outcome?.string == "unchanged" else {
            throw BenchError("the refresh answered \(String(decoding: answer.prefix(600), as: UTF8.self))")
        }
        return duration
    }
}
