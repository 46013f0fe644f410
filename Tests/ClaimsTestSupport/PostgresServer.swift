// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization

/// A server of PostgreSQL in a folder of its own, as a user without privileges: on a Unix socket, and with a certificate on
/// 127.0.0.1 too. It has the database `claims` with the tables of a fleet, and the users `claims`, with the password
/// `secret`, and `owner`, who may do all.
public final class PostgresServer: Sendable {
    private static let newest = [17, 16, 15].map { "/usr/lib/postgresql/\($0)/bin" }.first {
        Files.exists($0 + "/postgres")
    }
    public static var isInstalled: Bool { newest != nil && Files.exists("/usr/bin/psql") }
    public static let password = "secret"

    public let folder: TemporaryFolder
    public let port: UInt16
    private let programs: String
    /// The command that runs a program as the server's user; empty if that is the current user.
    private let prefix: [String]
    private let process = Mutex<RunningProgram?>(nil)
    private let certificate: CertificateAuthority.Certificate?

    /// Makes the server and starts it.
    ///
    /// - Parameters:
    ///   - fleet: the name of the fleet; nil: it has no tables.
    ///   - certificate: for connections over TLS; nil: there are none.
    public init(fleet: String? = "north", certificate: CertificateAuthority.Certificate? = nil) throws {
        guard let programs = Self.newest else { throw TestFailure("PostgreSQL is not installed") }
        self.programs = programs
        self.certificate = certificate
        (folder, port, prefix) = try Self.place(certificate)
        try folder.write("password", Self.password)
        unsafe chmod(folder("password"), 0o644)
        try perform(
            [
                programs + "/initdb", "-D", folder("data"), "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C",
                "-N",
            ])
        try prepare(certificate)
        try start()
        try sql("CREATE DATABASE claims", in: "postgres")
        if let fleet { try makeTables(fleet) }
        let role = fleet == nil ? "" : " IN ROLE claims_member"
        try sql("CREATE ROLE claims LOGIN PASSWORD '\(Self.password)'\(role)")
    }

    /// Makes a standby of another server, which has all of that one, and starts it.
    ///
    /// - Parameter certificate: for connections over TLS.
    public init(standbyOf primary: PostgresServer, certificate: CertificateAuthority.Certificate) throws {
        programs = primary.programs
        self.certificate = certificate
        (folder, port, prefix) = try Self.place(certificate)
        try perform(
            [
                programs + "/pg_basebackup", "-D", folder("data"), "-h", primary.folder.path, "-p", "\(primary.port)",
                "-U", "owner", "-R", "-X", "stream", "-c", "fast", "-N",
            ])
        try prepare(certificate)
        try start()
    }

