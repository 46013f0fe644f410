// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The actions: what callers may ask for, and the requests that are made of it.
extension WriteRulesReader {
    /// The actions of one collection are no more than this.
    static let maxActions = 64

    func readAction(
        _ name: String, _ kind: WriteAction.Kind, _ node: ConfigurationNode, rules: [FieldRule]
    ) -> WriteAction? {
        var keys = ["label", "role", "method", "url", "accept"]
        if kind != .create { keys.append("when") }
        if kind != .delete { keys += ["fields", "set", "shows", "attachments", "body"] }
        if kind == .create { keys.append("id") }
        guard let object = node.object(keys) else { return nil }
        var action = WriteAction(name: name, kind: kind)
        action.label = object["label"].flatMap { $0.localizedText() }
        action.role = object["role"].flatMap { $0.members() }
        action.condition = object["when"].flatMap { condition in
            condition.name("a filter").map { .init(filter: $0, location: condition.location) }
        }
        action.takesFiles = kind == .create || kind == .update
        action.takesFiles = object["attachments"].flatMap { $0.bool() } ?? action.takesFiles
        let references = node.log.leftOutReferences
        action.set = readAssignments(object["set"])
        action.shows = readAssignments(object["shows"])
        // A left out value would make another action.
        if node.log.leftOutReferences != references {
            node.log.record(reference: node.keyPath)
            return nil
        }
        for shown in action.shows where action.set.contains(where: { $0.field == shown.field }) {
            object["shows"]?.complain("'\(definition.fields[shown.field].name)' is in 'set' already")
        }
        let own = Set((action.set + action.shows).map(\.field))
        let all = rules.map(\.field).filter { !own.contains($0) }
        if let list = object["fields"] {
            action.fields = readGivable(list, all, own)
        } else if kind == .create || kind == .update {
            action.fields = all
        }
        action.request = readRequest(object, kind)
        if kind == .create {
            // A new record would lack what each one has.
            if node.log.leftOut.contains(where: \.isRequired) {
                node.log.record(reference: node.keyPath)
                return nil
            }
            checkCreate(action, rules, node)
        }
        return action
    }

    /// Reports each field that a new record must have.
    private func checkCreate(_ action: WriteAction, _ rules: [FieldRule], _ node: ConfigurationNode) {
        let known = Set((action.set + action.shows).map(\.field) + action.fields)
        for (index, field) in definition.fields.enumerated() where index != definition.idField {
            let isRequired = field.isRequired || rules.first { $0.field == index }?.isRequired ?? false
            if isRequired, !known.contains(index), !definition.isJoined(index) {
                node.complain("'\(field.name)' is required, but cannot be given; expected it in 'fields' or 'set'")
            }
        }
    }

    private func readGivable(_ node: ConfigurationNode, _ all: [Int], _ own: Set<Int>) -> [Int] {
        var list: [Int] = []
        for element in node.elements(of: "an array of field names") ?? [] {
            guard let name = element.string("the name of a field") else { continue }
            guard let field = definition.fieldIndex(name) else {
                element.complain(unknownField: name, among: definition.fields.map(\.name))
                continue
            }
            if own.contains(field) {
                element.complain("'\(name)' gets its value from the action itself, and cannot be given")
            } else if !all.contains(field) {
                element.complain("'\(name)' cannot be given; expected a field of 'writes.fields'")
            } else if list.contains(field) {
                element.complain("'\(name)' is in the list already")
            } else {
                list.append(field)
            }
        }
        return list.sorted()
    }

    private func readAssignments(_ node: ConfigurationNode?) -> [WriteAction.Assignment] {
        var assignments: [WriteAction.Assignment] = []
        for (name, value) in node?.entries(of: "an object of values by field") ?? [] {
            guard let field = writableField(name, value), let json = value.jsonValue() else { continue }
            let assignment = WriteAction.Assignment(field: field, value: json)
            if isSound(assignment, value) { assignments.append(assignment) }
        }
        return assignments.sorted { $0.field < $1.field }
    }

    private func isSound(_ assignment: WriteAction.Assignment, _ node: ConfigurationNode) -> Bool {
        if assignment.isNow(in: definition) { return true }
        let type = definition.fields[assignment.field].type
        switch TypedValue(assignment.value, of: assignment.field, in: definition) {
        case nil:
            let dates = type == .instant || type == .date ? ", such as \"now\"" : ""
            node.complain(expected: "a value of the type \(type.rawValue)\(dates)")
        case .raw(let text):
            let codes = definition.vocabulary(of: assignment.field)?.codes.map(\.code) ?? []
            node.complain(unknown: String(decoding: text, as: UTF8.self), "code", among: codes)
        case .some: return true
        }
        return false
    }

