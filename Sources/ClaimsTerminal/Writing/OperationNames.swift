// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The names of operations on a command line: UUIDs, or their first characters.
public struct OperationNames {
    private let context: CommandContext

    /// The minimum number of characters that name an operation.
    static let minLength = 8

    init(_ context: CommandContext) { self.context = context }

    /// The UUIDs that are meant.
    ///
    /// - Throws: a usage error for a beginning that is too short; `not_found` for one that no operation has; a conflict
    ///   for one that several have.
    func whole(_ names: [String]) throws(CommandError) -> [String] {
        if names.allSatisfy({ OperationID($0) != nil }) { return names }
        for name in names where OperationID(name) == nil && name.utf8.count < Self.minLength {
            throw .usage(
                UsageError(
                    en: "'\(name)' is no operation", pl: "„\(name)” nie jest operacją",
                    hint: TranslatedText(
                        en: "name one by its UUID, or by the first 8 characters or more",
                        pl: "podaj jej UUID albo co najmniej 8 pierwszych znaków")))
        }
        // A beginning stands for an operation that waits before it stands for a settled one.
        let waiting = try unsettled()
        var known: [String]?
        var found: [String] = []
        for name in names {
            if OperationID(name) != nil {
                found.append(name)
                continue
            }
            var matches = waiting.filter { $0.hasPrefix(name.lowercased()) }
            if matches.isEmpty {
                if known == nil { known = try all(state: nil) }
                matches = (known ?? []).filter { $0.hasPrefix(name.lowercased()) }
            }
            guard matches.count <= 1 else {
                let list = matches.prefix(5).joined(separator: ", ")
                throw .usage(
                    UsageError(
                        en: "several operations begin with '\(name)'", pl: "kilka operacji zaczyna się od „\(name)”",
                        hint: TranslatedText(en: "one of: \(list)", pl: "jedna z: \(list)")))
            }
            guard let match = matches.first else {
                throw .failed(
                    .notFound, kind: ErrorKind.notFound.rawValue,
                    message: TranslatedText(
                        en: "no operation begins with '\(name)'", pl: "żadna operacja nie zaczyna się od „\(name)”"),
                    hint: TranslatedText(
                        en: "they are listed by: claimsctl outbox", pl: "wymienia je: claimsctl outbox"))
            }
            found.append(match)
        }
        return found
    }

    /// The UUIDs of all operations with which something is still to come.
    func unsettled() throws(CommandError) -> [String] { try all(state: OutboxParameters.unsettled) }

    /// The UUIDs of all operations in a state, of the line's collection if it names one.
    func all(state: String?) throws(CommandError) -> [String] {
        var parameters = OutboxParameters()
        parameters.collection = context.invocation.selector?.name
        parameters.state = state
        parameters.limit = Int64(PageParameters.maxLimit)
        var ops: [String] = []
        while true {
            let answer = try context.call(.outbox, parameters)
            ops += answer[OutboxResult.operations].compactMap { $0[OutboxResult.Operation.op] }
            guard let next = answer[OutboxResult.next] else { return ops }
            parameters.cursor = next
        }
    }

    /// The least number of characters, from ``minLength``, by which each of these differs from the others.
    public static func uniqueLength(of ops: [String]) -> Int {
        var length = minLength
        let wholeLength = ops.map(\.utf8.count).max() ?? minLength
        while length < wholeLength, Set(ops.map { $0.prefix(length) }).count < Set(ops).count { length += 1 }
        return length
    }
}
