// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Programs that read the whole file for each search: ripgrep and jq over a record a line.
struct FileSearch {
    let name: String
    private let program: String
    /// The largest collection that it is tried on.
    let recordLimit: Int

    static let limit: Duration = .seconds(120)

    static func installed(_ options: Options) -> [FileSearch] {
        [("rg", 10_000_000), ("jq", 100_000)].compactMap { name, limit in
            guard options.has(name), let program = Program.path(name) else { return nil }
            return FileSearch(name: name, program: program, recordLimit: limit)
        }
    }

    /// From its start to its end.
    func search(_ text: String, in path: String) throws -> Duration {
        let filter = #"select(.heading + "\n" + .remark | ascii_downcase | contains($text))"#
        let arguments =
            name == "rg"
            ? ["--no-config", "--ignore-case", "--fixed-strings", text, path]
            : ["-c", "--arg", "text", text, filter, path]
        let run = try Program.run(program, arguments, within: Self.limit)
        guard run.status == .exited(0) || run.status == .exited(1) else { throw BenchError("\(name): \(run.status)") }
        return run.duration
    }
}