    /// A folder and a port for a server, and the command that runs a program as its user.
    private static func place(
        _ certificate: CertificateAuthority.Certificate?
    ) throws -> (TemporaryFolder, UInt16, [String]) {
        let folder = try TemporaryFolder(prefix: "claims-postgres")
        let port = certificate == nil ? 5432 : try LoopbackSocket.silentListener().port
        guard getuid() == 0 else { return (folder, port, []) }
        let user = Accounts.user(named: "nobody") ?? 65534
        guard unsafe chown(folder.path, user, user) == 0 else { throw SystemError.last("give a folder away") }
        return (folder, port, ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"])
    }

    /// Writes the files for connections over TLS.
    private func prepare(_ certificate: CertificateAuthority.Certificate?) throws {
        guard let certificate else { return }
        for (name, path) in [("server.pem", certificate.path), ("server.key", certificate.keyPath)] {
            try perform(["/bin/sh", "-c", "umask 077; cat > '\(folder(name))'"], input: path)
        }
        let rules = "local all,replication all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
        try folder.write("rules", rules)
        unsafe chmod(folder("rules"), 0o644)
    }

    /// The address for `fleet.json5`, on the Unix socket.
    public var address: String { "postgresql://claims@/claims?host=\(folder.path)" }
    /// The address over TLS.
    public var secureAddress: String { "postgresql://claims@127.0.0.1:\(port)/claims" }

    /// The program of PgBouncer, which gives each transaction another connection.
    public static let poolerPath = "/usr/sbin/pgbouncer"

    /// Starts PgBouncer with one connection to the server, without TLS, and else as the package's example has it.
    ///
    /// - Returns: the program, which ends with that value, and the address for `fleet.json5`.
    public func startPooler() throws -> (program: RunningProgram, address: String) {
        let sockets = folder("pooler")
        try perform(["/bin/mkdir", sockets])
        try folder.write("users", "\"claims\" \"\(Self.password)\"\n")
        let example = try FleetExample.text(
            "pgbouncer.ini",
            replacing: [
                "host=db.example port=5432": "host=\(folder.path) port=\(port)", "pool_size=4": "pool_size=1",
                "listen_addr = *": "", "listen_port = 6432": "listen_port = 5432",
                "unix_socket_dir =": "unix_socket_dir = \(sockets)", "scram-sha-256": "trust",
                "/etc/pgbouncer/userlist.txt": folder("users"), "/var/log/postgresql": sockets,
                "/run/postgresql": sockets,
            ], without: ["client_tls", "server_tls"])
        try folder.write("pooler.ini", example)
        for name in ["users", "pooler.ini"] { unsafe chmod(folder(name), 0o644) }
        let command = prefix + [Self.poolerPath, folder("pooler.ini")]
        let program = try RunningProgram(
            "/bin/sh", ["-c", "exec \"$@\" >/dev/null 2>&1", "sh"] + command, environment: ["LC_ALL=C"])
        return (program, "postgresql://claims@/claims?host=\(sockets)")
    }

    /// Runs the file that makes the tables; it may be run again.
    public func makeTables(_ fleet: String) throws {
        try psql(
            ["-v", "name=\(fleet)", "-v", "schema=claims", "-f", Paths.join(Repository.data, "fleet.sql")], "claims")
    }

    /// Runs statements as `owner`, and returns what they answer: a line a row.
    @discardableResult
    public func sql(_ text: String, in database: String = "claims") throws -> [String] {
        try psql(["-c", text], database).split(separator: "\n").map(String.init)
    }

    /// Starts the server again, and waits until it answers.
    public func start() throws {
        var arguments = ["-D", folder("data"), "-c", "unix_socket_directories=\(folder.path)", "-c", "fsync=off"]
        arguments += ["-c", "port=\(port)", "-c", "max_connections=40", "-c", "shared_buffers=16MB"]
        if certificate == nil {
            arguments += ["-c", "listen_addresses="]
        } else {
            arguments += ["-c", "listen_addresses=127.0.0.1", "-c", "ssl=on", "-c", "hba_file=\(folder("rules"))"]
            arguments += ["-c", "ssl_cert_file=\(folder("server.pem"))", "-c", "ssl_key_file=\(folder("server.key"))"]
        }
        let command = prefix + [programs + "/postgres"] + arguments
        let program = try RunningProgram(
            "/bin/sh", ["-c", "exec \"$@\" >>'\(folder("log"))' 2>&1", "sh"] + command, environment: ["LC_ALL=C"])
        process.withLock { $0 = program }
        let deadline = SystemClock.monotonic(after: LineClient.timeout)
        while (try? sql("SELECT 1", in: "postgres")) == nil {
            guard SystemClock.monotonic < deadline, try !program.hasEnded(within: .milliseconds(50)) else {
                throw TestFailure("PostgreSQL does not start: \((try? folder.read("log")) ?? "")")
            }
        }
    }

    /// Stops the server: its connections end, and its socket is gone.
    public func stop() throws { try end(SIGINT) }

    /// Ends the server at once, as a crash does: nothing more reaches a standby.
    public func crash() throws { try end(SIGQUIT) }

    private func end(_ signal: Int32) throws {
        guard let program = process.withLock({ $0.take() }) else { return }
        program.signal(signal)
        guard try program.hasEnded(within: LineClient.timeout) else { throw TestFailure("PostgreSQL does not stop") }
    }

    @discardableResult
    private func psql(_ arguments: [String], _ database: String) throws -> String {
        try perform(
            [
                "/usr/bin/psql", "-X", "-q", "-A", "-t", "-h", folder.path, "-p", "\(port)", "-U", "owner", "-d",
                database,
            ]
                + ["-v", "ON_ERROR_STOP=1"] + arguments, isServer: false)
    }

    /// Runs a program to its end, and returns what it has written.
    @discardableResult
    private func perform(_ command: [String], input: String? = nil, isServer: Bool = true) throws -> String {
        let command = (isServer ? prefix : []) + command
        let output = try FileDescriptor.temporary(in: "/tmp")
        let source = try FileDescriptor.open(input ?? "/dev/null", .read)
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: ["LC_ALL=C", "PATH=/usr/bin:/bin"],
            directory: folder.path, input: source.raw, output: output.raw, error: output.raw)
        let status = process.wait()
        let text = String(decoding: try Files.readAll("/proc/self/fd/\(output.raw)", cap: 1 << 20), as: UTF8.self)
        guard status == .exited(0) else { throw TestFailure("\(command): \(text)") }
        return text
    }
}
