// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
            if hasRead { throw .usage(UsageError("'-' is given twice, and standard input can be read once")) }
            hasRead = true
            for line in try inputLines(invocation.verb, surroundings) {
                references.append(try read(line, invocation.selector))
            }
        }
        return references
    }

    static func read(_ text: String, _ selector: Selector?) throws(CommandError) -> RecordReference {
        if text.isEmpty { throw .usage(UsageError("an empty id")) }
        if let selector { return RecordReference(collection: selector.name, id: text) }
        guard let slash = text.firstIndex(of: "/"), slash != text.startIndex,
            text.index(after: slash) != text.endIndex
        else {
            throw .usage(
                UsageError(
                    "in which collection is '\(text)'?",
                    hint: "select one (--book, --collection NAME), or write COLLECTION/\(text)"))
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
                    "'-' reads ids from standard input, and that is a terminal",
                    hint: "for example: claimsctl search --book shelf=attic -o name | claimsctl \(verb.word) --book -"))
        }
        let input: [UInt8]?
        do throws(SystemError) {
            input = try surroundings.readInput(maxInputBytes)
        } catch {
            throw .failed(.failure, kind: "input", message: error.message)
        }
        guard let input else {
            throw .usage(UsageError("standard input has more than \(maxInputBytes) bytes", hint: splitHint))
        }
        var lines: [String] = []
        for bytes in input.split(separator: UInt8(ascii: "\n")) {
            let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                throw .usage(UsageError("id \(lines.count + 1) on standard input is not UTF-8"))
            }
            guard lines.count < maxInputIDs else {
                throw .usage(UsageError("standard input has more than \(maxInputIDs) ids", hint: splitHint))
            }
            lines.append(text)
        }
        guard !lines.isEmpty else { throw .usage(UsageError("standard input has no ids", hint: "one id a line")) }
        return lines
    }

    private static let splitHint = "divide it, for example with split(1)"

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
    /// - Parameter command: returns the command that takes the filter, given as the shell needs it.
    static func filterHint(_ missing: [String], _ command: (String) -> String) -> String? {
        guard let filter = missing.first(where: FilterComposer.isCondition) else { return nil }
        let word = ShellWord.quoted(filter)
        return "\(word) looks like a filter, and ids are expected; with a filter: \(command(word))"
    }
}
