// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Dispatch
import Glibc

/// Finds the writable server of a database among the hosts of its address: a database with a standby has two, and they
/// change roles. If no server is writable, the first one that answers is used for reading.
///
/// The hosts are tried in their order, each with all addresses of its name. There is one deadline, and each attempt
/// gets an equal part of the remaining time: a silent host does not prevent the others from being tried.
struct ServerSearch {
    /// The time for all hosts together.
    static let timeout = Duration.seconds(10)

    let marks: FleetMarksDefinition
    /// nil if the server asks for none.
    let password: String?
    /// A descriptor that becomes readable once the caller stops.
    let stop: Int32

    /// - Throws: the failures of all hosts in one.
    func connection() throws(DatabaseError) -> PostgresConnection {
        let (hosts, deadline) = (marks.address.hosts, SystemClock.monotonic(after: Self.timeout))
        if marks.address.isSocket {
            return try PostgresConnection(
                marks, hosts[0], number: nil, password: password, within: Self.timeout, stop: stop)
        }
        var failures: [DatabaseError] = []
        var readOnly: PostgresConnection?
        for (index, host) in hosts.enumerated() {
            let end = Self.part(until: deadline, for: hosts.count - index)
            let numbers: [String]
            do throws(DatabaseError) {
                numbers = try HostAddress.resolve(host.name, until: end, stop: stop)
            } catch {
                if error.kind == .stopped { throw error }
                failures.append(error)
                continue
            }
            for (index, number) in numbers.enumerated() {
                let end = Self.part(until: end, for: numbers.count - index)
                do throws(DatabaseError) {
                    var found = try PostgresConnection(
                        marks, host, number: number, password: password, within: Self.left(until: end), stop: stop)
                    if hosts.count == 1, numbers.count == 1 { return found }
                    if try Self.isWritable(&found, until: end) { return found }
                    if readOnly == nil { readOnly = consume found }
                } catch {
                    if error.kind == .stopped { throw error }
                    failures.append(hosts.count == 1 ? error : error.at(host))
                }
            }
        }
        if let found = readOnly.take() { return found }
        throw DatabaseError.one(of: failures)
    }

    /// The end of the time for the next attempt.
    ///
    /// - Parameter count: the number of attempts that are left, including this one.
    static func part(until deadline: UInt64, for count: Int, now: UInt64 = SystemClock.monotonic) -> UInt64 {
        now + (deadline > now ? deadline - now : 0) / UInt64(max(1, count))
    }

    private static func left(until end: UInt64) -> Duration {
        let now = SystemClock.monotonic
        return .nanoseconds(Int64(end > now ? end - now : 0))
    }

    private static func isWritable(
        _ connection: inout PostgresConnection, until end: UInt64
    ) throws(DatabaseError) -> Bool {
        try connection.run("SHOW transaction_read_only", within: left(until: end)).first?.first == "off"
    }
}

extension DatabaseError {
    /// The same error with the host that it concerns.
    fileprivate func at(_ host: FleetMarksDefinition.Address.Host) -> DatabaseError {
        message.contains(host.name) ? self : DatabaseError(kind: kind, message: "\(host.text): \(message)")
    }

    /// One error for the errors of several hosts. The error of a host that answers is more helpful than the error of an
    /// absent one.
    fileprivate static func one(of failures: [DatabaseError]) -> DatabaseError {
        let first = failures.first { $0.kind != .unreachable && $0.kind != .timeout } ?? failures.first
        return DatabaseError(
            kind: first?.kind ?? .unreachable, message: failures.map(\.message).joined(separator: "; "))
    }
}

/// Finds the address of a host without waiting for the name service longer than is wanted.
enum HostAddress {
    /// The addresses of a host as text, in the order in which they are to be tried.
    ///
    /// - Parameter deadline: on the monotonic clock, in nanoseconds.
    static func resolve(_ host: String, until deadline: UInt64, stop: Int32) throws(DatabaseError) -> [String] {
        let found = Monitor<[String]?>(nil)
        // A thread of its own would be joined at the end, and a name service may never answer.
        DispatchQueue.global(qos: .utility).async {
            let addresses = lookUp(host)
            found.update { $0 = addresses }
        }
        while SystemClock.monotonic < deadline {
            if let addresses = found.wait(upTo: .milliseconds(200), { $0 }) {
                if addresses.isEmpty { throw DatabaseError(kind: .unreachable, message: "\(host) has no address") }
                return addresses
            }
            if isReadable(stop) { throw DatabaseError(kind: .stopped, message: "claimsd stops") }
        }
        throw DatabaseError(kind: .timeout, message: "the name service does not answer for \(host)")
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&file, 1, 0) > 0
    }

    private static func lookUp(_ host: String) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // Invariant: the list is freed here, and the name has room for every address.
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0, let first = unsafe list else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var entry: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let current = unsafe entry {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = unsafe getnameinfo(
                current.pointee.ai_addr, current.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
                NI_NUMERICHOST)
            let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if code == 0, !addresses.contains(text) { addresses.append(text) }
            unsafe entry = unsafe current.pointee.ai_next
        }
        return addresses
    }
}
