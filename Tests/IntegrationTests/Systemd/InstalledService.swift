// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Glibc

/// A machine on which `make install` has put the programs that were built with the tests.
final class InstalledService: Sendable {
    let machine: SystemdMachine

    /// The one machine of all tests, which come one after the other; gone with this process.
    private static let shared = Result { try InstalledService() }

    /// The machine as it is after an installation: the service does not run, nothing is stored, and one collection
    /// has a source, a file.
    ///
    /// - Parameter files: further files of the machine, by path.
    static func fresh(_ files: [String: String] = [:]) throws -> InstalledService {
        let service = try shared.get()
        try service.reset()
        try service.write(["/etc/claimsd/collections.d/packs.json5": site, "/srv/packs.json": packs])
        try service.write(files)
        if files.keys.contains(where: { $0.hasPrefix("/etc/systemd") }) {
            try service.machine.check("systemctl daemon-reload")
        }
        return service
    }

    /// The site's definition of the collection.
    static let site = #"{ source: { url: "file:///srv/packs.json" } }"#
    /// The most urgent status comes first: 1, 2, 10.
    static let packs = """
        [{"id":"1","status":"READY_TO_PICKUP","sender":"Anna"},{"id":"2","status":"DELIVERED","sender":"Jan"},
         {"id":"10","status":"CREATED","sender":"Ola"}]
        """
    /// Where the upstream of `startUpstream` listens.
    static let port = 8000

    private init() throws {
        machine = try SystemdMachine(bind: Self.runtimeFolders()) { root in
            let programs = Paths.parent(try BuiltProgram.path("claimsd"))
            let made = try SystemdMachine.command(
                "make",
                ["--silent", "--directory", Repository.root, "install", "DESTDIR=\(root)", "BIN=\(programs)", "MAN="],
                timeout: .seconds(60))
            guard made.isSuccess else { throw TestFailure("make install: \(made.output)\(made.error)") }
            let upstream = try SystemdMachine.command(
                "install", [try BuiltProgram.path("claims-upstream"), Paths.join(root, "usr/bin")],
                timeout: .seconds(60))
            guard upstream.isSuccess else { throw TestFailure("install: \(upstream.error)") }
        }
        // The steps of a package's installation.
        try machine.check("systemd-sysusers && systemd-tmpfiles --create && journalctl --update-catalog")
    }

    private func reset() throws {
        try machine.check(
            """
            units="claimsd.socket claimsd.service upstream.service $(systemctl list-units --all --plain --no-legend \
              'claimsd-*.service' | cut -d ' ' -f 1)"
            systemctl stop $units 2>/dev/null
            for folder in /var/lib /var/cache; do ! mountpoint -q $folder/claimsd || umount $folder/claimsd; done
            rm -rf /etc/claimsd/* /var/lib/claimsd* /var/cache/claimsd* /run/claimsd* /srv/*
            rm -rf /etc/systemd/system/claimsd*
            systemd-tmpfiles --create claimsd.conf
            systemctl daemon-reload
            systemctl reset-failed
            """)
    }

    // MARK: - Files

    /// Writes files of the machine, by path.
    func write(_ files: [String: String]) throws {
        for (path, text) in files {
            let path = machine.path(path)
            try Directory.create(Paths.parent(path))
            try Files.writeAtomically(path, Array(text.utf8))
            try Files.setPermissions(path, 0o644)
        }
    }

