// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// A server that answers every line with the same 400 bytes: the limit of the machine's sockets.
final class EchoServer {
    static let name = "echo"
    static let answerSize = 400

    let socket: String
    private let service: BackgroundProcess

    init(home: String) throws {
        socket = Paths.join(home, "echo.socket")
        guard let program = Files.executable else { throw BenchError("/proc is not there") }
        service = try BackgroundProcess("echo", program, ["--echo", socket], log: Paths.join(home, "echo.log"))
        try PeerService.wait(for: socket, service, question: "x\n", answer: "\n")
    }

    var pid: Int32 { service.pid }

    func stop() { service.stop() }

    /// Runs the echo server; the process that `init` starts calls it. Returns only on failure.
    static func serve(_ path: String) -> BenchError {
        let answer = [UInt8](repeating: 0x78, count: answerSize - 1) + [0x0A]
        let error = unsafe answer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return EINVAL }
            return unsafe path.withCString { unsafe bench_echo($0, base, bytes.count) }
        }
        return BenchError("echo: \(unsafe String(cString: strerror(error)))")
    }
}
