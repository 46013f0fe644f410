// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

// Hints that name selectors which exist.

extension CommandContext {
    /// The words that stand for a selector in a hint.
    private static let placeholder = "--collection NAME"
    /// How long the daemon may take to tell its collections for a hint.
    private static let maxHintTime: Duration = .milliseconds(250)
    /// The number of selectors that a hint names.
    private static let maxNamed = 8

    /// The hint with a selector in place of ``placeholder``: the one of the line, or else one that the daemon knows; the
    /// others follow.
    func namingSelectors(_ hint: String) -> String {
        guard hint.range(of: Self.placeholder) != nil else { return hint }
        if let selector = invocation.selector {
            return hint.substituting(Self.placeholder, with: Escaping.line(selector.argument))
        }
        let known = selectors()
        guard let first = known.first else { return hint }
        let shown = known.prefix(Self.maxNamed).joined(separator: ", ") + (known.count > Self.maxNamed ? ", …" : "")
        return hint.substituting(Self.placeholder, with: first) + "; " + messages.selectors(shown)
    }

    /// The selectors of the daemon's collections; none where it does not answer at once.
    private func selectors() -> [String] {
        collections().map { "--\(Escaping.line($0.singular))" }
    }

    /// Tells of arguments whose value has a further condition in it, which may be meant as one.
    ///
    /// Only fields of the collections that are asked make a condition. Where the daemon does not answer at once, nothing
    /// is told.
    func warnOfInnerConditions(_ terms: [Term]) {
        if invocation.isQuiet || hasToldInnerConditions { return }
        hasToldInnerConditions = true
        let suspects = terms.compactMap { term -> (argument: String, inner: [FilterComposer.InnerCondition])? in
            guard case .argument(let text) = term else { return nil }
            let inner = FilterComposer.innerConditions(text)
            return inner.isEmpty ? nil : (text, inner)
        }
        if suspects.isEmpty { return }
        let known = collections(invocation.selector?.name)
        for (argument, inner) in suspects {
            guard let condition = inner.first(where: { part in known.contains { $0.field(part.field) != nil } }) else {
                continue
            }
            notice(messages.innerCondition(condition.text, in: ShellWord.quoted(argument)))
        }
    }

    /// The daemon's collections, or the one of a name; none where it does not answer at once.
    private func collections(_ name: String? = nil) -> [CollectionDescription] {
        do throws(ClientError) {
            let connection = try quietConnection(
                socket: invocation.socket, host: invocation.host,
                timeout: invocation.host == nil ? Self.maxHintTime : CompleteCommand.maxHostTime)
            var parameters = DescribeParameters()
            parameters.collection = name
            return CollectionDescription.all(in: try connection.answer(to: connection.request(.describe, parameters)))
        } catch {
            return []
        }
    }
}
