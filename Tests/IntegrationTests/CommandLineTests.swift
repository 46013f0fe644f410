// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Glibc
import Testing

@testable import claimsd

@Suite struct CommandLineTests {
    private func folders(
        _ arguments: [String] = [], _ variables: [String: String] = [:], isRoot: Bool, isPrivate: Bool = true
    ) throws -> Folders {
        Folders(
            try DaemonOptions(arguments), environment: { variables[$0] }, isRoot: isRoot, workingDirectory: "/here",
            isPrivate: { _ in isPrivate })
    }

    @Test func `a session's folder that others can enter is not used for the socket`() throws {
        let folders = try folders([], ["XDG_RUNTIME_DIR": "/run/user/7"], isRoot: false, isPrivate: false)
        #expect(folders.socket == "/run/claimsd/claimsd.sock" && !folders.isUsersOwn)
    }

    @Test func `root's folders are those of the file system hierarchy`() throws {
        let folders = try folders(isRoot: true)
        #expect(folders.configuration == "/etc/claimsd")
        #expect(folders.data == "/usr/share/claimsd")
        #expect(folders.cache == "/var/cache/claimsd")
        #expect(folders.state == "/var/lib/claimsd")
        #expect(folders.socket == "/run/claimsd/claimsd.sock")
        #expect(!folders.isUsersOwn)
    }

