// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import ClaimsModel
import ClaimsPlatform
import Glibc

/// A failure of the database of marks.
struct DatabaseError: Error, Equatable {
    enum Kind: Equatable {
        case unreachable, timeout, tls, credential
        /// The server has refused a statement.
        case refused
        /// The caller stops.
        case stopped
    }

    let kind: Kind
    /// For people.
    let message: String
}

/// A connection to PostgreSQL by libpq. No call continues after its deadline, or after the caller stops.
///
/// It uses nothing that lasts longer than a transaction, so that a pooler may give each transaction another connection. After
/// an error it can only be released.
@safe
struct PostgresConnection: ~Copyable {
    /// The rows of an answer; nil is NULL.
    typealias Rows = [[String?]]

    /// The longest time that a statement may take.
    static let statementTimeout = Duration.seconds(30)

    private let handle: OpaquePointer
    private let stop: Int32

    /// Connects to one server.
    ///
    /// - Parameters:
    ///   - host: one of the address of `marks`.
    ///   - number: the address of the host in numbers; nil for the folder of a Unix socket.
    ///   - password: nil if the server asks for none.
    ///   - stop: a descriptor that becomes readable once the caller stops.
    init(
        _ marks: FleetMarksDefinition, _ host: FleetMarksDefinition.Address.Host, number: String?, password: String?,
        within time: Duration, stop: Int32
    ) throws(DatabaseError) {
        if let reason = unsafe cpostgres_load() {
            throw DatabaseError(kind: .unreachable, message: unsafe String(cString: reason))
        }
        var parameters = Self.parameters(marks, password: password)
        parameters += [("host", host.name), ("port", "\(host.port)")]
        // libpq would wait for the name service without a limit.
        if let number { parameters.append(("hostaddr", number)) }
        guard let handle = unsafe Self.begin(parameters) else {
            throw DatabaseError(kind: .unreachable, message: "there is no memory")
        }
        let outcome = unsafe cpostgres_connect(handle, stop, time.wholeMilliseconds)
        guard outcome == CPOSTGRES_DONE else {
            let failure = unsafe Self.failure(outcome, of: handle, after: time, isConnecting: true)
            unsafe cpostgres_close(handle)
            throw failure
        }
        unsafe self.handle = handle
        self.stop = stop
    }

    deinit { unsafe cpostgres_close(handle) }

    /// All parameters that libpq would otherwise take from files of the user or from its defaults.
    private static func parameters(_ marks: FleetMarksDefinition, password: String?) -> [(String, String)] {
        let nowhere = "/nonexistent"
        let address = marks.address
        var parameters = [
            ("user", address.user), ("dbname", address.database), ("passfile", nowhere), ("client_encoding", "UTF8"),
            ("application_name", "claimsd"), ("target_session_attrs", "any"), ("gssencmode", "disable"),
            ("keepalives", "1"), ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("sslmode", address.isSocket ? "disable" : "verify-full"), ("sslcert", nowhere), ("sslkey", nowhere),
            ("sslcrl", nowhere), ("sslcompression", "0"), ("ssl_min_protocol_version", "TLSv1.2"),
        ]
        if let password { parameters.append(("password", password)) }
        if let ca = marks.ca, !address.isSocket { parameters.append(("sslrootcert", ca)) }
        return parameters
    }

    private static func begin(_ parameters: [(String, String)]) -> OpaquePointer? {
        // Invariant: the texts live until the call returns, which copies them.
        let keywords = unsafe parameters.map { unsafe strdup($0.0) }
        let values = unsafe parameters.map { unsafe strdup($0.1) }
        defer { unsafe (keywords + values).forEach { unsafe free($0) } }
        let names = unsafe keywords.map { unsafe UnsafePointer($0) } + [nil]
        let texts = unsafe values.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe cpostgres_begin(names, texts)
    }

    /// Runs one statement.
    @discardableResult
    mutating func run(
        _ sql: String, _ parameters: [String] = [], within time: Duration = statementTimeout
    ) throws(DatabaseError) -> Rows {
        // Invariant: the texts live until the call returns; the result lives until it is freed here.
        let texts = unsafe parameters.map { unsafe strdup($0) }
        defer { unsafe texts.forEach { unsafe free($0) } }
        let pointers = unsafe texts.map { unsafe UnsafePointer($0) }
        var result: OpaquePointer?
        let outcome = unsafe cpostgres_run(
            handle, sql, Int32(pointers.count), pointers, stop, time.wholeMilliseconds, &result)
        guard outcome == CPOSTGRES_DONE, let result = unsafe result else {
            throw unsafe Self.failure(outcome, of: handle, after: time, isConnecting: false)
        }
        defer { unsafe cpostgres_free(result) }
        let (rows, columns) = (unsafe cpostgres_rows(result), unsafe cpostgres_columns(result))
        return (0..<rows).map { row in
            (0..<columns).map { column in
                unsafe cpostgres_value(result, row, column).map { unsafe String(cString: $0) }
            }
        }
    }

    /// Runs a body in a transaction, which is rolled back if the body throws.
    mutating func transaction<Result, Failure: Error>(
        _ body: (inout PostgresConnection) throws(Failure) -> Result, failing: (DatabaseError) -> Failure
    ) throws(Failure) -> Result {
        do throws(DatabaseError) {
            try run("BEGIN")
            // A host that is cut off must not keep the others waiting for the one row that all of them change.
            try run("SET LOCAL idle_in_transaction_session_timeout = '60s'")
            try run("SET LOCAL statement_timeout = '25s'")
        } catch { throw failing(error) }
        let result: Result
        do throws(Failure) { result = try body(&self) } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
        do throws(DatabaseError) { try run("COMMIT") } catch { throw failing(error) }
        return result
    }

    @unsafe private static func failure(
        _ outcome: cpostgres_outcome, of handle: OpaquePointer, after time: Duration, isConnecting: Bool
    ) -> DatabaseError {
        let text = unsafe String(cString: cpostgres_message(handle))
        let state = unsafe String(cString: cpostgres_state(handle))
        switch outcome {
        case CPOSTGRES_STOPPED: return DatabaseError(kind: .stopped, message: "claimsd stops")
        case CPOSTGRES_TIMEOUT:
            return DatabaseError(kind: .timeout, message: "no answer for \((time.wholeMilliseconds + 999) / 1000) s")
        default:
            if !isConnecting {
                return DatabaseError(kind: state.isEmpty ? .unreachable : .refused, message: line(text))
            }
            if unsafe cpostgres_wants_password(handle) != 0, text.contains("password") {
                return DatabaseError(kind: .credential, message: line(text))
            }
            // libpq reports a refused certificate in words only.
            let isTLS = ["certificate", "SSL", "TLS"].contains { text.contains($0) }
            return DatabaseError(kind: isTLS ? .tls : .unreachable, message: line(text))
        }
    }

    /// A message in one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
    }
}
