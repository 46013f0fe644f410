// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform

/// The secrets of one request, in the form in which they are sent.
public struct RequestSecrets: Sendable {
    public var credential: HTTPCredential?
    public var security: HTTPSecurity
    /// The number of the token; nil if the secret is no token.
    var token: UInt64?

    public init(credential: HTTPCredential? = nil, security: HTTPSecurity = HTTPSecurity()) {
        self.credential = credential
        self.security = security
    }

    /// Whether a refused token may be replaced by another one.
    public var isRenewable: Bool { token != nil }
}

/// A request's need of secrets.
public struct SecretNeed: Sendable {
    public var auth: Authentication?
    public var tls: TLSOptions?
    /// The collection whose definition names them.
    public var collection: String
    /// The limits of a request for a token.
    public var limits: TransferLimits

    public init(auth: Authentication?, tls: TLSOptions?, collection: String, limits: TransferLimits) {
        self.auth = auth
        self.tls = tls
        self.collection = collection
        self.limits = limits
    }
}

/// Finds the secrets of requests: reads credentials, and has tokens given.
struct SecretFinder: Sendable {
    let credentials: CredentialReader
    let tokens: TokenStore

    /// - Parameters:
    ///   - refused: the secrets of the same request whose token the upstream has refused.
    ///   - pacing: makes the passes of requests for tokens.
    ///   - budget: the time that this uses is subtracted.
    ///   - trace: records requests for tokens, and their secrets.
    func secrets(
        _ need: SecretNeed, after refused: RequestSecrets? = nil, pacing: PacedRequests.Maker,
        cancellation: HTTPCancellation, budget: inout RequestBudget, trace: RequestTrace? = nil
    ) throws(AccessFailure) -> RequestSecrets {
        var secrets = RequestSecrets(security: try security(need.tls))
        switch need.auth {
        case nil: break
        case .bearer(let name): secrets.credential = .bearer(try credentials.read(name))
        case .basic(let user, let password):
            secrets.credential = .basic(user: user, password: try credentials.read(password))
        case .key(let name, .header(let header, let prefix)):
            secrets.credential = .header(name: header, value: prefix + (try secret(name)))
        case .key(let name, .parameter(let parameter)):
            secrets.credential = .parameter(name: parameter, value: try secret(name))
        case .oauth2(let request):
            var form = TokenSecrets()
            form.client = try request.secret.map { name throws(AccessFailure) in try secret(name) }
            form.refresh = try request.refresh.map { name throws(AccessFailure) in try secret(name) }
            for secret in [form.client, form.refresh] { trace?.record(secret: Array((secret ?? "").utf8)) }
            form.security = try security(request.tls)
            let token = try tokens.token(
                TokenStore.Need(
                    request: request, secrets: form, rejected: refused?.token, collection: need.collection,
                    limits: need.limits, observe: { trace?.record(tokenFrom: request.url, from: $0, $1) }),
                pacing: pacing, cancellation: cancellation, budget: &budget)
            secrets.credential = .bearer(token.token.text)
            secrets.token = token.number
        }
        return secrets
    }

    /// A credential that has any bytes.
    private func secret(_ name: String) throws(AccessFailure) -> String {
        let text = try credentials.read(name)
        if text.isEmpty { throw .credential(.unusable, Message(.credentialUnreadable, name, "it is empty")) }
        return text
    }

    private func security(_ options: TLSOptions?) throws(AccessFailure) -> HTTPSecurity {
        guard let options else { return HTTPSecurity() }
        var security = HTTPSecurity()
        switch options.ca {
        case nil: break
        case .credential(let name): security.authorities = .bytes(try certificates(credentials.bytes(name), name))
        case .file(let path):
            do throws(SystemError) {
                security.authorities = .bytes(try Files.readAll(path, cap: CertificateText.maxSize))
            } catch {
                throw .credential(.unusable, Message(.credentialUnreadable, path, error.reason))
            }
            if case .bytes(let bytes)? = security.authorities { _ = try certificates(bytes, path) }
        }
        security.certificate = try options.certificate.map { name throws(AccessFailure) in
            try certificates(credentials.bytes(name), name)
        }
        security.key = try options.key.map { name throws(AccessFailure) in try credentials.bytes(name) }
        return security
    }

    /// Certificates as PEM: without any, libcurl would trust none, and blame the server.
    private func certificates(_ bytes: [UInt8], _ name: String) throws(AccessFailure) -> [UInt8] {
        guard CertificateText.isOne(bytes) else {
            throw .credential(.unusable, Message(.credentialUnreadable, name, "it has no certificate as PEM"))
        }
        return bytes
    }
}

extension RequestTrace {
    /// Remembers the secrets of a request, in each form in which an upstream may repeat them.
    func record(_ secrets: RequestSecrets, of auth: Authentication?) {
        switch secrets.credential {
        case nil: break
        case .bearer(let token): record(secret: Array(token.utf8))
        case .basic(let user, let password):
            record(secret: Array(password.utf8))
            record(secret: Array(Base64.encode(Array("\(user):\(password)".utf8)).utf8))
        case .header(_, let value):
            record(secret: Array(value.utf8))
            if case .key(_, .header(_, let prefix)) = auth {
                record(secret: Array(value.utf8.dropFirst(prefix.utf8.count)))
            }
        case .parameter(_, let value):
            record(secret: Array(value.utf8))
            record(secret: Array(PercentEncoding.encode(value).utf8))
        }
    }
}
