// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// CONTRIBUTING.md names files, folders and symbols: they must be there, and its ways must lead from stop to stop.
@Suite struct ContributingTests {
    private let lines: [Substring]

    init() throws {
        let text = try Files.readText(Paths.join(Repository.root, "CONTRIBUTING.md"), cap: 1 << 20)
        lines = text.split(separator: "\n")
    }

    private func section(_ title: String) throws -> [Substring] {
        let start = try #require(lines.firstIndex { $0 == "## " + title })
        return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
    }

    private func quoted(in line: Substring) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// A stop of a way: its file, and the symbols behind its arrow, which lead to later stops.
    private struct Stop {
        let path: String
        let text: String
        let symbols: [String]

        init(_ line: Substring, quoted: (Substring) -> [String]) throws {
            path = try #require(quoted(line).first)
            text = try Files.readText(Paths.join(Repository.root, path), cap: 1 << 20)
            symbols = line.firstRange(of: "→").map { quoted(line[$0.upperBound...]) } ?? []
        }

        func mentions(_ symbol: String) -> Bool { text.split { !$0.isLetter }.contains { $0 == symbol } }

        func declares(_ symbol: String) -> Bool {
            ["struct", "class", "enum", "func"].contains { keyword in
                text.ranges(of: "\(keyword) \(symbol)").contains { range in
                    text[range.upperBound...].first?.isLetter != true
                }
            }
        }
    }

    @Test(arguments: ["The way of a `search`", "The way of a `refresh`", "The way of a change to a subscriber"])
    func `each stop of a way names the symbols that lead to later stops, and no stop is out of reach`(
        title: String
    ) throws {
        let stops = try section(title).filter { $0.first?.isNumber == true }.map { try Stop($0, quoted: quoted) }
        var reached: Set = [0]
        for (index, stop) in stops.enumerated() {
            for symbol in stop.symbols {
                #expect(stop.mentions(symbol), "\(stop.path): \(symbol)")
                let targets = stops.indices.filter { $0 > index && stops[$0].declares(symbol) }
                #expect(!targets.isEmpty, "no stop after \(stop.path) declares \(symbol)")
                reached.formUnion(targets)
            }
        }
        #expect(Set(stops.indices).subtracting(reached).map { stops[$0].path } == [])
    }

    @Test func `the table of rooms has every module and its folders`() throws {
        var rooms: [String: Set<String>] = [:]
        for line in try section("Rooms") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            for module in quoted(in: cells[1]) { rooms[module] = Set(quoted(in: cells[3])) }
        }
        let sources = Paths.join(Repository.root, "Sources")
        // Modules in C hold a header each.
        let modules = try Directory.list(sources).filter { !$0.hasPrefix("C") || $0.hasPrefix("Claims") }
        #expect(Set(modules) == Set(rooms.keys))
        for module in modules {
            let folder = Paths.join(sources, module)
            let folders = try Directory.list(folder).filter { name in
                Files.isDirectory(Paths.join(folder, name)) && !name.hasSuffix(".docc")
            }
            #expect(Set(folders) == rooms[module], "\(module)")
        }
    }

    @Test func `every file that an errand touches is there`() throws {
        let names = try section("Errands").flatMap { quoted(in: $0) }
        let paths = names.filter { $0.contains("/") && !$0.contains("NAME") }
        #expect(paths.count > 15)
        for path in paths {
            let roots = [Repository.root, Paths.join(Repository.root, "Sources")]
            #expect(roots.contains { Files.exists(Paths.join($0, path)) }, "\(path)")
        }
    }
}