    @Test func `a daemon in a user's runtime folder is that user's own`() throws {
        #expect(try folders([], ["XDG_RUNTIME_DIR": "/run/user/1000"], isRoot: false).isUsersOwn)
        #expect(try folders([], ["RUNTIME_DIRECTORY": "/run/user/1000/claimsd"], isRoot: false).isUsersOwn)
        let runtime = ["XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(try !folders(["--socket", "/tmp/socket"], runtime, isRoot: false).isUsersOwn)
    }

    @Test func `the command for a reload is that of the unit, or a signal where there is none`() throws {
        #expect(try folders(isRoot: true).reload == "systemctl reload claimsd")
        #expect(
            try folders(["--socket", "/x"], ["NOTIFY_SOCKET": "/n"], isRoot: true).reload == "systemctl reload claimsd")
        #expect(
            try folders([], ["XDG_RUNTIME_DIR": "/run/user/1"], isRoot: false).reload
                == "systemctl --user reload claimsd")
        #expect(try folders(["--socket", "/x"], isRoot: false).reload == "kill -HUP \(getpid())")
    }

    @Test func `a user's folders are those of the XDG base directories`() throws {
        let plain = try folders([], ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7"], isRoot: false)
        #expect(plain.configuration == "/home/a/.config/claimsd")
        #expect(plain.state == "/home/a/.local/state/claimsd")
        #expect(plain.cache == "/home/a/.cache/claimsd")
        #expect(plain.socket == "/run/user/7/claimsd/claimsd.sock")
        #expect(try folders([], ["HOME": "/h", "XDG_CACHE_HOME": "/c"], isRoot: false).cache == "/c/claimsd")
    }

    @Test func `what systemd says goes before the defaults, and the command line before systemd`() throws {
        let variables = [
            "CONFIGURATION_DIRECTORY": "/a", "CACHE_DIRECTORY": "/b:/x", "STATE_DIRECTORY": "/c",
            "RUNTIME_DIRECTORY": "/d", "CLAIMSD_DATA_DIR": "/e",
        ]
        let folders = try folders(["--state-dir=/s", "--socket", "/t.sock"], variables, isRoot: true)
        #expect(folders.configuration == "/a" && folders.cache == "/b" && folders.data == "/e")
        #expect(folders.state == "/s" && folders.socket == "/t.sock")
        #expect(try self.folders([], variables, isRoot: true).socket == "/d/claimsd.sock")
    }

    @Test func `relative folders are meant from the working directory`() throws {
        let folders = try folders(
            ["--data-dir", "Config", "--config-dir=etc", "--socket", "s"], ["STATE_DIRECTORY": "state"], isRoot: true)
        #expect(folders.data == "/here/Config" && folders.configuration == "/here/etc")
        #expect(folders.socket == "/here/s" && folders.state == "/here/state")
    }

    @Test(arguments: ["--stat-dir", "--state-dir", "--state-dir=", "serve", "--version=1"])
    func `a wrong argument is named`(argument: String) throws {
        let mistake = try #require(throws: DaemonOptions.UsageError.self) { try DaemonOptions([argument]) }
        #expect(mistake.message.contains(argument.split(separator: "=")[0]))
    }

    @Test(arguments: [
        ["--site", "a"], ["--check-config", "--site=a"], ["--define", "-", "--credential", "a=b"], ["--name", "a"],
        ["--try", "f", "--root="], ["--version", "--lang", "pl"],
    ])
    func `an option of another task is refused`(arguments: [String]) throws {
        let mistake = try #require(throws: DaemonOptions.UsageError.self) { try DaemonOptions(arguments) }
        #expect(mistake.message.contains(" belongs to --"))
        let options = try DaemonOptions(["--lang", "pl", "--try", "f", "--site", "a", "--credential", "a=b"])
        #expect(options.site == "a" && options.language == "pl")
    }

    @Test func `a thread counts as stalled when it stood still since it was woken, and is woken now and then`() {
        func look(_ first: UInt64, _ second: UInt64) -> [LoopWatch.Subject] {
            [.init(name: "a", progress: first), .init(name: "b", progress: second)]
        }
        let second: UInt64 = 1_000_000_000
        var watch = LoopWatch()
        #expect(watch.stalled(look(1, 5)) == [])
        let asks = [
            watch.asks(look(1, 5), every: .seconds(60), now: second),
            watch.asks(look(2, 6), every: .seconds(60), now: 60 * second),
            watch.asks(look(2, 6), every: .seconds(60), now: 61 * second),
        ]
        #expect(asks == [true, false, true])
        #expect(watch.stalled(look(3, 7)) == [])
        #expect(watch.stalled(look(3, 6)) == ["b"])
    }

    @Test func `a clock that was set is told from one that runs, or is set right little by little`() {
        var watch = ClockWatch(wall: 1_000_000, sinceBoot: 5_000_000_000)
        #expect(watch.step(wall: 1_005_000, sinceBoot: 10_000_000_000) == nil)
        #expect(watch.step(wall: 1_011_000, sinceBoot: 15_000_000_000) == nil)
        #expect(watch.step(wall: 4_616_000, sinceBoot: 20_000_000_000) == 3_600_000)
        #expect(watch.step(wall: 4_621_000, sinceBoot: 25_000_000_000) == nil)
        #expect(watch.step(wall: 26_000, sinceBoot: 30_000_000_000) == -4_600_000)
    }

    @Test func `the version is told without anything else being touched`() throws {
        let daemon = try DaemonProcess()
        try daemon.launch(["--version"])
        #expect(try daemon.waitForEnd().code == 0)
        #expect(daemon.log == "claimsd \(Product.version)\n")
    }

    @Test func `a second daemon on the same state is refused, and names the first`() throws {
        let first = try DaemonProcess()
        try first.start()
        let second = try DaemonProcess()
        try second.launch(["--state-dir", first.folder("state")])
        #expect(try second.waitForEnd().code == 1)
        #expect(second.log.contains("process \(try #require(first.pid))"))
    }

    @Test func `a configuration that is wrong ends with 78, and a right one is told to be good`() throws {
        let wrong = try DaemonProcess(site: ["claimsd.json5": "{ limits: { line: '1Q' }, langauge: 'en' }"])
        try wrong.launch(["--check-config"])
        #expect(try wrong.waitForEnd().code == 78)
        #expect(wrong.log.contains("limits.line") && wrong.log.contains("did you mean 'language'?"))
        let right = try DaemonProcess()
        try right.launch(["--check-config"])
        #expect(try right.waitForEnd().code == 0)
        #expect(right.log.contains("the configuration is good"))
    }

    @Test(arguments: ["tls: TLS", "auth: { oauth2: { url: 'https://id.example/', client: 'c', tls: TLS } }"])
    func `authorities that are missing or no certificate are an error`(members: String) throws {
        let authority = try CertificateAuthority()
        let folder = try TemporaryFolder(prefix: "claims-certificates")
        let good = try authority.root.text
        let whole = good + good
        // A key, a text that is cut off, and a second certificate that is not whole.
        let bad = [try authority.root.key, String(good.dropLast(40)), good + good.replacing("MII", with: "AII"), "PEM"]
        func check(_ path: String) throws -> (code: Int32?, log: String) {
            let tls = members.replacing("TLS", with: "{ ca: '\(path)' }")
            let daemon = try DaemonProcess(site: [
                "collections.d/units.json5": "{ source: { url: 'https://erp.example/units',\n\(tls) } }"
            ])
            try daemon.launch(["--check-config"])
            return (try daemon.waitForEnd().code, daemon.log)
        }
        try folder.write("good.pem", whole)
        #expect(try check(folder("good.pem")).code == 0)
        let missing = try check(folder("none.pem"))
        #expect(missing.code == 78)
        #expect(missing.log.contains("units.json5:2:") && missing.log.contains("tls.ca: "), "\(missing.log)")
        for (index, text) in bad.enumerated() {
            try folder.write("\(index).pem", text)
            let answer = try check(folder("\(index).pem"))
            #expect(answer.code == 78)
            #expect(answer.log.contains("\(index).pem has no certificate as PEM"), "\(answer.log)")
        }
    }

    @Test func `a reload with a broken definition keeps the old one and says why`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        try site.daemon.configure("collections.d/units.json5", "{ source: { url: 5 } }")
        try site.daemon.reload()
        #expect(site.daemon.log.contains("units.json5") && site.daemon.log.contains("source.url"))
        #expect(try client.request("search", #"{"collection":"units"}"#).ids.count == 7)
        #expect(try client.request("refresh", #"{"collection":"units","wait":true}"#)["result"] != nil)
    }

    @Test func `a folder of definitions that cannot be read is an error, not an empty one`() throws {
        let daemon = try DaemonProcess(site: ["collections.d": "a file where a folder should be"])
        try daemon.launch(["--check-config"])
        #expect(try daemon.waitForEnd().code == 78)
        #expect(daemon.log.contains("collections.d"))
    }

    @Test func `a reload brings a new collection and new labels without a restart`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        try site.upstream.folder.write("things.json", #"[{"id":"a"},{"id":"b"}]"#)
        try site.daemon.configure(
            "collections.d/things.json5",
            """
            { title: "Things", singular: "thing", source: { url: "\(site.upstream.url("things.json"))" },
              fields: { id: { type: "id", from: ["/id"] } }, list: ["id"] }
            """)
        try site.daemon.reload()
        _ = try client.request("refresh", #"{"collection":"things","wait":true}"#)
        #expect(try client.request("search", #"{"collection":"thing"}"#).ids == ["a", "b"])
    }
}

