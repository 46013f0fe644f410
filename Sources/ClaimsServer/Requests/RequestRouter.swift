// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// Reads request lines, and hands each request to the handler of its method.
///
/// ```swift
/// let request = try router.read(line, maxDepth: 64)
/// let disposition = try router.answer(request, in: line, from: peer, context, to: &writer)
/// ```
struct RequestRouter: ~Copyable {
    /// The tape of the line that was read last.
    private(set) var tape = JSONTape()

    /// The number of tape nodes for which memory is kept.
    private static let retainedNodes = 1 << 12

    /// A line that is no request.
    struct Refusal: Error {
        /// The id of the request as it came, if there is a usable one.
        let id: [UInt8]?
        let error: RequestError
    }

    /// Reads a line.
    ///
    /// - Parameter maxDepth: the depth to which its JSON may nest.
    /// - Throws: `parse_error`, `invalid_request` or `unknown_method`.
    mutating func read(_ line: RawSpan, maxDepth: Int) throws(Refusal) -> RequestEnvelope {
        do throws(JSONError) {
            _ = try tape.parse(line, from: 0, depth: maxDepth, as: .document)
        } catch {
            let hint =
                error.code == .tooDeep
                ? TranslatedText(en: "at most \(maxDepth) levels", pl: "co najwyżej tyle poziomów: \(maxDepth)")
                : TranslatedText(
                    en: "send one JSON object a line, in UTF-8", pl: "wyślij jeden obiekt JSON w wierszu, w UTF-8")
            let text = TranslatedText(en: "the line is not JSON", pl: "wiersz nie jest JSON-em").joined(
                ": ", error.text)
            throw Refusal(id: nil, error: RequestError(.parseError, text, hint: hint))
        }
        do throws(RequestEnvelope.Failure) {
            return try RequestEnvelope(tape, line)
        } catch {
            throw Refusal(id: error.id.map { bytes(of: $0, in: line) }, error: error.error)
        }
    }

    /// The id of a request that was just read, as it came.
    func id(of request: RequestEnvelope, in line: RawSpan) -> [UInt8] { bytes(of: request.id, in: line) }

    /// Releases the memory that a large request has left.
    mutating func trim() {
        if tape.capacity > Self.retainedNodes { tape = JSONTape() }
    }

    /// Answers a request that was just read, or returns the way in which its answer will come.
    ///
    /// - Parameters:
    ///   - line: the line that was read.
    ///   - writer: receives the response line; its text is to be dropped for a disposition that is neither `answered` nor
    ///     `introduced`.
    /// - Throws: the error to answer with.
    func answer(
        _ request: RequestEnvelope, in line: RawSpan, from peer: Peer, _ context: RequestContext,
        to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        context.served.enter(peer)
        let arguments = try Arguments(
            tape, line, object: request.params, method: request.method, bounds: context.requestBounds)
        writer.frame(Self.head, line.extracting(tape[request.id].range), Self.resultKey)
        let disposition = try Self.dispatch(request.method, arguments, from: peer, context, to: &writer)
        switch disposition {
        case .answered, .introduced: writer.endLine()
        default: break
        }
        return disposition
    }

    /// The language that the last line read asks for; nil if it names none.
    func language(in line: RawSpan) -> String? {
        guard tape.count > 0, let params = tape.member("params", of: 0, in: line),
            let language = tape.member(Parameter<String>.language.name, of: params, in: line)
        else { return nil }
        return tape.string(language, in: line)
    }

    /// Writes the response line of a result that came later, or an error line; `language` is the language of an error.
    ///
    /// - Parameter id: the id of the request as it came; nil for the error about a line that was no request.
    static func write(_ result: RequestResult, id: [UInt8]?, in language: String, to writer: inout JSONWriter) {
        switch result {
        case .success(let value):
            let id = id ?? noID
            writer.frame(head, id.rawSpan, resultKey)
            writer.raw(value)
            writer.endLine()
        case .failure(let error):
            writer.beginValue()
            writer.raw(error.line(id: id, in: language))
        }
    }

