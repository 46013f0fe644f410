// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsProtocol

/// The request that tells the daemon the purpose of a connection, before all others.
///
/// Its answer is read on the way, because nobody awaits it. An error is left to the caller of the next request: a line
/// that belongs to no request ends all of them.
struct Introduction {
    /// The purpose that is told; nil tells none.
    var purpose: Purpose?
    /// Whether this connection has been told.
    var isSent = false
    /// Whether the answer is to come.
    private var isAwaited = false

    /// The `id` of the request; no other request has it.
    private static let id = "claimsd-purpose"

    /// Writes the request, if it is due.
    ///
    /// - Parameter language: the language of an error, such as `pl`; nil for the daemon's setting.
    mutating func write(to writer: inout JSONWriter, in language: String?) {
        guard let purpose, !isSent else { return }
        isSent = true
        isAwaited = true
        var parameters = HelloParameters()
        parameters.purpose = purpose
        parameters.language = language
        writer.request(.hello, parameters) { $0.string(Self.id) }
    }

    /// Whether a line says that the daemon has taken the purpose.
    mutating func isAnswered(by line: [UInt8]) -> Bool {
        guard isAwaited, let root = try? AnswerDocument(line).root, root["id"]?.string == Self.id else { return false }
        isAwaited = false
        return root["result"] != nil
    }
}

extension JSONWriter {
    /// Writes a request as a line.
    ///
    /// - Parameter id: writes the id of the request.
    mutating func request(_ method: Method, _ parameters: some MethodParameters, id: (inout JSONWriter) -> Void) {
        beginObject()
        key("id")
        id(&self)
        member("method", method.name)
        key("params")
        beginObject()
        parameters.write(to: &self)
        endObject()
        endObject()
        newline()
    }
}
