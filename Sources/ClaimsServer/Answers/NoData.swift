// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// The error of a query on a collection that has nothing to show.
enum NoData {
    /// Tells which state the collection is in and what to do about it.
    static func error(for view: CollectionView, context: ServingContext, language: String?) -> RequestError {
        let name = view.definition.name
        let meta = view.meta(now: context.now, clock: context.catalog.clock)
        var writer = JSONWriter()
        context.writeMeta(view, language: language, to: &writer)
        let message: String
        let hint: String
        switch meta.state {
        case .unconfigured:
            message = "\(name) has no source"
            hint = "write { source: { url: \"https://…\" } } to collections.d/\(name).json5 in the configuration folder"
        case .failed:
            let reason = meta.lastError?.message.text(language ?? context.configuration.language)
            message = "\(name) could not be fetched" + (reason.map { ": \($0)" } ?? "")
            hint = "refresh with wait to try again"
        default:
            message = "\(name) is being fetched for the first time"
            hint = "refresh with wait to hear when it is there"
        }
        return RequestError(.noData, message, hint: hint, details: [("meta", writer.bytes)])
    }
}
