// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

/// The bytes of a bundle: an array of records, wherever the upstream may have its own.
public enum BundleBody {
    /// Where the array is.
    static func root(_ bytes: [UInt8], _ definition: Definition) -> JSONPointer {
        let isArray = bytes.first { !$0.isJSONSpace } == UInt8(ascii: "[")
        return isArray ? JSONPointer(tokens: []) : definition.source.request.root
    }

    /// The reason why a bundle cannot be served, in English: it is no array, or has no record although it has elements. nil
    /// where it can.
    public static func obstacle(_ bytes: [UInt8], _ definition: Definition) -> String? {
        let root = root(bytes, definition)
        var intake = TrialIntake(definition: definition, joined: nil, base: nil)
        do throws(IntakeError) {
            let count = try intake.read(ArrayBody(bytes), root: root, maxRecords: .max, isCancelled: { false })
            guard count > 0, intake.counts.records == 0, let first = intake.refused.first else { return nil }
            return "none of its \(count) elements is a record; at \(first.pointer): \(first.reason)"
        } catch {
            return reason(error, root: root)
        }
    }

    /// The meaning of an error for a bundle, in English.
    ///
    /// - Parameter root: where the array should be.
    static func reason(_ error: IntakeError, root: JSONPointer) -> String {
        let whereabouts = root.tokens.isEmpty ? "" : " at \(root.text)"
        return switch error {
        case .notJSON(let error): "it is not JSON: \(error.message)"
        case .noRoot: "expected an array of records\(whereabouts); there is nothing"
        case .rootIsNoArray(let kind): "expected an array of records\(whereabouts), not a value of the kind '\(kind)'"
        case .deletedIsNoArray(let pointer, let kind):
            "expected an array of ids at \(pointer.text), not a value of the kind '\(kind)'"
        case .tooManyRecords(let limit): "it has more than \(limit) records"
        case .store(let error): error.message
        case .cancelled: "it was not read to its end"
        }
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
