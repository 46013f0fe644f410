// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

extension RequestError {
    /// The error about a stream whose peer sees other records now.
    fileprivate static let streamOfOtherRules = RequestError(
        .badCursor,
        TranslatedText(
            en: "the rules of who sees these records have changed", pl: "zmieniły się reguły tego, kto widzi te rekordy"
        ),
        hint: TranslatedText(en: "send the request again", pl: "wyślij żądanie ponownie"))
}

/// A search whose records are sent in parts as the peer reads them; the result without records ends it.
///
/// Used on the thread of its connection's loop only.
final class RecordStream {
    /// One step of a stream.
    enum Step {
        /// A notification with records has been written.
        case part
        /// All records are sent; the value is the result.
        case end([UInt8])
    }

    let cancellation = Cancellation()
    /// The language that the request asks for; nil if it names none.
    var language: String? { request.selection.language }
    private var request: SearchRequest
    private let method: Method
    /// The peer with the purpose of its last `hello`, for the journal of looks.
    private let peer: Peer
    private var left: Int
    private var summary: [UInt8]?
    private var hasBegun = false

    init(_ request: SearchRequest, of method: Method, from peer: Peer) {
        self.request = request
        self.method = method
        self.peer = peer
        left = request.limit ?? .max
    }

    /// Finds the next records and writes their notification.
    ///
    /// - Parameter id: the id of the request as it came.
    /// - Throws: `bad_cursor` if the rules now show the peer other records of a collection, or no records.
    func next(_ context: QueryContext, id: [UInt8], to writer: inout JSONWriter) throws(RequestError) -> Step {
        for target in request.selection.targets where !context.served.showsSame(target.view) {
            throw .streamOfOtherRules
        }
        if let summary { return .end(summary) }
        var page = SearchPage(request, limit: min(left, PageParameters.maxStreamChunk))
        var records = JSONWriter()
        records.beginArray()
        do throws(QueryFailure) {
            try page.collect(context, budget: QueryBudget(limit: request.selection.timeout), to: &records)
        } catch {
            switch error {
            case .refused(let error): throw error
            case .interrupted: throw QueryLimits.timeoutError(request.selection.timeout)
            }
        }
        records.endArray()
        page.recordShown(to: peer, by: method, isFirst: !hasBegun)
        hasBegun = true
        left -= page.count
        if let next = page.next, left > 0 {
            request.cursor = next
        } else {
            var result = JSONWriter()
            result.beginObject()
            page.writeSummary(context, to: &result)
            result.endObject()
            summary = result.bytes
        }
        writer.beginObject()
        writer.member("jsonrpc", "2.0")
        writer.member("method", RecordsNotification.method)
        writer.key("params")
        writer.beginObject()
        writer.key(RecordsNotification.request)
        writer.raw(id)
        writer.key(RecordsNotification.records)
        writer.raw(records.bytes)
        writer.endObject()
        writer.endObject()
        return .part
    }
}
