// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension DefinitionReader {
    /// No source is asked more often than this.
    static let minInterval = Duration.milliseconds(100)

    func readSource(_ node: ConfigurationNode?) -> Source {
        guard
            let object = node?.object(
                Self.requestKeys + Self.incrementalKeys
                    + ["interval", "ttl", "expires", "join", "limits", "sites", "withhold"])
        else { return Source() }
        let defaults = Source()
        let ttl = object["ttl"].flatMap { $0.span() }
        let expires = object["expires"].flatMap { $0.span() } ?? defaults.expires
        if let ttl, ttl > expires { object["ttl"]?.complain("longer than 'expires', \(TimeSpan.text(of: expires))") }
        var source = Source(
            readRequest(object),
            interval: object["interval"].flatMap { $0.span(atLeast: Self.minInterval) } ?? defaults.interval,
            ttl: ttl,
            expires: expires,
            join: object["join"].flatMap { readJoin($0) },
            limits: object["limits"]?.object(TransferLimits.names)?.overrides() ?? LimitOverrides())
        source.withhold = readWithhold(object, expires: expires)
        source.sites = object["sites"].flatMap { readSites($0, of: object) }
        readIncremental(object, into: &source)
        return source
    }

    /// The age from which records are withheld.
    private func readWithhold(_ source: ConfigurationObject, expires: Duration) -> Duration? {
        guard let node = source["withhold"], let span = node.span() else { return nil }
        if span < expires { node.complain("shorter than 'expires', \(TimeSpan.text(of: expires))") }
        if source["sites"] != nil { node.complain("not beside 'sites'") }
        return span
    }

    private func readJoin(_ node: ConfigurationNode) -> Join? {
        guard let object = node.object(Self.requestKeys + ["on", "take"]) else { return nil }
        guard let on = object["on"] else {
            object.complain(missing: "on", "a field and a JSON Pointer, such as [\"owner_id\", \"/id\"]")
            return nil
        }
        guard let pair = on.elements(of: "a field and a JSON Pointer, such as [\"owner_id\", \"/id\"]") else {
            return nil
        }
        guard pair.count == 2 else {
            on.complain("expected two elements: a field and a JSON Pointer")
            return nil
        }
        let field = readField(pair[0])
        if let field, fields[field].type != .text, fields[field].type != .id {
            pair[0].complain("expected a field of the type text or id")
        }
        var take: [Join.Link] = []
        if object["take"] == nil { object.complain(missing: "take", "an object of fields and JSON Pointers") }
        for (name, value) in object["take"]?.entries(of: "an object of fields and JSON Pointers") ?? [] {
            let taken = self.field(named: name, value)
            if let taken, fields[taken].type == .id { value.complain("the id cannot come from another request") }
            if let taken, let pointer = value.pointer() { take.append(.init(field: taken, pointer: pointer)) }
        }
        guard let field, let pointer = pair[1].pointer() else { return nil }
        return Join(readRequest(object), on: .init(field: field, pointer: pointer), take: take)
    }
}