    /// Writes the line of a notification about a request in flight.
    ///
    /// - Parameters:
    ///   - id: the id of the request as it came.
    ///   - members: the members of `params` after `request`, each with a comma before it.
    static func write(_ method: String, of id: [UInt8], _ members: [UInt8], to writer: inout JSONWriter) {
        writer.beginValue()
        let head = Array(#"{"jsonrpc":"2.0","method":"\#(method)","params":{"request":"#.utf8)
        writer.raw(head + id + members + Array("}}\n".utf8))
    }

    private static let head: StaticString = "{\"jsonrpc\":\"2.0\",\"id\":"
    private static let resultKey: StaticString = ",\"result\":"
    private static let noID = Array("null".utf8)

    private func bytes(of node: Int, in line: RawSpan) -> [UInt8] {
        var out: [UInt8] = []
        tape.appendSource(node, in: line, to: &out)
        return out
    }

    private static func dispatch(
        _ method: Method, _ arguments: borrowing Arguments, from peer: Peer, _ context: RequestContext,
        to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        switch method {
        case .detail: return try DetailHandler.answer(DetailParameters(arguments), from: peer, context, to: &writer)
        case .search: return try SearchHandler.answer(SearchParameters(arguments), from: peer, context, to: &writer)
        case .sort: return try SearchHandler.answer(SortParameters(arguments), from: peer, context, to: &writer)
        case .count: return try CountHandler.answer(CountParameters(arguments), from: peer, context, to: &writer)
        case .facets: return try FacetsHandler.answer(FacetsParameters(arguments), from: peer, context, to: &writer)
        case .history: return try HistoryHandler.answer(HistoryParameters(arguments), from: peer, context)
        case .explain: return try ExplainHandler.answer(ExplainParameters(arguments), from: peer, context)
        case .quarantine:
            return try QuarantineHandler.answer(QuarantineParameters(arguments), from: peer, context)
        case .ping:
            writer.beginObject()
            writer.endObject()
            return .answered
        case .hello: return try HelloHandler.answer(HelloParameters(arguments), from: peer, context, to: &writer)
        case .describe:
            return try DescribeHandler.answer(
                DescribeParameters(arguments), from: peer, context, to: &writer)
        case .status: return try StatusHandler.answer(StatusParameters(arguments), from: peer, context, to: &writer)
        case .archive:
            return try ArchiveHandler.answer(ArchiveParameters(arguments), isArchiving: true, from: peer, context)
        case .unarchive:
            return try ArchiveHandler.answer(ArchiveParameters(arguments), isArchiving: false, from: peer, context)
        case .submit: return try SubmitHandler.answer(SubmitParameters(arguments), from: peer, context)
        case .outbox: return try OutboxHandler.answer(OutboxParameters(arguments), from: peer, context)
        case .attach: return try AttachHandler.answer(AttachParameters(arguments), from: peer, context)
        case .fetchAttachment:
            return try FetchAttachmentHandler.answer(FetchAttachmentParameters(arguments), from: peer, context)
        case .changes: return try ChangesHandler.answer(ChangesParameters(arguments), from: peer, context)
        case .refresh: return try RefreshHandler.answer(RefreshParameters(arguments), from: peer, context)
        case .refreshes: return try RefreshesHandler.answer(RefreshesParameters(arguments), from: peer, context)
        case .forget: return try ForgetHandler.answer(ForgetParameters(arguments), from: peer, context)
        case .attempt: return try TryHandler.answer(TryParameters(arguments), from: peer, context)
        case .deal: return try DealHandler.answer(DealParameters(arguments), from: peer, context, to: &writer)
        case .access: return try AccessHandler.answer(AccessParameters(arguments), from: peer, context)
        case .fleet: return FleetHandler.answer(try FleetParameters(arguments), from: peer, context, to: &writer)
        case .subscribe: return try SubscribeHandler.answer(SubscribeParameters(arguments), from: peer, context)
        case .unsubscribe: return .unsubscribe(try UnsubscribeParameters(arguments).subscription)
        case .cancel: return .cancel(id: try CancelParameters(arguments).request.json)
        }
    }
}
