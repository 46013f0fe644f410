// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsRefresh
import Testing

/// Drafts definitions, and reads them back as the daemon does.
enum Drafting {
    static func text(_ body: String, name: String = "things", root: String? = nil) throws -> String {
        let draft = DefinitionDraft(name: name, root: try root.map { try JSONPointer($0) })
        return try draft.text(of: Array(body.utf8).rawSpan)
    }

    /// The definition that a draft is; expects no problems.
    static func definition(_ text: String, name: String = "things") throws -> Definition {
        let path = "/data/collections.d/\(name).json5"
        let configuration = Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { $0 == path ? .bytes(Array(text.utf8)) : .missing },
                list: { $0 == "/data/collections.d" ? .names(["\(name).json5"]) : .names([]) }))
        #expect(configuration.problems.isEmpty, "\(text)")
        return try #require(configuration.definition(named: name), "\(text)")
    }

    /// The drafted definition of a body.
    static func draft(_ body: String, name: String = "things", root: String? = nil) throws -> Definition {
        try definition(try text(body, name: name, root: root), name: name)
    }

    /// Decodes all elements by a definition. What is no object is left out.
    static func decode(
        _ body: String, _ definition: Definition
    ) throws -> (accepted: Int, quarantined: [String], wrong: Int) {
        let bytes = Array(body.utf8)
        var elements = try JSONElements(bytes.rawSpan, root: definition.source.request.root)
        var decoder = RecordDecoder(definition: definition)
        var record = DecodedRecord()
        var tape = JSONTape()
        var accepted = 0
        var quarantined: [String] = []
        while let element = try elements.next(into: &tape) {
            guard case .value = element, tape[0].kind == .object else { continue }
            switch decoder.decode(tape, bytes.rawSpan, into: &record) {
            case .accepted: accepted += 1
            case .quarantined(let reason, let pointer): quarantined.append("\(pointer): \(reason)")
            }
        }
        let wrong = decoder.drift.typeChanges.reduce(0) { $0 + $1.sight.count }
        return (accepted, quarantined, wrong)
    }
}
