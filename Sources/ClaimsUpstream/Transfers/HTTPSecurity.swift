// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// The authorities and the certificate of a request's connections, as far as they are not the system's.
///
/// The certificate and its key are shown to the origin of the request's home only; the authorities count everywhere.
public struct HTTPSecurity: Sendable, Equatable {
    /// The certificate authorities that are trusted in place of the system's, as PEM.
    public enum Authorities: Sendable, Equatable {
        case bytes([UInt8])
        case file(String)
    }

    public var authorities: Authorities?
    /// The client's certificate and those that vouch for it, as PEM.
    public var certificate: [UInt8]?
    /// The key of the certificate, as PEM; nil where it is beside the certificate.
    public var key: [UInt8]?

    public init(authorities: Authorities? = nil, certificate: [UInt8]? = nil, key: [UInt8]? = nil) {
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// As much of it as an origin gets that is not the home of the request.
    var withoutCertificate: HTTPSecurity { HTTPSecurity(authorities: authorities) }
}

extension EasyHandle {
    /// Has connections secured with TLS 1.2 or newer and verified, by `security`.
    ///
    /// libcurl keeps connections apart whose authorities or certificates differ.
    func secure(_ security: HTTPSecurity) throws(HTTPError) {
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SSL_VERIFYPEER, true)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        switch security.authorities {
        case nil: break
        case .file(let path):
            try require(CURLOPT_CAINFO, path)
            try require(CURLOPT_CAPATH, Self.noFolder)
        case .bytes(let bytes):
            try require(CURLOPT_CAINFO_BLOB, bytes)
            try require(CURLOPT_CAPATH, Self.noFolder)
        }
        guard let certificate = security.certificate else { return }
        try require(CURLOPT_SSLCERTTYPE, "PEM")
        try require(CURLOPT_SSLCERT_BLOB, certificate)
        try require(CURLOPT_SSLKEYTYPE, "PEM")
        try require(CURLOPT_SSLKEY_BLOB, security.key ?? certificate)
        // Without a passphrase OpenSSL would ask for one on the terminal.
        try require(CURLOPT_KEYPASSWD, "")
    }

    /// A folder of authorities that has none: Debian's counts beside the file, and libcurl does not take "" for none.
    private static let noFolder = "/dev/null"
}
