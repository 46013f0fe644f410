// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A file beside the reference with parts that are generated from the program's own tables.
public struct GeneratedFile: Sendable {
    /// The path of the file.
    public let path: String
    private let mark: GeneratedMark
    private let part: @Sendable (String) throws -> [String]

    /// The longest file, in bytes.
    private static let maxSize = 1 << 20

    /// The files of a source tree.
    ///
    /// - Parameter root: the folder with `Sources` and `Tests`.
    public static func all(root: String) -> [GeneratedFile] {
        [
            GeneratedFile(Paths.join(root, "Sources/python/claimsd/__init__.py"), part: PythonParts.lines),
            GeneratedFile(Paths.join(root, "Tests/FuzzTests/Dictionaries/request.dict"), part: FuzzParts.lines),
            GeneratedFile(
                Paths.join(root, "Sources/cockpit/claims/page/outbox.js"), mark: .script, part: ScriptParts.lines),
        ]
    }

    private init(
        _ path: String, mark: GeneratedMark = .comment, part: @escaping @Sendable (String) throws -> [String]
    ) {
        self.path = path
        self.mark = mark
        self.part = part
    }

    /// The text as it is in the file.
    ///
    /// - Throws: a `SystemError` for a file that cannot be read or has more than 1 MiB.
    public func text() throws -> String { try Files.readText(path, cap: Self.maxSize) }

    /// The text with its generated parts made anew; the file is not changed.
    ///
    /// - Throws: a `ManualError` for an unknown part or one without an end, and what ``text()`` throws.
    public func updated() throws -> String { try mark.updated(text(), part: part) }

    /// Writes the generated parts anew, and returns whether the file changed. It is replaced atomically.
    public func update() throws -> Bool {
        let text = try updated()
        guard text != (try self.text()) else { return false }
        try Files.writeAtomically(path, Array(text.utf8))
        return true
    }
}