extension DaemonProcess {
    /// Sends SIGHUP and waits until the daemon has told how the reload went.
    func reload() throws {
        let before = log.utf8.count
        signal(1)
        let deadline = SystemClock.monotonic + LineClient.timeout.wholeNanoseconds
        while !log.dropFirst(before).contains("configuration") {
            guard SystemClock.monotonic < deadline else { throw TestFailure("no reload: \(log)") }
            _ = try connect().request("ping")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "not run as root"), arguments: ["state", "cache"])
    func `root writes nothing in a folder of another user, and follows no link there`(name: String) throws {
        let daemon = try DaemonProcess(site: ["collections.d/units.json5": Site.definition("http://127.0.0.1:1/")])
        let other = try daemon.folder.write("other", "precious")
        try Directory.create(daemon.folder(name), permissions: 0o700)
        try #require(unsafe chown(daemon.folder(name), 65534, 65534) == 0)
        for link in ["state.lock", "clock"] {
            try #require(unsafe symlink(other, daemon.folder("\(name)/\(link)")) == 0)
        }
        try daemon.launch()
        #expect(try daemon.waitForEnd() == .exited(78), "\(daemon.log)")
        #expect(daemon.log.contains("\(daemon.folder(name)) belongs to the user "), "\(daemon.log)")
        #expect(try daemon.folder.read("other") == "precious")
        #expect(try Directory.list(daemon.folder(name)) == ["clock", "state.lock"])
    }

    @Test(arguments: ["a folder", "a link to nowhere, which is missing"])
    func `what is no file in the place of the state database ends the start with 78`(kind: String) throws {
        let daemon = try DaemonProcess(site: ["collections.d/units.json5": Site.definition("http://127.0.0.1:1/")])
        try Directory.create(daemon.folder("state"), permissions: 0o700)
        let path = daemon.folder("state/state.db")
        if kind == "a folder" { try Directory.create(path) } else { try #require(unsafe symlink("nowhere", path) == 0) }
        try daemon.launch()
        #expect(try daemon.waitForEnd() == .exited(78), "\(daemon.log)")
        #expect(daemon.log.contains("cannot open \(path): something else is in its place (\(kind))"), "\(daemon.log)")
    }

    @Test(.enabled(if: geteuid() == 0, "not run as root"))
    func `a check warns of configuration that others may write`() throws {
        let daemon = try DaemonProcess(site: ["collections.d/units.json5": Site.definition("https://a.example/")])
        func check() throws -> String {
            let before = daemon.log.utf8.count
            try daemon.launch(["--check-config"])
            #expect(try daemon.waitForEnd() == .exited(0), "\(daemon.log)")
            return String(decoding: daemon.log.utf8.dropFirst(before), as: UTF8.self)
        }
        #expect(try !check().contains("may write"))
        try Files.setPermissions(daemon.folder("config"), 0o777)
        try Files.setPermissions(daemon.folder("config/collections.d/units.json5"), 0o664)
        try #require(unsafe chown(daemon.folder("config/collections.d/units.json5"), 0, 65534) == 0)
        try #require(unsafe chown(daemon.folder("config/collections.d"), 65534, 0) == 0)
        let told = try check()
        for sentence in [
            "warning: \(daemon.folder("config")): everybody may write it",
            "warning: \(daemon.folder("config/collections.d")): the user ",
            "warning: \(daemon.folder("config/collections.d/units.json5")): the group ",
        ] {
            #expect(told.contains(sentence), "\(told)")
        }
    }
}
