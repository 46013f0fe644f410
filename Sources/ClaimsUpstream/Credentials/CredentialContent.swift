// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The bytes of a credential, looked at before a request needs them.
public enum CredentialContent {
    /// The reason why a credential cannot be used for what a definition names it for, in English; nil where it can.
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
