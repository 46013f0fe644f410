// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc

/// Twenty real hosts, of which three may ask, each with a real nginx; and all that can happen to them. One thread uses it.
final class SoakFleet {
    static let leaders = ["desk-a", "desk-b", "desk-c"]
    static let others = (1...17).map { "depot-\($0)" }
    static let names = leaders + others
    static let interval: Int64 = 30_000

    let upstream: SoakUpstream
    let hosts: FleetHosts
    private(set) var history = SoakHistory()
    /// The events so far, for people.
    private(set) var story: [String] = []
    private let folder: TemporaryFolder
    private let webs: [String: Nginx]
    private let began = SystemClock.wall

    /// Prepares all hosts, and starts them.
    init() throws {
        let (upstream, folder) = (try SoakUpstream(), try TemporaryFolder(prefix: "claims-fleet-soak"))
        var webs: [String: Nginx] = [:]
        for leader in Self.leaders {
            try Directory.create(folder("\(leader)/live"))
            try Self.link(folder("\(leader)/live"), folder("\(leader)/served"))
            var web: Nginx
            // The system may give a free port twice.
            repeat {
                web = try Nginx("nginx-leader.conf", ["/var/lib/claimsd-fleet": folder("\(leader)/served")])
            } while webs.values.contains { $0.port == web.port }
            webs[leader] = web
        }
        (self.upstream, self.folder, self.webs) = (upstream, folder, webs)
        hosts = try FleetHosts(
            leaders: Self.leaders, others: Self.others, interval: "\(Self.interval / 1000)s",
            more: "credential: \"upstream\"", source: upstream.url, folder: { folder("\($0)/live") },
            url: { webs[$0].map { "http://127.0.0.1:\($0.port)/north/" } })
        for leader in Self.leaders {
            let daemon = try hosts.daemon(leader)
            try daemon.folder.write("config/credentials/upstream", leader)
            try Files.setPermissions(daemon.folder("config/credentials/upstream"), 0o600)
            try webs[leader]?.start()
        }
        try hosts.start()
    }

    /// The time since the start, for people.
    private var time: String {
        let seconds = (SystemClock.wall - began) / 1000
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    func tell(_ text: String) { story.append("\(time) \(text)") }

    /// The last output of the leaders and of one other host.
    var logs: String {
        (Self.leaders + [Self.others[0]]).map { "\($0):\n\(hosts.daemons[$0]?.log.suffix(4000) ?? "")" }
            .joined(separator: "\n")
    }

    private static func link(_ target: String, _ path: String) throws {
        Files.remove("\(path).new")
        guard unsafe symlink(target, "\(path).new") == 0 else { throw TestFailure("no link") }
        try Files.rename("\(path).new", to: path)
    }

    private func shell(_ script: String, _ arguments: String...) throws {
        let process = try ChildProcess("/bin/sh", ["-ec", script, "sh"] + arguments)
        guard process.wait() == .exited(0) else { throw TestFailure("fails: \(script) \(arguments)") }
    }

    // MARK: - Disturbances

    /// Whether a host's process runs.
    func runs(_ host: String) -> Bool {
        !history.active.contains { $0.host == host && $0.isOfProcess }
    }

    /// Begins something; an old copy is one that was kept before.
    func begin(_ kind: SoakEvent.Kind, _ host: String, isOld: Bool = false) throws {
        tell("\(host) \(kind.rawValue)\(isOld ? " with an old copy" : "")")
        history.begin(kind, host, at: SystemClock.wall)
        switch kind {
        case .killed, .restarted:
            try hosts.daemon(host).kill()
            if kind == .killed { try keepCopy(host) }
        case .stopped: try hosts.daemon(host).signal(SIGSTOP)
        case .restored:
            try hosts.daemon(host).kill()
            try putBack(host, withFiles: isOld)
        case .cut: upstream.set(.cut, for: host)
        case .stalled: upstream.set(.stalled, for: host)
        case .refusing: upstream.set(.refusing)
        case .unserved: webs[host]?.stop()
        case .frozen:
            if !isOld || !Files.exists(folder("\(host)/copy/head")) { try copyFiles(of: host) }
            try Self.link(folder("\(host)/copy"), folder("\(host)/served"))
        }
    }

    func end(_ event: SoakEvent) throws {
        let host = event.host
        switch event.kind {
        case .killed, .restarted, .restored: try hosts.start(host)
        case .stopped: try hosts.daemon(host).signal(SIGCONT)
        case .cut, .stalled: upstream.set(nil, for: host)
        case .refusing: upstream.set(nil)
        case .unserved: try webs[host]?.start()
        case .frozen:
            try Self.link(folder("\(host)/live"), folder("\(host)/served"))
        }
        tell("\(host) no longer \(event.kind.rawValue)")
        history.end(event.kind, host, at: SystemClock.wall)
    }

    /// Ends all that goes on.
    func mend() throws {
        for event in history.active { try end(event) }
    }

    /// Keeps a copy of the state of a host that does not run, and of what it serves.
    private func keepCopy(_ host: String) throws {
        try shell(
            "rm -rf \"$2\"; mkdir \"$2\"; cp -a \"$1\" \"$2/state\"; cp -a \"$3\" \"$2/live\"",
            try hosts.daemon(host).folder("state"), folder("\(host)/kept"), folder("\(host)/live"))
    }

    /// Puts the state of a host that does not run back to the copy that was kept; the first time it only keeps one.
    private func putBack(_ host: String, withFiles: Bool) throws {
        guard Files.exists(folder("\(host)/kept/state")) else { return try keepCopy(host) }
        let state = try hosts.daemon(host).folder("state")
        try shell("rm -rf \"$2\"; cp -a \"$1\" \"$2\"", folder("\(host)/kept/state"), state)
        if withFiles {
            // The folder itself stays, as the web server and a link name it.
            try shell(
                "rm -f \"$2\"/* \"$2\"/.draft-*; cp -a \"$1/.\" \"$2\"", folder("\(host)/kept/live"),
                folder("\(host)/live"))
        }
    }

    /// Copies what a host serves, as it is now: the head first, so that all its files are there.
    func copyFiles(of host: String) throws {
        try shell(
            """
            rm -rf "$2.new"; mkdir "$2.new"; cp -p "$1/head" "$2.new/.kept-head"; cp -a "$1/." "$2.new"
            mv "$2.new/.kept-head" "$2.new/head"; rm -rf "$2"; mv "$2.new" "$2"
            """, folder("\(host)/live"), folder("\(host)/copy"))
    }
}
