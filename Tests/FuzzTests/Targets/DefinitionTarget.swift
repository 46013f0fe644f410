// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsQuery

/// Configuration files: a definition by the vendor, what the site has over it, and the settings, with a NUL between.
/// Either all is sound and the definition works, or there is a problem that says where.
enum DefinitionTarget {
    private static let answer = FuzzCollection.answer(6)

    static func check(_ input: [UInt8]) throws {
        let configuration = read(input)
        for problem in configuration.problems {
            try FuzzFinding.unless(!problem.message.isEmpty && !problem.file.isEmpty, "a problem without words")
            try FuzzFinding.unless(problem.line ?? 1 > 0 && problem.column ?? 1 > 0, "a problem nowhere: \(problem)")
        }
        guard let definition = configuration.definition(named: "things") else {
            return try FuzzFinding.unless(!configuration.problems.isEmpty, "neither a definition nor a problem")
        }
        try use(definition)
    }

    /// The configuration that the bytes are.
    static func read(_ input: [UInt8]) -> Configuration {
        let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
        let files = [
            "vendor/collections.d/things.json5": parts[0],
            "site/collections.d/things.json5": parts.count > 1 ? parts[1] : nil,
            "site/claimsd.json5": parts.count > 2 ? parts[2] : nil,
        ]
        return Configuration.load(
            configDirectory: "site", dataDirectory: "vendor",
            files: ConfigurationFiles(
                read: { path in files[path].flatMap { $0 }.map { .bytes($0) } ?? .missing },
                list: { folder in .names(folder.hasSuffix("collections.d") ? ["things.json5"] : []) }))
    }

    /// Decodes, sorts and filters by the definition.
    private static func use(_ definition: Definition) throws {
        var record = DecodedRecord()
        var tape = JSONTape()
        var joined = JoinTable(definition: definition)
        let answer = Self.answer
        for isJoined in [false, true] {
            var decoder = RecordDecoder(definition: definition, joined: isJoined ? joined : nil)
            var elements = try JSONElements(answer.rawSpan, root: JSONPointer(tokens: []))
            while case .value? = try elements.next(into: &tape) {
                _ = joined?.add(tape, answer.rawSpan)
                guard case .accepted = decoder.decode(tape, answer.rawSpan, into: &record) else {
                    continue
                }
                do { try JSONValidator.validate(record.document.rawSpan, depth: 66) } catch {
                    throw FuzzFinding("a record that is not JSON: \(error.message)")
                }
            }
        }
        let context = FilterContext(definition: definition, now: FuzzCollection.context.now)
        for field in definition.fields {
            for text in ["\(field.name).any", "\(field.name)=1", "\(field.name)>2026-11-20", "\(field.name).raw~a"] {
                _ = try? FilterParser.parse(text).typed(in: context)
            }
        }
        for order in definition.orders {
            let parsed = try? SortParser.parse(order.name, in: definition)
            try FuzzFinding.unless(parsed == order.order, "the order '\(order.name)' cannot be asked for")
        }
        for view in definition.views { _ = try? FilterParser.parse(view.filter).typed(in: context) }
        for field in definition.list {
            try FuzzFinding.unless(definition.fields.indices.contains(field), "a list of unknown fields")
        }
    }
}
