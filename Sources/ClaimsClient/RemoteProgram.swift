// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A running program that connects a socket of this process with the daemon of another host.
///
/// It ends with this object: the socket must be shut down before, so that the program can end by itself.
final class RemoteProgram {
    /// The time that the program has for its end once its socket is closed, before it is stopped.
    static let maxEndTime: Duration = .seconds(5)
    /// The time that it has once it is told to stop, before it is killed.
    private static let maxStopTime: Duration = .seconds(1)

    private let host: RemoteHost
    private var process: ChildProcess?
    private var status: ExitStatus?
    /// The words of the program, where they are kept.
    private let words: ProgramWords?
    /// Whether any byte has come from the host.
    var hasAnswered = false

    /// Starts the program, and returns it with the socket that it serves.
    ///
    /// - Throws: `ClientError.hostFailed` where it cannot be started.
    static func start(_ host: RemoteHost) throws(ClientError) -> DaemonLink {
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            // Programs do not expect that reading fails where nothing has come yet.
            try pair.writing.setNonblocking(false)
            let program = try RemoteProgram(host, socket: pair.writing.raw)
            return DaemonLink(socket: pair.keepReading(), program: program)
        } catch {
            throw .hostFailed(HostFailure(host: host.text, cause: .notStarted(host.program, error)))
        }
    }

    private init(_ host: RemoteHost, socket: Int32) throws(SystemError) {
        self.host = host
        // Where the daemon's socket is on this host means nothing on the other one.
        let environment = Environment.all.filter { !$0.hasPrefix("CLAIMSD_SOCKET=") }
        if host.keepsWords {
            // The program writes without waiting: it drops words where nobody has taken 200 KiB of them.
            let pair = try UnixSocket.pair()
            process = try ChildProcess(
                host.program, host.arguments, environment: environment, input: socket, output: socket,
                error: pair.writing.raw)
            words = ProgramWords(pair.keepReading())
        } else {
            process = try ChildProcess(
                host.program, host.arguments, environment: environment, input: socket, output: socket)
            words = nil
        }
        if let pid = process?.pid { BoundChildren.add(pid) }
    }

    deinit {
        // Without an answer it may wait for the network for minutes.
        _ = end(within: hasAnswered ? Self.maxEndTime : .zero)
    }

    /// Waits until the program has ended, and stops it where it does not.
    func end(within time: Duration = RemoteProgram.maxEndTime) -> ExitStatus {
        if let status { return status }
        guard let process = process.take() else { return .exited(0) }
        if !Self.hasEnded(process, within: time) {
            process.signal(SIGTERM)
            if !Self.hasEnded(process, within: Self.maxStopTime) { process.signal(SIGKILL) }
        }
        BoundChildren.remove(process.pid)
        let status = process.wait()
        self.status = status
        return status
    }

    private static func hasEnded(_ process: borrowing ChildProcess, within time: Duration) -> Bool {
        // Where this cannot be found out, it is stopped like one that goes on.
        (try? process.hasEnded(within: time)) ?? false
    }

    /// The error of a connection that has ended; waits for the program's end.
    ///
    /// - Parameter mayBeDone: whether a request was sent that changes something.
    func failure(mayBeDone: Bool) -> ClientError {
        let status = end()
        if hasAnswered || status == .exited(0) { return .closed(mayBeDone: mayBeDone) }
        return .hostFailed(HostFailure(host: host.text, cause: .ended(status), words: words?.read()))
    }

    /// The error about a line that is no JSON object.
    func failure(line: [UInt8]) -> ClientError {
        .hostFailed(HostFailure(host: host.text, cause: .noise(String(decoding: line, as: UTF8.self))))
    }
}

/// The words that a program has said on its standard error, as long as they wait in their socket.
private final class ProgramWords {
    /// The maximum number of bytes that are read.
    private static let maxCount = 1 << 14

    private let socket: FileDescriptor

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    /// Reads the words that are there.
    func read() -> String {
        var bytes = [UInt8](repeating: 0, count: Self.maxCount)
        var count = 0
        while count < bytes.count, case .bytes(let more)? = try? UnixSocket.receive(socket.raw, into: &bytes, at: count)
        {
            count += more
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// A socket that leads to a daemon, and the program that serves it where the daemon is on another host.
struct DaemonLink: ~Copyable {
    let socket: FileDescriptor
    let program: RemoteProgram?

    /// Takes the socket out.
    consuming func keepSocket() -> FileDescriptor { socket }
}
