// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// A request that writes to an upstream, before the record and the values are known.
public struct WriteRequest: Sendable, Equatable {
    /// The content of a request's body.
    public enum Body: Sendable, Equatable {
        case none
        /// The values given and set, and null for those that are cleared.
        case fields
        /// The upstream's object with the changes.
        case record
        /// An object into which the values are put.
        case template(JSONValue)
    }

    /// Where the upstream's answer to a create has the new id.
    public enum NewID: Sendable, Hashable {
        /// At this place of the body.
        case pointer(JSONPointer)
        /// The last segment of the header `Location`.
        case location
    }

    /// The method: GET, POST, PUT, PATCH or DELETE.
    public var method: String
    /// The address.
    public var address: WriteAddress
    /// The statuses that mean success, each from 200 to 299.
    public var accept: [Int]
    /// The content of the body.
    public var body: Body
    /// Where the answer has the new id; nil if it has none.
    public var newID: NewID?
    /// The headers to send beside those that belong to the body.
    public var headers: [Header]
    /// How the request tells who asks; nil if it does not.
    public var auth: Authentication?
    /// The authorities and the certificate of the connection, as far as they are not the system's.
    public var tls: TLSOptions?

    public init(
        method: String, address: WriteAddress, accept: [Int] = Self.acceptedByDefault, body: Body = .none,
        newID: NewID? = nil, headers: [Header] = [], auth: Authentication? = nil,
        tls: TLSOptions? = nil
    ) {
        self.method = method
        self.address = address
        self.accept = accept
        self.body = body
        self.newID = newID
        self.headers = headers
        self.auth = auth
        self.tls = tls
    }

    /// The statuses that mean success where the definition names none.
    public static let acceptedByDefault = [200, 201, 202, 204]

    /// Whether a new record keeps the id that the daemon has given it, because the address has it.
    public var keepsID: Bool { address.hasID }

    /// Whether the body is composed as a merge patch (RFC 7396), which takes away what is null in it.
    public var isMergePatch: Bool { method == "PATCH" && body != .none }
}

/// An address with `{id}` where the record's id goes.
public struct WriteAddress: Sendable, Hashable {
    /// The place of the id in an address.
    public static let placeholder = "{id}"

    /// The address as the definition has it.
    public let template: String

    public init(_ template: String) {
        self.template = template
    }

    /// The origin of the address: scheme, host and port, in lower case; nil if it has none.
    public var origin: String? { SourceAddress.origin(template) }

    /// Whether the id is a part of the address.
    public var hasID: Bool { template.firstRange(of: Self.placeholder) != nil }

    /// The address of a record. The id is percent-encoded (RFC 3986, section 2.1).
    ///
    /// - Parameter id: The id, or nil if there is none yet.
    /// - Returns: Nil if the address needs an id and there is none, or if the id is empty or makes a path segment `.` or
    ///   `..`, which servers and clients take for a step to another address.
    public func url(of id: [UInt8]?) -> String? {
        guard hasID else { return template }
        guard let id, !id.isEmpty else { return nil }
        let url = template.replacing(Self.placeholder, with: PercentEncoding.encode(id))
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").contains { $0 == "." || $0 == ".." } ? nil : url
    }
}

/// The rules for files of records.
public struct AttachmentRules: Sendable, Equatable {
    /// How files get to the upstream.
    public enum Sending: Sendable, Equatable {
        /// In the request of a create, as `multipart/form-data` (RFC 7578).
        case multipart
        /// One request for each file, after the record's was accepted.
        case requests(WriteRequest)
    }

    /// The types that files can have. What the first bytes of a file tell decides.
    public static let knownTypes = ["image/png", "image/jpeg", "application/pdf", "image/tiff", "image/heic"]
    /// The longest name of a file, in bytes.
    public static let maxNameLength = 255

    /// The index of the field, of the type json, that lists the files.
    public var field: Int
    /// The media types that are taken.
    public var types: [String]
    /// The number of files that a record needs.
    public var minCount: Int
    /// The maximal number of files of a record.
    public var maxCount: Int
    /// The maximal size of a file, in bytes.
    public var maxSize: Int
    /// How files get to the upstream; nil if they do not.
    public var sending: Sending?

    /// Rules with the given parts; the defaults are those of definition files.
    public init(
        field: Int, types: [String] = Self.knownTypes, minCount: Int = 0, maxCount: Int = 10,
        maxSize: Int = 20 << 20, sending: Sending? = nil
    ) {
        self.field = field
        self.types = types
        self.minCount = minCount
        self.maxCount = maxCount
        self.maxSize = maxSize
        self.sending = sending
    }
}
