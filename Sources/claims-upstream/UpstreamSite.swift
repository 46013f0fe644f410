// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Serves the files of a folder and the records of stores, with the faults that were asked for.
final class UpstreamSite: Sendable {
    /// The size of the largest file that is served, in bytes.
    private static let maxFile = 1 << 30

    /// Nil if only stores are served.
    private let folder: String?
    private let state: Monitor<SiteState>

    init(_ options: UpstreamOptions) throws(UpstreamError) {
        folder = options.folder
        if let folder, !Files.isDirectory(folder) { throw UpstreamError("\(folder) is not a folder") }
        var state = SiteState()
        for (path, rules) in options.tokens { state.tokenServers[path] = TokenServer(rules) }
        for (path, behaviours) in options.script { state.behaviours[path] = behaviours }
        for (path, rules) in options.rules { state.changeStore(path) { store in store.rules = rules } }
        for (path, records) in options.stores { state.changeStore(path) { store in store.replace(records) } }
        self.state = Monitor(state)
    }

    /// Whether this connection is to be reset at once.
    func resetsConnection() -> Bool {
        state.update { state in state.takeReset() }
    }

    /// Answers requests until the client hangs up, or an answer ends the connection.
    func serve(_ connection: consuming UpstreamConnection) {
        while var request = connection.nextRequest() {
            do throws(UpstreamConnection.HangUp) {
                if request.bodyLength == nil {
                    try connection.send("HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n")
                    try connection.drain()
                } else if request.path.hasPrefix(Control.prefix) {
                    request.body = try connection.readBody(of: request)
                    try Control(state: state).answer(request, connection)
                } else {
                    let visit = state.update { state in state.admit(request) }
                    defer { state.update { state in state.leave(visit) } }
                    let behaviour = visit.behaviour
                    request.body = try connection.readBody(
                        of: request, upTo: behaviour.bodyBytes, pace: behaviour.pace)
                    try answer(request, visit, connection)
                }
            } catch {
                return
            }
        }
    }

    private func answer(
        _ request: UpstreamRequest, _ visit: Visit, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        state.update { state in state.receive(request.body, of: visit) }
        let behaviour = visit.behaviour
        if behaviour.hold == .request { waitForRelease(request.path, visit) }
        let written = state.update { state in state.grant(request, visit) ?? state.write(request, visit) }
        if behaviour.hold == .answer { waitForRelease(request.path, visit) }
        let file = written == nil ? state.update { state in state.seen(request.path) } ?? file(request.path) : nil
        let page = written == nil ? state.update { state in state.page(request, visit, of: file) } : nil
        try FaultyAnswer(request: request, visit: visit, file: file, written: written, page: page).send(connection)
        if request.body.count != request.bodyLength { try connection.drain() }
    }

    private func waitForRelease(_ path: String, _ visit: Visit) {
        _ = state.wait(upTo: UpstreamConnection.maxHang) { state in
            (state.releases[path] ?? 0) > visit.releases ? () : nil
        }
    }

    /// A file of the folder; nil if there is none, or if its name leads out of it.
    private func file(_ path: String) -> ServedFile? {
        let name = UpstreamRequest.unescaped(String(path.drop { character in character == "/" }))
        guard let folder, !name.isEmpty, !name.utf8.contains(0), !name.split(separator: "/").contains("..") else {
            return nil
        }
        let path = Paths.join(folder, name)
        guard let bytes = try? Files.readAll(path, cap: Self.maxFile), let modified = Files.modified(path) else {
            return nil
        }
        return ServedFile(bytes: bytes, modified: modified / 1000)
    }
}
