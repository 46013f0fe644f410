// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A program that reads the whole file for each search: ripgrep or jq, over one record a line.
struct FileSearch {
    let name: String
    private let program: String
    /// The size of the largest collection that it is measured on.
    let maxRecords: Int

    /// The maximum time of a search.
    private static let maxSearch: Duration = .seconds(120)

    static func installed(_ options: BenchOptions) -> [FileSearch] {
        [("rg", 10_000_000), ("jq", 100_000)].compactMap { name, limit in
            guard options.has(name), let program = InstalledProgram.path(name) else { return nil }
            return FileSearch(name: name, program: program, maxRecords: limit)
        }
    }

    /// Searches `text`; returns the time from start to exit.
    func search(_ text: String, in path: String) throws -> Duration {
        let filter = #"select(.heading + "\n" + .remark | ascii_downcase | contains($text))"#
        let arguments =
            name == "rg"
            ? ["--no-config", "--ignore-case", "--fixed-strings", text, path]
            : ["-c", "--arg", "text", text, filter, path]
        let run = try InstalledProgram.run(program, arguments, within: Self.maxSearch)
        guard run.status == .exited(0) || run.status == .exited(1) else { throw BenchError("\(name): \(run.status)") }
        return run.duration
    }
}
