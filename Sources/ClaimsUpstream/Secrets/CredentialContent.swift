// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// The bytes of a credential, looked at before a request needs them.
public enum CredentialContent {
    /// The reason why a credential cannot be used for its purpose in a definition, in English; nil if it can.
    ///
    /// - Parameter bytes: without white space around them.
    public static func obstacle(_ bytes: [UInt8], for use: NamedCredential.Use) -> String? {
        switch use {
        case .certificates: return CertificateText.isOne(bytes) ? nil : "it has no certificate as PEM"
        case .key: return keyObstacle(bytes)
        case .token, .header, .text: break
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return "it is no text in UTF-8" }
        if text.isEmpty { return "it is empty" }
        let credential: HTTPCredential =
            switch use {
            case .token: .bearer(text)
            case .header: .header(name: "X", value: text)
            default: .parameter(name: "x", value: text)
            }
        do throws(HTTPError) {
            try credential.check()
            return nil
        } catch { return error.detail }
    }

    private static func keyObstacle(_ bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") && $0.contains("PRIVATE KEY-----") }) else {
            return "it has no private key as PEM"
        }
        let isLocked = lines.contains { $0.contains("ENCRYPTED PRIVATE KEY-----") || $0.hasPrefix("Proc-Type: 4,ENC") }
        return isLocked ? "its private key has a passphrase" : nil
    }
}

/// Certificates as PEM (RFC 7468).
public enum CertificateText {
    /// The size of the largest file of certificates, in bytes.
    public static let maxSize = 4 << 20

    private static let labels = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

    /// Whether a text has certificates, all of them whole. What is between them is not looked at.
    public static func isOne(_ bytes: [UInt8]) -> Bool {
        let begins = labels.map { Array("-----BEGIN \($0)-----".utf8) }
        let end = Array("-----END ".utf8)
        var hasOne = false
        /// The lines of the certificate that has begun.
        var digits: [UInt8]?
        for line in bytes.split(separator: 0x0A) {
            let line = line.trimmingBlanks
            if let begun = digits {
                guard line.starts(with: end) else {
                    digits = begun + line
                    continue
                }
                guard let content = Base64.decode(begun), isSequence(content) else { return false }
                (hasOne, digits) = (true, nil)
            } else if begins.contains(where: { line.elementsEqual($0) }) {
                digits = []
            }
        }
        return hasOne && digits == nil
    }

    /// Whether bytes begin with a sequence in DER, and hold all of it.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, bytes[0] == 0x30 else { return false }
        guard bytes[1] >= 0x80 else { return Int(bytes[1]) + 2 <= bytes.count }
        let size = Int(bytes[1] & 0x7F)
        guard (1...4).contains(size), bytes.count >= 2 + size else { return false }
        return bytes[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) } + 2 + size <= bytes.count
    }
}

extension ArraySlice<UInt8> {
    /// Without white space at its end, where lines may have a carriage return.
    fileprivate var trimmingBlanks: ArraySlice<UInt8> {
        var rest = self
        while let last = rest.last, last == ASCII.space || last == 0x09 || last == 0x0D {
            rest.removeLast()
        }
        return rest
    }
}
