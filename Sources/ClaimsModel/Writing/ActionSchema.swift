// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The fields that an action takes, as a JSON Schema (draft 2020-12) for clients and their forms.
///
/// Rules without a word in JSON Schema have names that begin with `x-`: `x-scale` (digits after the point), `x-minimum`
/// and `x-maximum` (dates as filters spell them), `x-max-bytes` (of a JSON value), `x-refs` (the collection whose ids a
/// value holds).
public struct ActionSchema {
    private let definition: Definition
    private let rules: WriteRules
    private let language: String

    /// - Parameter language: The language of titles, such as `pl`.
    public init(_ definition: Definition, _ rules: WriteRules, language: String) {
        self.definition = definition
        self.rules = rules
        self.language = language
    }

    /// The schema of the parameter `fields` for an action. Its properties are in the definition's order.
    public func schema(of action: WriteAction) -> JSONValue {
        var properties = JSONObject()
        var required: [JSONValue] = []
        for index in action.fields {
            guard let rule = rules.rule(of: index) else { continue }
            let field = definition.fields[index]
            let isRequired = rule.isRequired || field.isRequired
            properties[field.name] = .object(property(field, rule, isRequired: isRequired))
            if isRequired, action.kind == .create { required.append(.string(field.name)) }
        }
        var schema: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["additionalProperties"] = false
        return .object(schema)
    }

    private func property(_ field: Field, _ rule: FieldRule, isRequired: Bool) -> JSONObject {
        var property: JSONObject = ["title": .string(field.heading(language))]
        let null: [JSONValue] = isRequired ? [] : ["null"]
        switch field.type {
        case .text, .url, .id:
            property["type"] = .array(["string"] + null)
            property["maxLength"] = rule.maxLength.map { .integer($0) }
        case .enum:
            let codes = definition.vocabulary(of: rule.field)?.codes ?? []
            let values: [JSONValue] = rule.codes.map { .string(codes[$0].code) }
            property["enum"] = .array(values + (isRequired ? [] : [.null]))
        case .integer, .decimal:
            // A number may be spelled as a text too, and then keeps its digits in every client.
            property["type"] = .array([field.type == .integer ? "integer" : "number", "string"] + null)
            property["minimum"] = rule.minimum.map { .number($0) }
            property["maximum"] = rule.maximum.map { .number($0) }
            property["x-scale"] = rule.maxScale.map { .integer($0) }
        case .instant, .date:
            property["type"] = .array(["string"] + null)
            property["format"] = field.type == .instant ? "date-time" : "date"
            property["x-minimum"] = rule.minimum.map { .string($0) }
            property["x-maximum"] = rule.maximum.map { .string($0) }
        case .bool: property["type"] = .array(["boolean"] + null)
        case .json: property["x-max-bytes"] = rule.maxLength.map { .integer($0) }
        }
        property["x-refs"] = rule.refs.map { .string($0) }
        return property
    }
}
