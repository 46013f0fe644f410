// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Serves the files of a folder, with the faults that were asked for.
final class Site: Sendable {
    /// The size of the largest file that is served, in bytes.
    private static let maxFile = 1 << 30

    private let folder: String
    private let state: Monitor<SiteState>

    init(_ options: UpstreamOptions) throws(UpstreamError) {
        folder = options.folder ?? "."
        guard Files.isDirectory(folder) else { throw UpstreamError("\(folder) is not a folder") }
        var state = SiteState()
        for (path, behaviours) in options.script { state.behaviours[path] = behaviours }
        self.state = Monitor(state)
    }

    /// Whether this connection is to be reset at once.
    func resetsConnection() -> Bool {
        state.update { state in state.takeReset() }
    }

    /// Answers requests until the client hangs up, or an answer ends the connection.
    func serve(_ connection: consuming UpstreamConnection) {
        while let request = connection.nextRequest() {
            do throws(UpstreamConnection.HangUp) {
                if request.path.hasPrefix(Control.prefix) {
                    try Control(state: state).answer(request, connection)
                    continue
                }
                let (behaviour, releases) = state.update { state in
                    (state.record(request), state.releases[request.path] ?? 0)
                }
                if behaviour.hold { waitForRelease(request.path, after: releases) }
                try FaultyAnswer(request: request, behaviour: behaviour, file: file(request.path)).send(connection)
            } catch {
                return
            }
        }
    }

    private func waitForRelease(_ path: String, after count: Int) {
        _ = state.wait(upTo: UpstreamConnection.maxHang) { state in
            (state.releases[path] ?? 0) > count ? () : nil
        }
    }

    /// A file of the folder; nil where there is none, or its name leads out of it.
    private func file(_ path: String) -> ServedFile? {
        let name = UpstreamRequest.unescaped(String(path.drop { character in character == "/" }))
        guard !name.isEmpty, !name.utf8.contains(0), !name.split(separator: "/").contains("..") else { return nil }
        let path = Paths.join(folder, name)
        guard let bytes = try? Files.readAll(path, cap: Self.maxFile), let modified = Files.modified(path) else {
            return nil
        }
        return ServedFile(bytes: bytes, modified: modified / 1000)
    }
}