    // MARK: - Requests

    private func readRequest(_ object: ConfigurationObject, _ kind: WriteAction.Kind) -> WriteRequest? {
        let methods: [HTTPMethod] = kind == .delete ? [.delete, .post] : [.post, .put, .patch]
        let usual: HTTPMethod = kind == .delete ? .delete : kind == .update ? .patch : .post
        let method = object["method"].flatMap { readMethod($0, among: methods) } ?? usual
        var body = kind == .delete ? WriteRequest.Body.none : method == .put ? .record : .fields
        if let node = object["body"] { body = readBody(node) ?? body }
        let accept = object["accept"].map { readAccept($0) }
        let newID = object["id"].flatMap { readNewID($0) }
        // The body of a POST may name its record.
        let isInBody = method == .post && (kind == .create || body == .record)
        guard let address = object["url"].flatMap({ readAddress($0, needsID: !isInBody) }) else { return nil }
        var made = request(method, address)
        made.accept = accept ?? made.accept
        made.body = body
        made.newID = newID
        return made
    }

    func readMethod(_ node: ConfigurationNode, among methods: [HTTPMethod]) -> HTTPMethod? {
        let expected = "one of \(methods.map(\.rawValue).joined(separator: ", "))"
        guard let name = node.string(expected) else { return nil }
        if let method = HTTPMethod(rawValue: name), methods.contains(method) { return method }
        node.complain(expected: expected)
        return nil
    }

    func readAccept(_ node: ConfigurationNode) -> [Int] {
        let elements = node.elements(of: "an array of statuses, such as [200, 204]") ?? []
        if elements.isEmpty { node.complain("expected at least one status from 200 to 299") }
        return elements.compactMap { $0.integer(200...299) }
    }

    private func readBody(_ node: ConfigurationNode) -> WriteRequest.Body? {
        switch node.node.value {
        case .string("fields"): return .fields
        case .string("record"): return .record
        case .object: return node.jsonValue().map { .template($0) }
        default:
            node.complain(expected: "'fields', 'record' or an object into which the fields are put")
            return nil
        }
    }

    private func readNewID(_ node: ConfigurationNode) -> WriteRequest.NewID? {
        guard let text = node.string("a JSON Pointer such as \"/id\", or 'location'") else { return nil }
        return text == "location" ? .location : node.pointer().map { .pointer($0) }
    }

    /// Reports a create whose new record could not be recognised.
    func checkIDs(of rules: WriteRules, _ object: ConfigurationObject) {
        if rules.actions.count > Self.maxActions { object["actions"]?.complain("more than \(Self.maxActions) actions") }
        guard let create = rules.actions.first(where: { $0.kind == .create }), let request = create.request else {
            return
        }
        if !request.keepsID, request.newID == nil, rules.reference == nil {
            object["create"]?.complain(
                "the new record's id would never be known; expected {id} in 'url', or 'id', or 'writes.reference'")
        }
    }

    /// Reports values that would overwrite each other, or that lie in an array of a body.
    func checkPointers(of rules: WriteRules, _ object: ConfigurationObject) {
        for action in rules.actions {
            guard case .template(let template)? = action.request?.body else { continue }
            for field in action.fields + action.set.map(\.field) {
                guard let pointer = rules.pointers(of: field, in: definition).first else { continue }
                if Self.isArray(on: pointer, in: template) {
                    object.node.complain(
                        "'\(definition.fields[field].name)' would be written through an array in 'body' of "
                            + "'\(action.name)'")
                }
            }
        }
        var written = Set(rules.fields.map(\.field) + rules.actions.flatMap { ($0.set + $0.shows).map(\.field) })
        if let field = rules.attachments?.field { written.insert(field) }
        let id = definition.fields[definition.idField]
        for field in written.sorted() {
            let name = definition.fields[field].name
            let pointers = rules.pointers(of: field, in: definition)
            if id.from.contains(where: { other in pointers.contains { $0.isRelated(to: other) } }) {
                object.node.complain("'\(name)' would be written over the id; expected another place")
            }
            for other in written.sorted() where other > field {
                let others = rules.pointers(of: other, in: definition)
                if pointers.contains(where: { pointer in others.contains { $0.isRelated(to: pointer) } }) {
                    object.node.complain(
                        "'\(name)' and '\(definition.fields[other].name)' would be written over one another")
                }
            }
        }
    }

    /// Whether the way to a place leads into an array of a value.
    private static func isArray(on pointer: JSONPointer, in value: JSONValue) -> Bool {
        var value = value
        for token in pointer.tokens {
            if value.array != nil { return true }
            guard let next = value[String(decoding: token, as: UTF8.self)] else { return false }
            value = next
        }
        return false
    }
}
