// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures what forged files cost a follower: its memory, and the lines of its journal.
struct FleetForgeries {
    enum Kind: String, CaseIterable {
        case signature = "a head of 1 MiB with a wrong signature"
        case hash = "a file of 8 MiB that is another one"
        case size = "a file of 1 GiB"
        case frame = "a file that says 8 MiB and has 1 GiB"
    }

    private let part: FleetPart
    private let fleet: MeasuredFleet

    /// The time for which each is served, in seconds: for three attempts at least, after 1, 2 and 4 s.
    private static let served: UInt32 = 15
    private static let fileSize = 8 << 20
    private static let bombSize = 1 << 30

    static func memory(_ kind: Kind) -> String { "fleet, forged: \(kind.rawValue): anonymous above idle" }
    static func lines(_ kind: Kind) -> String { "fleet, forged: \(kind.rawValue): lines of the journal" }

    init(_ part: FleetPart, _ fleet: MeasuredFleet) {
        self.part = part
        self.fleet = fleet
    }

    func run() throws {
        guard let zstd = InstalledProgram.path("zstd") else {
            return part.bench.results.note("fleet, forged files: zstd is not installed")
        }
        BenchConsole.note("fleet, forged files")
        fleet.leader.stop()
        let head = try Files.readAll(Paths.join(fleet.leader.published, "head"), cap: 1 << 20)
        for kind in Kind.allCases {
            try part.settle(fleet.follower)
            let (idle, lines) = (fleet.follower.anonymousBytes ?? 0, fleet.follower.logLines)
            let requests = fleet.requests.count
            let (path, peak) = try MemorySampler.peak(of: fleet.follower.pid) {
                let path = try serve(kind, with: zstd)
                sleep(Self.served)
                return path
            }
            let isFetched = fleet.requests[requests...].contains { $0 == "200 \(path)" }
            guard isFetched else { throw BenchError("nobody has fetched \(kind.rawValue)") }
            part.add(Self.memory(kind), .follower, Double(max(0, peak - idle)), in: .bytes)
            part.add(Self.lines(kind), .follower, Double(fleet.follower.logLines - lines), in: .count)
            // The head before is the good one again.
            try fleet.replaceHead(head)
            fleet.follower.stop()
            try fleet.follower.start()
        }
        try fleet.leader.start()
        try part.settle(fleet.leader)
    }

    /// - Returns: the path of the forged file.
    private func serve(_ kind: Kind, with zstd: String) throws -> String {
        switch kind {
        case .signature:
            try fleet.replaceHead(Array((String(repeating: "A", count: 86) + "==\n").utf8) + noise((1 << 20) - 100))
            return "/head"
        case .hash:
            let named = String(repeating: "ab", count: 32)
            return try serve(try fleet.add(noise(Self.fileSize), as: named), with: zstd)
        case .size: return try serve(try fleet.add(try bomb(zstd)), with: zstd)
        case .frame:
            var file = try bomb(zstd)
            // Behind the magic number, the descriptor and the window: the size of the content, 4 bytes (RFC 8878).
            for index in 0..<4 { file[6 + index] = UInt8(truncatingIfNeeded: Self.fileSize >> (8 * index)) }
            return try serve(try fleet.add(file), with: zstd)
        }
    }

    /// Serves a head that leads to a file of changes.
    ///
    /// - Returns: the path of the file.
    private func serve(_ file: JSONValue, with zstd: String) throws -> String {
        guard let state = fleet.entry?["state"] else { throw BenchError("the leader has published no head") }
        let next = "\(SystemClock.wall)"
        // A base that is larger than the changes, so that these are fetched.
        let base: JSONValue = [.string(String(repeating: "0", count: 64)), .integer(Self.fileSize)]
        let manifest: JSONValue = [
            "base": ["state": "none", "records": 1, "files": [base, base]],
            "deltas": [["from": state, "to": .string(next), "files": [file]]], "forgotten": [],
        ]
        let packed = try fleet.add(try compressed(zstd) { try Files.writeAtomically($0, manifest.compactBytes) })
        try fleet.replaceHead(state: next, manifest: packed)
        return "/\(file.array?.first?.string ?? "")"
    }

    /// A frame with many zeros.
    private func bomb(_ zstd: String) throws -> [UInt8] {
        try compressed(zstd) { path in
            let file = try FileDescriptor.open(path, .replace(permissions: 0o600))
            guard ftruncate(file.raw, Self.bombSize) == 0 else { throw SystemError.last("make \(path)") }
        }
    }

    private func compressed(_ zstd: String, _ write: (String) throws -> Void) throws -> [UInt8] {
        let path = Paths.join(part.stage.home, "content")
        try write(path)
        try InstalledProgram.mustRun(
            zstd, ["-q", "-f", "-3", path, "-o", path + ".zst"], log: path + ".log", within: .seconds(60))
        return try Files.readAll(path + ".zst", cap: 1 << 24)
    }

    /// Bytes that cannot be compressed.
    private func noise(_ count: Int) -> [UInt8] {
        var random = Randomness(seed: CollectionShape.seed ^ 0xF0E6)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
