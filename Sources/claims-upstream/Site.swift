// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// What is served, how it misbehaves, and what was asked.
final class Site: Sendable {
    /// How many requests are remembered.
    private static let logLimit = 10_000
    /// The largest file that is served, in bytes.
    private static let fileLimit = 1 << 30

    struct State {
        var behaviours: [String: [Behaviour]] = [:]
        var log: [Entry] = []
        /// How many requests there were for each path.
        var counts: [String: Int] = [:]
        var total = 0
        /// How often each path's held requests were let go.
        var releases: [String: Int] = [:]
        /// How many further connections are reset.
        var resets = 0
    }

    /// A request, as remembered.
    struct Entry {
        let number: Int
        let request: Request
    }

    private let folder: String
    let state: Monitor<State>

    init(_ options: Options) throws(UpstreamError) {
        folder = options.folder ?? "."
        guard Files.isDirectory(folder) else { throw UpstreamError("\(folder) is not a folder") }
        var state = State()
        for (path, behaviours) in options.script { state.behaviours[path] = behaviours }
        self.state = Monitor(state)
    }

    /// Whether this connection is to be reset at once.
    func resetsConnection() -> Bool {
        state.change { state in
            guard state.resets > 0 else { return false }
            state.resets -= 1
            return true
        }
    }

    /// Answers requests until the client has gone, or an answer ends the connection.
    func serve(_ connection: consuming Connection) {
        while let request = connection.nextRequest() {
            do throws(Connection.Gone) {
                if request.path.hasPrefix(Control.prefix) {
                    try Control.answer(request, self, connection)
                    continue
                }
                let (behaviour, releases) = remember(request)
                if behaviour.hold { waitForRelease(request.path, after: releases) }
                let responder = Responder(request: request, behaviour: behaviour, file: file(request.path))
                try responder.answer(connection)
            } catch {
                return
            }
        }
    }

    /// Writes down the request; answers what is to be done with it.
    private func remember(_ request: Request) -> (Behaviour, releases: Int) {
        state.change { state in
            state.total += 1
            state.counts[request.path, default: 0] += 1
            if state.log.count == Self.logLimit { state.log.removeFirst(Self.logLimit / 2) }
            state.log.append(Entry(number: state.total, request: request))
            let key = state.behaviours[request.path]?.isEmpty == false ? request.path : "*"
            var steps = state.behaviours[key] ?? []
            let behaviour = steps.first ?? Behaviour()
            if let times = behaviour.times {
                steps[0].times = times - 1
                if times <= 1 { steps.removeFirst() }
                state.behaviours[key] = steps
            }
            return (behaviour, state.releases[request.path] ?? 0)
        }
    }

    private func waitForRelease(_ path: String, after count: Int) {
        state.wait(Connection.longest) { state in
            (state.releases[path] ?? 0) > count
        } then: { _ in
        }
    }

    /// A file of the folder; nil where there is none, or its name leads out of it.
    private func file(_ path: String) -> ServedFile? {
        let name = Request.unescaped(String(path.drop { character in character == "/" }))
        guard !name.isEmpty, !name.utf8.contains(0), !name.split(separator: "/").contains("..") else { return nil }
        let path = Paths.join(folder, name)
        guard let bytes = try? Files.readAll(path, cap: Self.fileLimit), let modified = Files.modified(path) else {
            return nil
        }
        return ServedFile(bytes: bytes, modified: modified / 1000)
    }
}
