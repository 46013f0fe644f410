// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The server: a listener on the loopback and its connections, each on a thread of a bounded pool.
struct Upstream: ~Copyable {
    /// The number of connections that are served at once; more wait.
    private static let maxConnections = 96

    let port: UInt16
    private let listener: FileDescriptor
    private let pool: WorkerPool
    private let site: UpstreamSite

    /// Listens on the loopback; `run` then accepts.
    static func start(_ options: UpstreamOptions) throws(UpstreamError) -> Upstream {
        let site = try UpstreamSite(options)
        do throws(SystemError) { return try Upstream(site, port: options.port) } catch { throw UpstreamError(error) }
    }

    private init(_ site: UpstreamSite, port: UInt16) throws(SystemError) {
        let listener = try Self.listen(port)
        let bound = try Self.port(of: listener)
        pool = try WorkerPool(name: "connection", threads: Self.maxConnections, stackSize: 1 << 20)
        self.listener = listener
        self.port = bound
        self.site = site
    }

    /// Accepts connections; returns only by throwing.
    func run() throws(UpstreamError) {
        while true {
            do throws(SystemError) {
                guard try listener.wait(for: .read, timeout: nil), let socket = try UnixSocket.accept(listener.raw)
                else { continue }
                if site.resetsConnection() {
                    UpstreamConnection.reset(socket.raw)
                    continue
                }
                Self.sendAtOnce(socket)
                let raw = socket.release()
                pool.post { [site] in site.serve(UpstreamConnection(FileDescriptor(owning: raw))) }
            } catch {
                throw UpstreamError(error)
            }
        }
    }

    /// Runs `work`, which ends the process, on a thread of the pool.
    func alsoRun(_ work: @escaping @Sendable () -> Void) {
        pool.post(work)
    }

    private static func listen(_ port: UInt16) throws(SystemError) -> FileDescriptor {
        let operation = "listen on 127.0.0.1:\(port)"
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let raw = Glibc.socket(AF_INET, flags, 0)
        guard raw >= 0 else { throw .last(operation) }
        let listener = FileDescriptor(owning: raw)
        var on: Int32 = 1
        unsafe setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(raw, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, Glibc.listen(raw, 1024) == 0 else { throw .last(operation) }
        return listener
    }

    /// Turns Nagle's algorithm off (tcp(7)): a drip of bytes must arrive as a drip.
    private static func sendAtOnce(_ socket: borrowing FileDescriptor) {
        var on: Int32 = 1
        unsafe setsockopt(socket.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of socket: borrowing FileDescriptor) throws(SystemError) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(socket.raw, address, &size)
            }
        }
        guard result == 0 else { throw .last("ask for the port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