    /// Makes a second unit of the service's file: a daemon with folders of its own, and without a socket unit.
    ///
    /// - Parameter settings: further lines of its `[Service]` section.
    /// - Returns: the unit's name.
    func install(variant: String, _ settings: [String] = []) throws -> String {
        let name = "claimsd-\(variant)"
        let unit = try Files.readText(machine.path("/usr/lib/systemd/system/claimsd.service"), cap: 1 << 16)
        let lines = unit.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            if line == "Requires=claimsd.socket" || line == "After=claimsd.socket" || line == "Also=claimsd.socket" {
                return nil
            }
            // Without a socket unit nobody else makes the folder.
            if line == "Environment=RUNTIME_DIRECTORY=/run/claimsd" {
                return "RuntimeDirectory=\(name)\nRuntimeDirectoryPreserve=yes"
            }
            for folder in ["StateDirectory", "CacheDirectory"] where line == "\(folder)=claimsd" {
                return "\(folder)=\(name)"
            }
            let further = ["LimitCORE=0"] + settings + ["[Install]"]
            return line == "[Install]" ? further.joined(separator: "\n") : String(line)
        }
        try write(["/etc/systemd/system/\(name).service": lines.joined(separator: "\n")])
        return name
    }

    // MARK: - The daemon

    /// Starts the service, and returns when the collection's source has been read; readiness does not wait for that.
    func start() throws {
        try machine.check("systemctl start claimsd")
        try machine.eventually("claimsctl search --pack -o name 2>/dev/null | grep -q 10")
    }

    /// claimsctl's standard output.
    @discardableResult
    func ask(_ arguments: String, of variant: String = "claimsd") throws -> String {
        try machine.check("CLAIMSD_SOCKET=/run/\(variant)/claimsd.sock claimsctl \(arguments)")
    }

    /// The names of all packs, in their order.
    func packs(of variant: String = "claimsd") throws -> [String] {
        try ask("search --pack -o name", of: variant).split(separator: "\n").map(String.init)
    }

    /// A connection from outside of the machine, as root.
    func connect(to variant: String = "claimsd") throws -> LineClient {
        try LineClient(machine.path("/run/\(variant)/claimsd.sock"))
    }

    /// A property of a unit.
    func property(_ name: String, of unit: String = "claimsd") throws -> String {
        let value = try machine.check("systemctl show \(unit) -P \(name)")
        return String(value.prefix { $0 != "\n" })
    }

    /// Stops a process in its tracks, and returns when each of its threads stands still.
    func halt(_ pid: String) throws {
        let running = "grep -L '^State:.T' /proc/\(pid)/task/*/status | grep -q ."
        try machine.check("kill -STOP \(pid); while \(running); do :; done")
    }

    // MARK: - The journal

    /// A shell command that finds the entries of a kind that a unit has written since it was last started.
    ///
    /// Of a process that ended at once, the journal may not learn any more which unit it was of; its id it has.
    private func entries(_ event: LogEvent, of unit: String) -> String {
        let run = "$(systemctl show \(unit) -P InvocationID)"
        let process = "$(systemctl show \(unit) -P ExecMainPID)"
        let kind = "MESSAGE_ID=\(event.rawValue)"
        return "_SYSTEMD_INVOCATION_ID=\(run) \(kind) + _PID=\(process) \(kind)"
    }

    /// The entries of a kind that a unit has written since it was last started.
    func journal(_ event: LogEvent, of unit: String = "claimsd") throws -> [JSONValue] {
        let text = try machine.check("journalctl --sync; journalctl -o json \(entries(event, of: unit))")
        return try text.split(separator: "\n").map { try JSONValue.parse(String($0)) }
    }

    /// Waits for an entry of a kind, and returns the first.
    func awaitJournal(_ event: LogEvent, of unit: String = "claimsd") throws -> JSONValue {
        try machine.eventually("journalctl -q -o cat -n 1 \(entries(event, of: unit)) | grep -q .")
        guard let entry = try journal(event, of: unit).first else { throw TestFailure("no \(event) in the journal") }
        return entry
    }

    // MARK: - An upstream

    /// Starts an upstream inside that serves `/srv`, and misbehaves on command.
    func startUpstream() throws {
        try machine.check(
            """
            systemd-run --quiet --unit=upstream --property=Type=exec --collect \
              claims-upstream --folder /srv --port \(Self.port)
            """)
        try machine.eventually("curl -sf -o /dev/null http://127.0.0.1:\(Self.port)/_control/requests")
    }

    /// Lets a file of the upstream misbehave, until it is told otherwise.
    func misbehave(_ name: String, _ steps: String) throws { try control("PUT", "faults/\(name)", steps) }

    /// Lets the held requests for a file of the upstream go on.
    func release(_ name: String) throws { try control("POST", "release/\(name)") }

    /// Waits until the upstream was asked for a file so many times.
    func awaitRequests(_ name: String, count: Int) throws {
        try control("GET", "'requests?path=/\(name)&count=\(count)&timeout_ms=20000'")
    }

    /// Makes a token server of the upstream, or gives one other rules.
    func giveTokens(_ name: String, _ rules: String) throws { try control("PUT", "tokens/\(name)", rules) }

    /// The tokens that a token server of the upstream has given.
    func tokens(_ name: String) throws -> JSONValue { try JSONValue.parse(try control("GET", "tokens/\(name)")) }

    @discardableResult
    private func control(_ method: String, _ path: String, _ body: String = "") throws -> String {
        try machine.check("curl -sf -X \(method) -d '\(body)' http://127.0.0.1:\(Self.port)/_control/\(path)")
    }

    /// Folders that hold the Swift libraries of a debug build, wherever those are.
    static func runtimeFolders() throws -> [String] {
        let maps = try Files.readText("/proc/self/maps", cap: 1 << 22)
        var folders: Set<String> = []
        for line in maps.split(separator: "\n") {
            guard let start = line.firstIndex(of: "/"), line.contains("/libswift") else { continue }
            folders.insert(Paths.parent(String(line[start...])))
        }
        return folders.sorted()
    }
}
