// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// The rules of a definition for one action whose operations are sent.
struct SendingPlan {
    let definition: Definition
    let action: WriteAction
    private let writes: WriteRules

    /// Nil if the definition does not offer the action, or sends nothing.
    init?(_ definition: Definition, _ action: OperationAction) {
        guard let writes = definition.writes, writes.destination == .upstream,
            let offered = writes.offered(action.name)
        else { return nil }
        self.definition = definition
        self.writes = writes
        self.action = offered
    }

    /// Whether a new record keeps the id that it was given here.
    var keepsID: Bool { action.kind == .create && action.request?.keepsID == true }

    var sendsFilesApart: Bool {
        if case .requests = writes.attachments(of: action)?.sending { true } else { false }
    }

    var isMultipart: Bool {
        if case .multipart = writes.attachments(of: action)?.sending { true } else { false }
    }

    /// The request of an operation's next step.
    func request(_ operation: Operation) -> WriteRequest? {
        guard case .file = operation.nextStep(sendsFilesApart: sendsFilesApart) else { return action.request }
        if case .requests(let request) = writes.attachments(of: action)?.sending { return request }
        return nil
    }

    /// The record and the attempt that a request is made for.
    func subject(_ operation: Operation, _ step: SendingStep) -> WriteSubject {
        let id = operation.delivery.givenID ?? operation.record
        return WriteSubject(id: Array(id.utf8), operation: operation.id.text, key: operation.key(step))
    }

    /// The rules for the outcome of a request.
    func rules(_ request: ComposedRequest, _ operation: Operation) -> SendingRules {
        SendingRules(
            method: request.method, url: request.url, accepted: request.accept,
            keyLife: writes.idempotency?.life.wholeMilliseconds,
            needsID: operation.action == .create && !keepsID && writes.reference == nil,
            sendsFilesApart: sendsFilesApart)
    }
}

extension TransferLimits {
    /// The limits of a definition's writes, which follow no redirect.
    func ofWrites(_ definition: Definition) -> TransferLimits {
        var limits = definition.source.limits.applied(to: self)
        limits.redirects = 0
        return limits
    }
}

/// The value of a header `Content-Disposition` that names a file (RFC 6266).
enum FileDisposition {
    static func value(_ name: String) -> String {
        let plain = encoded(name) { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x25 && $0 != 0x5C }
        let value = "attachment; filename=\"\(plain)\""
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return value }
        let extended = encoded(name) { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
        }
        return value + "; filename*=UTF-8''\(extended)"
    }

    /// The name with a percent sign and two digits in place of each byte that is not plain.
    private static func encoded(_ name: String, isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
