// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Glibc

/// What is said about an error, in words or as one JSON object, and how the program ends.
public struct ErrorReport: Equatable, Sendable {
    public var code: ExitCode
    public var kind: String
    public var message: String
    public var hint: String?
    /// The filter the error is in, and which bytes of it.
    public var filter: String?
    public var position: Int?
    public var length: Int?
    public var retryAfter: Int64?

    public init(_ code: ExitCode, kind: String, message: String, hint: String? = nil) {
        self.code = code
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    /// For records that are not there, while others are.
    public init(_ code: ExitCode, missing ids: [String]) {
        let names = ids.prefix(20).joined(separator: ", ")
        let more = ids.count > 20 ? " and \(ids.count - 20) more" : ""
        self.init(code, kind: "not_found", message: "no such record: \(names)\(more)")
    }

    /// `nil` where nothing is to be said: nobody listens any more.
    public init?(_ error: CommandError, selector: Selector? = nil, filter: String? = nil) {
        switch error {
        case .usage(let usage):
            self.init(.usage, kind: "usage", message: usage.message, hint: usage.hint)
        case .output(.closed):
            return nil
        case .output(.failed(let failure)):
            self.init(.failure, kind: "output", message: failure.message)
        case .failed(let code, let kind, let message, let hint):
            self.init(code, kind: kind, message: message, hint: hint)
        case .client(.refused(let refusal)):
            self.init(refusal, selector: selector, filter: filter)
        case .client(let failure):
            self.init(failure)
        }
    }

    private init(_ failure: ClientError) {
        switch failure {
        case .unreachable(let path, let error):
            let isForbidden = error.errno == EACCES || error.errno == EPERM
            let hint =
                switch error.errno {
                case EACCES, EPERM: "its owner and its group may open it"
                case ENOENT, ECONNREFUSED: "is it running? systemctl start claimsd"
                default: String?.none
                }
            let reason = unsafe String(cString: strerror(error.errno))
            self.init(
                isForbidden ? .forbidden : error.errno == ETIMEDOUT ? .timeout : .unreachable,
                kind: isForbidden ? "forbidden" : "unreachable",
                message: "the daemon cannot be reached at \(path): \(reason)", hint: hint)
        case .closed:
            self.init(.unreachable, kind: "unreachable", message: "the daemon closed the connection before it answered")
        case .timedOut(let limit):
            self.init(
                .timeout, kind: "timeout", message: "no answer within \(Ages.span(limit.wholeMilliseconds))",
                hint: "wait longer with --timeout")
        case .malformed(let message):
            self.init(.failure, kind: "protocol", message: message)
        case .refused(let refusal):
            self.init(refusal, selector: nil, filter: nil)
        }
    }

    private init(_ refusal: Refusal, selector: Selector?, filter: String?) {
        self.init(ExitCode(kind: refusal.kind), kind: refusal.kind, message: refusal.message, hint: refusal.hint)
        retryAfter = refusal.retryAfter
        position = refusal.position
        length = refusal.length
        if refusal.kind == "bad_filter" {
            if refusal.position != nil { self.filter = filter }
            hint = hint.map(Advice.forShell)
        }
        if refusal.kind == "unknown_collection", let selector, selector.isOption {
            let usage = ArgumentParser.unknownOption(selector.name)
            message = "\(usage.message), and no collection of that name"
            hint = usage.hint ?? refusal.hint
        }
        if refusal.kind == "not_fresh" { hint = Advice.forOldData(Meta(refusal.data?["meta"])) ?? refusal.hint }
        if refusal.kind == "no_data" { hint = Advice.forNoData(Meta(refusal.data?["meta"])) ?? refusal.hint }
    }

    /// For people: the message, the place in the filter, and what to do; lines of at most `width`, where it is known.
    public func text(isColored: Bool, width: Int? = nil) -> String {
        func lines(_ text: String) -> [String] {
            let text = Escaping.line(text)
            return width.map { Fitting.wrap(text, to: max(20, $0 - 2)) } ?? [text]
        }
        var text = lines("claimsctl: \(message)").joined(separator: "\n  ") + "\n"
        if let filter, let position { text += Self.mark(filter, position, length ?? 1, isColored) }
        if let hint { text += lines(hint).map { "  \($0)\n" }.joined() }
        return text
    }

    /// The filter with what is wrong underlined.
    private static func mark(_ filter: String, _ position: Int, _ length: Int, _ isColored: Bool) -> String {
        let bytes = Array(filter.utf8)
        let start = min(max(0, position), bytes.count)
        let end = min(bytes.count, start + max(1, min(length, bytes.count)))
        let before = Escaping.line(String(decoding: bytes[..<start], as: UTF8.self))
        let inside = Escaping.line(String(decoding: bytes[start..<end], as: UTF8.self))
        let carets = String(repeating: "^", count: max(1, DisplayWidth.cells(of: inside)))
        let indent = String(repeating: " ", count: 2 + DisplayWidth.cells(of: before))
        return "  \(Escaping.line(filter))\n\(indent)\(Style.warning.apply(to: carets, isColored: isColored))\n"
    }

    /// One JSON object on one line.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("schema_version", JSONText.schemaVersion)
        writer.key("error")
        writer.beginObject()
        writer.member("kind", kind)
        writer.member("message", message)
        if let filter { writer.member("filter", filter) }
        if let position { writer.member("position", position) }
        if let length { writer.member("length", length) }
        if let hint { writer.member("hint", hint) }
        if let retryAfter { writer.member("retry_after_ms", retryAfter) }
        writer.member("exit_code", code.rawValue)
        writer.endObject()
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
