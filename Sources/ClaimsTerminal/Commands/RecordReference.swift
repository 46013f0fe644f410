// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

/// A reference to a record on the command line: an id beside a selector, or `COLLECTION/ID` without one.
///
/// The second form is what `-o name` prints.
public struct RecordReference: Equatable, Sendable {
    /// The name or singular of the collection, as it was typed.
    public let collection: String
    /// The id of the record.
    public let id: String

    /// The maximum number of ids on standard input.
    public static let maxInputIDs = 1_000_000
    /// The maximum size of standard input, in bytes.
    static let maxInputBytes = 64 * 1024 * 1024
    /// The argument that stands for the ids on standard input.
    static let inputArgument = "-"

    /// Reads the arguments of an invocation as record references, in their order. `-` stands for the lines of standard
    /// input; blank lines are ignored.
    ///
    /// - Throws: a usage error for an empty id, an id without a collection, or standard input without ids; a failure
    ///   for standard input that cannot be read.
    static func read(
        _ invocation: Invocation, _ surroundings: Surroundings
    ) throws(CommandError) -> [RecordReference] {
        var references: [RecordReference] = []
        var hasRead = false
        for term in invocation.terms {
            let text = term.text
            guard text == inputArgument else {
                references.append(try read(text, invocation.selector))
                continue
            }
            if hasRead {
                throw .usage(
                    UsageError(
                        en: "'-' is given twice, and standard input can be read once",
                        pl: "„-” podano dwa razy, a standardowe wejście można przeczytać raz"))
            }
            hasRead = true
            for line in try inputLines(invocation.verb, surroundings) {
                references.append(try read(line, invocation.selector))
            }
        }
        return references
    }

    static func read(_ text: String, _ selector: Selector?) throws(CommandError) -> RecordReference {
        if text.isEmpty { throw .usage(UsageError(en: "an empty id", pl: "pusty identyfikator")) }
        if let selector { return RecordReference(collection: selector.name, id: text) }
        guard let slash = text.firstIndex(of: "/"), slash != text.startIndex,
            text.index(after: slash) != text.endIndex
        else {
            throw .usage(
                UsageError(
                    en: "in which collection is '\(text)'?", pl: "w której kolekcji jest „\(text)”?",
                    hint: TranslatedText(
                        en: "write COLLECTION/\(text), or select one: --collection NAME",
                        pl: "napisz KOLEKCJA/\(text) albo wskaż ją: --collection NAME")))
        }
        return RecordReference(collection: String(text[..<slash]), id: String(text[text.index(after: slash)...]))
    }

    /// The ids on standard input, one a line.
    private static func inputLines(
        _ verb: Verb, _ surroundings: Surroundings
    ) throws(CommandError) -> [String] {
        guard !surroundings.isTerminal(0) else {
            throw .usage(
                UsageError(
                    en: "'-' reads ids from standard input, and that is a terminal",
                    pl: "„-” czyta identyfikatory ze standardowego wejścia, a to jest terminal",
                    hint: .example(
                        "claimsctl search --collection NAME TEXT -o name | claimsctl \(verb.word) --collection NAME -"))
            )
        }
        let input: [UInt8]?
        do throws(SystemError) {
            input = try surroundings.readInput(maxInputBytes)
        } catch {
            throw .failed(.failure, kind: "input", message: error.text)
        }
        guard let input else {
            throw .usage(
                UsageError(
                    en: "standard input has more than \(maxInputBytes) bytes",
                    pl: "standardowe wejście ma więcej niż \(maxInputBytes) bajtów", hint: splitHint))
        }
        var lines: [String] = []
        for line in input.split(separator: UInt8(ascii: "\n")) {
            // A carriage return at the end may belong to an id, and another record may have the id without it.
            if line.allSatisfy({ Array(" \t\r".utf8).contains($0) }) { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                let number = lines.count + 1
                throw .usage(
                    UsageError(
                        en: "id \(number) on standard input is not UTF-8",
                        pl: "identyfikator \(number) na standardowym wejściu nie jest w UTF-8"))
            }
            guard lines.count < maxInputIDs else {
                throw .usage(
                    UsageError(
                        en: "standard input has more than \(maxInputIDs) ids",
                        pl: "standardowe wejście ma więcej niż \(maxInputIDs) identyfikatorów", hint: splitHint))
            }
            lines.append(text)
        }
        guard !lines.isEmpty else {
            throw .usage(
                UsageError(
                    en: "standard input has no ids", pl: "na standardowym wejściu nie ma identyfikatorów",
                    hint: TranslatedText(en: "one id a line", pl: "po jednym w wierszu")))
        }
        return lines
    }

    private static let splitHint = TranslatedText(
        en: "divide it, for example with split(1)", pl: "podziel je, na przykład programem split(1)")

    /// Divides the references into batches for one request each, by collection.
    ///
    /// The collections stand in the order of their first reference. The ids of a batch have together at most `limit`
    /// bytes of JSON, except that a batch always has one id; they are at most as many as a request may have.
    public static func batches(
        _ references: [RecordReference], limit: Int = 512 * 1024
    ) -> [(collection: String, ids: [String])] {
        var batches: [(collection: String, ids: [String])] = []
        var open: [String: (index: Int, bytes: Int)] = [:]
        for reference in references {
            let size = reference.id.utf8.count + 3
            if let batch = open[reference.collection], batch.bytes + size <= limit,
                batches[batch.index].ids.count < ArchiveParameters.maxIDs
            {
                batches[batch.index].ids.append(reference.id)
                open[reference.collection] = (batch.index, batch.bytes + size)
            } else {
                open[reference.collection] = (batches.count, size)
                batches.append((reference.collection, [reference.id]))
            }
        }
        return batches
    }

    /// The hint about ids that are not there and look like filters; nil if none does.
    ///
    /// - Parameter command: returns the command that takes the argument as a filter.
    static func filterHint(
        _ missing: [String], _ messages: Messages, _ command: (String) -> String
    ) -> String? {
        guard let filter = missing.first(where: FilterComposer.isCondition) else { return nil }
        return messages.looksLikeFilter(ShellWord.quoted(filter), command(filter))
    }
}
