// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Nothing about the shipped collections is compiled in.
struct DeclarativeTests {
    /// Words that collections use and any program may: of the protocol, of the command line, of plain English.
    private static let common: Set<String> = [
        "id", "name", "title", "type", "status", "description", "protocol", "notes", "code", "language", "ok",
        "unknown", "other", "currency", "submitted", "body", "unit",
        "pending", "rejected", "submitted_at", "submittedAt", "expired",
    ]

    @Test func `no source file knows a name, field or code of a shipped collection`() throws {
        let words = Self.words(of: ConfigurationFixture.shipped().definitions)
        #expect(words.count > 70)
        let root = Paths.join(Repository.root, "Sources")
        // Examples are to be run as they are printed, so they are about what is there.
        let examples = Paths.join(root, "ClaimsTerminal/Text/Examples.swift")
        let files = try Self.files(in: root)
        #expect(files.contains(examples))
        for file in files where file != examples {
            let text = try Files.readText(file, cap: 1 << 24)
            let found = Self.wordsOfCode(in: text).intersection(words).union(
                Self.literals(in: text).intersection(words))
            #expect(found.isEmpty, "\(file)")
        }
    }

    @Test func `the search finds what it looks for`() {
        let text = "let a = \"units\" // pickup_date\nlet pickUpDate = 1; status(\"ok\") { case READY_TO_PICKUP }"
        #expect(Self.literals(in: text) == ["units", "ok"])
        #expect(Self.wordsOfCode(in: text) == ["pickup_date", "pickUpDate", "READY_TO_PICKUP"])
    }

    /// The names and pointers of the definitions.
    private static func words(of definitions: [Definition]) -> Set<String> {
        var words: Set<String> = []
        for definition in definitions {
            words.formUnion([definition.name, definition.singular])
            words.formUnion(definition.fields.map(\.name))
            for pointer in definition.fields.flatMap(\.from) {
                words.formUnion(pointer.tokens.map { String(decoding: $0, as: UTF8.self) })
            }
            words.formUnion(definition.vocabularies.flatMap { $0.codes.map(\.code) })
            words.formUnion(definition.groups.map(\.key))
            words.formUnion(definition.orders.map(\.name) + definition.views.map(\.name))
        }
        // The product's own name is also that of a collection.
        return words.subtracting(common).subtracting(["claims", "claim"])
    }

    /// The words with an underscore or a capital inside, anywhere in a text, comments too.
    private static func wordsOfCode(in text: String) -> Set<String> {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "_" }
        return Set(
            words.filter { word in
                word.contains("_") || word.dropFirst().contains(where: \.isUppercase) && word.first?.isLowercase == true
            }.map(String.init))
    }

    /// The texts between quotes, each as a whole.
    private static func literals(in text: String) -> Set<String> {
        var literals: Set<String> = []
        for line in text.split(separator: "\n") {
            for (index, piece) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 {
                literals.insert(String(piece))
            }
        }
        return literals
    }

    private static func files(in folder: String) throws -> [String] {
        var files: [String] = []
        for name in try Directory.list(folder) {
            let path = Paths.join(folder, name)
            if Files.isDirectory(path) {
                files += try Self.files(in: path)
            } else if [".swift", ".c", ".h"].contains(where: name.hasSuffix) {
                files.append(path)
            }
        }
        return files
    }
}
