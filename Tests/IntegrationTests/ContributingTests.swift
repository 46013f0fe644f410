// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// CONTRIBUTING.md names files and folders; they must be there, and its two walks must stay short.
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

    @Test(arguments: [
        ("The way of a `search`", 21...30), ("The way of a `refresh`", 21...50),
        ("The way of a change to a subscriber", 11...20),
    ])
    func `a walk through the code visits few files, none of them long`(title: String, count: ClosedRange<Int>) throws {
        let files = try section(title).filter { $0.first?.isNumber == true }.flatMap { quoted(in: $0).prefix(1) }
        #expect(Set(files).count == files.count && count.contains(files.count))
        for file in files {
            let text = try Files.readText(Paths.join(Repository.root, file), cap: 1 << 20)
            // A type and all that touches its state stand in one file, and CONTRIBUTING has no file over 500 lines.
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 501, "\(file)")
        }
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
