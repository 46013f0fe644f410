// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `describe`: the methods, the collections, or one of them.
enum DescribeHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = try arguments.string(.language) ?? context.configuration.language
        let methodName = try arguments.string(.method)
        let collectionName = try arguments.string(.collection)
        var methods = Method.allCases
        var views = context.catalog.views
        if let methodName {
            guard let method = Method(rawValue: methodName) else {
                throw RequestError(
                    .badParams, "unknown method '\(methodName)'", hint: MethodTable.hint(for: methodName),
                    details: [RequestError.detail("parameter", "method")])
            }
            methods = [method]
        }
        if let collectionName { views = [try context.view(named: collectionName)] }
        writer.beginObject()
        if collectionName == nil || methodName != nil {
            let example = context.catalog.views.first { $0.definition.isArchivable }?.definition.name
            writer.key("methods")
            writer.beginArray()
            for method in methods { method.description.write(to: &writer, collection: example ?? "NAME") }
            writer.endArray()
        }
        if methodName == nil || collectionName != nil {
            writer.key("collections")
            writer.beginArray()
            for view in views { DefinitionWriter(view.definition, language: language).write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return .answered
    }
}
