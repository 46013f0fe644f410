// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A change that a request asks a store for.
struct StoreWrite {
    enum Kind {
        case create
        case replace
        case merge
        case delete
        case act(String)
        case attach
    }

    /// A file, of which nothing is kept but this.
    struct File {
        /// Empty if it came without one.
        let name: String
        let type: String
        let size: Int
        let sha256: String
    }

    /// A write that is not done, and the status of its answer.
    struct Refusal: Error {
        let status: Int
    }

    let kind: Kind
    /// The id in the path; nil for a new record.
    let id: String?
    let fields: JSONObject
    let files: [File]

    /// Reads what `request` asks for.
    /// - Parameter rest: the parts of the path after that of the store, their escapes resolved.
    init(_ request: UpstreamRequest, _ rest: [String]) throws(Refusal) {
        guard request.body.count == request.bodyLength else { throw Refusal(status: 400) }
        kind = try Self.kind(request, rest)
        id = rest.first
        if case .delete = kind {
            (fields, files) = (JSONObject(), [])
        } else if request.mediaType == "multipart/form-data" {
            guard let form = FormParts(request) else { throw Refusal(status: 400) }
            let record = form.parts.first { part in part.name == "record" }
            fields = try record.map(\.content).map(Self.object) ?? JSONObject()
            files = form.parts.filter { part in part.fileName != nil }.map { part in
                Self.file(part.fileName ?? "", part.type, part.content)
            }
        } else if case .attach = kind {
            let name = FormParts.parameter("filename", of: request["content-disposition"] ?? "")
            (fields, files) = (JSONObject(), [Self.file(name ?? "", request.mediaType, request.body)])
        } else {
            let isEmpty = request.body.isEmpty
            if case .act = kind, isEmpty { fields = JSONObject() } else { fields = try Self.object(request.body) }
            files = []
        }
    }

    /// The content as text: equal for two requests that ask for the same.
    var fingerprint: String {
        "\(kind) \(id ?? "") \(String(decoding: JSONValue.object(fields).compactBytes, as: UTF8.self)) "
            + files.map { file in "\(file.sha256) \(file.name)" }.joined(separator: " ")
    }

    private static func kind(_ request: UpstreamRequest, _ rest: [String]) throws(Refusal) -> Kind {
        let isJSON = request.mediaType == "application/json"
        switch (request.method, rest.count) {
        case ("DELETE", 1): return .delete
        case ("POST", 0):
            guard isJSON || request.mediaType == "multipart/form-data" else { throw Refusal(status: 415) }
            return .create
        case ("PUT", 1):
            guard isJSON else { throw Refusal(status: 415) }
            return .replace
        case ("PATCH", 1):
            guard isJSON || request.mediaType == "application/merge-patch+json" else { throw Refusal(status: 415) }
            return .merge
        case ("POST", 2...), ("PUT", 2...):
            return isJSON || request.body.isEmpty && request.mediaType.isEmpty ? .act(rest[1]) : .attach
        default: throw Refusal(status: 405)
        }
    }

    private static func object(_ body: [UInt8]) throws(Refusal) -> JSONObject {
        guard let object = (try? JSONValue.parse(body))?.object else { throw Refusal(status: 400) }
        return object
    }

    private static func file(_ name: String, _ type: String, _ content: [UInt8]) -> File {
        File(name: name, type: type, size: content.count, sha256: SHA256.hexadecimal(of: content.rawSpan))
    }
}
