// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads how an upstream tells what has changed, and what is gone.
extension DefinitionReader {
    static let incrementalKeys = ["since", "deleted"]

    /// Reads `since` and `deleted` of a source whose request has been read.
    func readIncremental(_ object: ConfigurationObject, into source: inout Source) {
        source.since = object["since"].flatMap { readSince($0, source) }
        source.deleted = object["deleted"].flatMap { readDeleted($0, hasSince: object["since"] != nil) }
        if source.request.url?.hasPrefix("file:") == true {
            object["since"]?.complain("a file: address has no 'since'; expected https:// or http://, or no 'since'")
        }
    }

    private func readSince(_ node: ConfigurationNode, _ source: Source) -> IncrementalRules? {
        guard let object = node.object("to", "field", "token", "overlap", "full") else { return nil }
        let target = object["to"].flatMap { readTarget($0, source) }
        if object["to"] == nil { object.complain(missing: "to", "a query parameter, or { body: \"/since\" }") }
        let full = object["full"].map { $0.span(atLeast: Self.minInterval) } ?? IncrementalRules.defaultFull
        let position = readPosition(object)
        guard let target, let full, let position else { return nil }
        return IncrementalRules(to: target, position: position, full: full)
    }

    /// The parameter that carries the position; neither the pages nor `auth` may use it, too.
    ///
    /// Each site has a body and an `auth` of its own. The first mistake is told.
    private func readTarget(_ node: ConfigurationNode, _ source: Source) -> ParameterTarget? {
        guard let target = node.parameterTarget(of: source.request) else { return nil }
        switch source.request.next {
        case .cursor(_, let other, _) where other == target, .page(let other, _, _, _) where other == target,
            .offset(let other, _, _) where other == target:
            node.complain("'next' sends its own value there; expected another parameter")
        default: break
        }
        guard AccessReader.checkTarget(target, node, source.request.auth) else { return nil }
        for site in source.sites?.sites ?? [] {
            guard node.parameterTarget(of: site.request) != nil,
                AccessReader.checkTarget(target, node, site.request.auth)
            else { return nil }
        }
        return target
    }

    private func readPosition(_ object: ConfigurationObject) -> IncrementalRules.Position? {
        switch (object["field"], object["token"]) {
        case (let field?, nil): return readFieldPosition(field, object["overlap"])
        case (nil, let token?):
            object["overlap"]?.complain("only 'field' has an overlap")
            guard let pointer = token.pointer() else { return nil }
            if pointer.tokens.isEmpty { token.complain("expected a place inside the answer, such as \"/token\"") }
            return .token(pointer)
        default:
            object.node.complain("expected either 'field' or 'token'")
            return nil
        }
    }

    private func readFieldPosition(
        _ node: ConfigurationNode, _ overlap: ConfigurationNode?
    ) -> IncrementalRules.Position? {
        guard let field = readField(node) else { return nil }
        switch fields[field].type {
        case .instant, .date:
            guard let span = overlap.map({ $0.span() }) ?? IncrementalRules.defaultOverlap else { return nil }
            return .field(field, overlap: .span(span))
        case .integer:
            guard let number = overlap.map({ $0.integer(0...Int.max) }) ?? 0 else { return nil }
            return .field(field, overlap: .number(number))
        default:
            node.complain("'\(fields[field].name)' is no field of the type instant, date or integer")
            return nil
        }
    }

    private func readDeleted(_ node: ConfigurationNode, hasSince: Bool) -> DeletionRule? {
        guard case .object = node.node.value else {
            guard let pointer = node.pointer() else { return nil }
            if pointer.tokens.isEmpty { node.complain("expected a place inside a record, such as \"/deleted_at\"") }
            return .mark(pointer)
        }
        guard let object = node.object("ids") else { return nil }
        guard let ids = object["ids"] else {
            object.complain(missing: "ids", "a JSON Pointer to the ids that a page lists as deleted")
            return nil
        }
        if !hasSince { ids.complain("an answer with all records needs no such list; expected 'since', too") }
        return ids.pointer().map { .ids($0) }
    }
}
