// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The folder of the reference: pages in Markdown, with parts that are generated from the program's own tables.
public struct Reference {
    /// The path of the folder.
    public let folder: String
    private let parts: GeneratedParts

    /// Makes a reference; nothing is read yet.
    public init(folder: String, parts: GeneratedParts) {
        self.folder = folder
        self.parts = parts
    }

    /// The longest page, in bytes.
    private static let maxPageSize = 1 << 20

    /// The names of the pages without their suffix, in alphabetical order.
    ///
    /// - Throws: a `SystemError` for a folder that cannot be read.
    public func pages() throws -> [String] {
        try Directory.list(folder).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }

    /// The text of a page as it is in its file.
    ///
    /// - Throws: a `SystemError` for a file that cannot be read or has more than 1 MiB.
    public func text(of page: String) throws -> String {
        try Files.readText(path(of: page), cap: Self.maxPageSize)
    }

    private func path(of page: String) -> String { Paths.join(folder, "\(page).md") }

    /// The text of a page with its generated parts made anew; the file is not changed.
    ///
    /// - Throws: a `ManualError` for an unknown part or one without an end, and what ``text(of:)`` throws.
    public func updated(_ page: String) throws -> String {
        try GeneratedMark.markdown.updated(text(of: page)) { ["", MarkdownWriter.text(try parts.blocks(of: $0))] }
    }

    /// Writes the generated parts of all pages anew, and returns the names of the pages that changed.
    ///
    /// Each file is replaced atomically. After an error the pages before the one at fault are up to date.
    public func update() throws -> [String] {
        try pages().filter { page in
            let text = try updated(page)
            guard text != (try self.text(of: page)) else { return false }
            try Files.writeAtomically(path(of: page), Array(text.utf8))
            return true
        }
    }

    /// The source of a manual page in roff.
    ///
    /// - Throws: a `ManualError` for an unknown part, and what ``text(of:)`` throws.
    public func roff(_ manual: ManualPage) throws -> String {
        var blocks: [Block] = []
        for block in MarkdownReader.blocks(try text(of: manual.page)) {
            if case .generated(let name) = block { blocks += try parts.blocks(of: name) } else { blocks.append(block) }
        }
        // The page's title has become the manual page's name.
        if case .heading(level: 1, _)? = blocks.first { blocks.removeFirst() }
        var writer = RoffWriter(reference: ManualPage.made)
        writer.title(manual.name, section: manual.section)
        writer.section("Name")
        writer.name(manual.name, manual.summary)
        if !manual.synopsis.isEmpty {
            writer.section("Synopsis")
            writer.synopsis(manual.synopsis)
        }
        writer.section("Description")
        writer.write(blocks)
        writer.section("See also")
        writer.write(.paragraph(manual.related.map(Self.strong).joined(separator: ", ")))
        return writer.text
    }

    /// `**claimsd**(8)`
    private static func strong(_ reference: String) -> String {
        "**" + reference.replacing("(", with: "**(", maxReplacements: 1)
    }

    /// Writes all manual pages into a folder, which is made if it does not exist.
    ///
    /// Each file is replaced atomically. After an error the folder holds the pages before the one at fault.
    public func writeManual(to folder: String) throws {
        try Directory.create(folder)
        for manual in ManualPage.all {
            try Files.writeAtomically(Paths.join(folder, manual.fileName), Array(try roff(manual).utf8))
        }
    }
}
