// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization

/// A real sshd on 127.0.0.1 with keys of its own, at which this user may log in; it stands for another host.
///
/// The host is called `depot`. Programs of a login there find claimsctl in their PATH, and the daemon by
/// `CLAIMSD_SOCKET`. It shows a banner to everybody. Everything goes with this object.
public final class SSHHost: Sendable {
    private let folder: TemporaryFolder
    private let process = Mutex<ChildProcess?>(nil)
    public let port: UInt16

    /// Starts it, and returns when it takes connections.
    ///
    /// - Parameters:
    ///   - socket: the path of the daemon's socket.
    ///   - hasClient: whether claimsctl is in the PATH there.
    ///   - options: the options before the key in authorized_keys, such as `command="claimsctl stdio",restrict`.
    public init(socket: String, hasClient: Bool = true, options: String = "") throws {
        folder = try TemporaryFolder(prefix: "claimsd-ssh")
        for name in ["host", "user", "stranger"] { try Self.makeKey(folder(name)) }
        try Directory.create(folder("bin"))
        if hasClient {
            let made = try unsafe symlink(BuiltProgram.path("claimsctl"), folder("bin/claimsctl"))
            guard made == 0 else { throw TestFailure("no link to claimsctl") }
        }
        let prefix = options.isEmpty ? "" : options + " "
        try folder.write("authorized_keys", prefix + folder.read("user.pub"))
        try folder.write("banner", "Authorised use of depot only!\n")
        try folder.write("known_hosts", "depot \(folder.read("host.pub"))")
        port = try Self.freePort()
        try writeConfiguration(socket: socket)
        for name in ["user", "stranger"] { try writeProgram(name) }
        try start()
    }

    deinit {
        process.withLock { process in process = nil }
    }

    /// The program that takes the place of ssh, with the key that the host knows.
    public var program: String { folder("ssh-user") }
    /// The same with a key that the host does not know.
    public var strangersProgram: String { folder("ssh-stranger") }
    /// The name of the user who logs in.
    public static var user: String { Accounts.userName(geteuid()) ?? "root" }

    /// Ends it, so that its port refuses connections.
    public func stop() { process.withLock { process in process = nil } }

    private static func makeKey(_ path: String) throws {
        let outcome = try ControlProgram.run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path])
        guard outcome.code == 0 else { throw TestFailure("no key: \(outcome.error)") }
    }

    /// A port that nobody listens at now.
    private static func freePort() throws -> UInt16 { try LoopbackSocket.silentListener().port }

    private func writeConfiguration(socket: String) throws {
        let variables = BuiltProgram.environment([
            "PATH": "\(folder("bin")):/usr/bin:/bin", "CLAIMSD_SOCKET": socket,
        ]).map { "\"\($0)\"" }
        try folder.write(
            "sshd_config",
            """
            ListenAddress 127.0.0.1:\(port)
            HostKey \(folder("host"))
            AuthorizedKeysFile \(folder("authorized_keys"))
            Banner \(folder("banner"))
            PidFile none
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin prohibit-password
            PrintMotd no
            SetEnv \(variables.joined(separator: " "))

            """)
    }

    private func writeProgram(_ key: String) throws {
        try folder.write(
            "config-\(key)",
            """
            Host depot
              HostName 127.0.0.1
              Port \(port)
            Host *
              User \(Self.user)
              HostKeyAlias depot
              IdentityFile \(folder(key))
              IdentitiesOnly yes
              IdentityAgent none
              UserKnownHostsFile \(folder("known_hosts"))
              GlobalKnownHostsFile /dev/null
              StrictHostKeyChecking yes
              BatchMode yes

            """)
        try ShellProgram.write(
            folder("ssh-\(key)"), "#!/bin/sh\nexec ssh -F \(folder("config-\(key)")) \"$@\"\n")
    }

    private func start() throws {
        let log = try FileDescriptor.open(folder("log"), .append(permissions: 0o600))
        // As root it wants a folder below /run, which it gets in a /run of its own.
        let command = ["/usr/sbin/sshd", "-D", "-e", "-f", folder("sshd_config")]
        let script = #"mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec "$@""#
        let words = geteuid() == 0 ? ["/usr/bin/unshare", "--mount", "sh", "-c", script, "sh"] + command : command
        try process.withLock { process in
            process = try ChildProcess(
                words[0], Array(words.dropFirst()), environment: BuiltProgram.environment(), output: log.raw,
                error: log.raw)
        }
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while (try? LoopbackSocket.connect(port)) == nil {
            // Not a sleep: a wait for its end, between two attempts.
            let hasEnded = try process.withLock { process in try process?.hasEnded(within: .milliseconds(5)) ?? true }
            guard !hasEnded, SystemClock.monotonic < deadline else {
                throw TestFailure("sshd does not start: \(try folder.read("log"))")
            }
        }
    }
}
