// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Watchman; it is asked for its version, its smallest answer.
final class Watchman {
    static let name = "watchman"

    let socket: String
    private let service: BackgroundProcess

    init?(home: String) throws {
        guard let program = InstalledProgram.path("watchman") else { return nil }
        let home = Paths.join(home, "watchman")
        try Directory.create(home, permissions: 0o700)
        socket = Paths.join(home, "socket")
        service = try BackgroundProcess(
            Self.name, program,
            [
                "--foreground", "--sockname=\(socket)", "--logfile=\(home)/log", "--pidfile=\(home)/pid",
                "--statefile=\(home)/state", "--no-save-state", "--log-level=0",
            ], environment: ["HOME=\(home)", "USER=root"], log: Paths.join(home, "output"))
        try PeerService.wait(for: socket, service, question: "[\"version\"]\n", answer: "version")
    }

    var pid: Int32 { service.pid }

    func stop() { service.stop() }
}
