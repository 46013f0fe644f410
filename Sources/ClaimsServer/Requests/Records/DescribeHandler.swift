// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `describe`: the methods, the collections, or one of them.
enum DescribeHandler {
    static func answer(
        _ parameters: DescribeParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = parameters.language ?? context.configuration.language
        let methodName = parameters.method
        let collectionName = parameters.collection
        var methods = Method.allCases
        var views = context.served.catalog.views
        if let methodName {
            guard let method = Method(name: methodName) else {
                throw RequestError(
                    DescribeParameters.method, MethodTable.unknown(methodName),
                    hint: MethodTable.hint(for: methodName))
            }
            methods = [method]
        }
        if let collectionName { views = [try context.served.view(named: collectionName)] }
        writer.beginObject()
        if collectionName == nil || methodName != nil {
            let example = context.served.catalog.views.first { $0.definition.isArchivable }?.definition.name
            writer.key(DescribeResult.methods)
            writer.beginArray()
            for method in methods {
                method.description.write(to: &writer, collection: example ?? "NAME", language: language)
            }
            writer.endArray()
            if methods.contains(.subscribe) {
                writer.key(DescribeResult.events)
                writer.beginArray()
                for kind in EventKind.allCases { kind.description.write(to: &writer, collection: example ?? "NAME") }
                writer.endArray()
            }
        }
        if methodName == nil || collectionName != nil {
            writer.key(DescribeResult.collections)
            writer.beginArray()
            for view in views {
                DefinitionWriter(view.definition, language: language) { peer.mayWrite($0) }.write(to: &writer)
            }
            writer.endArray()
        }
        writer.endObject()
        return .answered
    }
}
