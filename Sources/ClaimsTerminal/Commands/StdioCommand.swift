// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import Glibc

extension Verb {
    static let stdio = Verb(
        "stdio", summary: "connect standard input and output with the daemon",
        details: """
            Copies bytes both ways, so that a program on another host can ask the daemon here through ssh. The option -H
            runs it there. With `command="claimsctl stdio",restrict` before it in authorized_keys, a key does this and
            nothing else. The roles are those of the account.
            """,
        examples: ["stdio"], takesSelector: false, maxArguments: 0,
        takesHost: false)
}

/// `stdio`: copies standard input to the daemon, and the daemon's lines to standard output, as they come.
enum StdioCommand {
    /// The size of each of the two buffers, in bytes.
    private static let bufferSize = 64 << 10
    /// The time that connecting may take while the daemon's queue is full.
    private static let maxConnectTime = Duration.seconds(30)

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let path = context.socketPath
        do throws(SystemError) {
            let socket = try UnixSocket.connect(path: path, timeout: maxConnectTime)
            let raw = socket.raw
            // Two threads, because each direction may have to wait for its reader: neither holds up the other.
            let requests = try NamedThread("requests") {
                copyInput(to: raw)
                UnixSocket.shutDown(raw, .writing)
            }
            copy(from: raw, to: 1, unless: nil)
            // The daemon has closed, or nobody reads its answers. The thread sees that, whatever its input does.
            UnixSocket.shutDown(raw, .both)
            _ = consume requests
            _ = consume socket
            return .done
        } catch {
            throw .client(.unreachable(path: path, error))
        }
    }

    private static func copyInput(to socket: Int32) {
        copy(from: 0, to: socket, unless: socket)
    }

    /// Copies bytes until the source ends, or the destination takes no more.
    ///
    /// - Parameter closed: a socket; once it is closed in both directions, the copying ends while it waits for input.
    private static func copy(from source: Int32, to destination: Int32, unless closed: Int32?) {
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        while true {
            if let closed, !waitForInput(source, unless: closed) { return }
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(source, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var done = 0
            while done < count {
                let part = unsafe buffer.withUnsafeBytes { bytes in
                    unsafe write(destination, bytes.baseAddress.map { unsafe $0 + done }, count - done)
                }
                if part < 0, errno == EINTR { continue }
                guard part >= 0 else { return }
                done += part
            }
        }
    }

    /// Waits until there is input, or its end.
    ///
    /// - Returns: false where the socket is closed before.
    private static func waitForInput(_ source: Int32, unless socket: Int32) -> Bool {
        var entries = [
            pollfd(fd: source, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: 0, revents: 0),
        ]
        while true {
            let count = unsafe poll(&entries, nfds_t(entries.count), -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            return entries[0].revents != 0
        }
    }
}
