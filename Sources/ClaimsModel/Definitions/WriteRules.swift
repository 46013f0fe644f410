// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The rules by which records of a collection are added, changed and deleted: `writes` in its definition.
///
/// ```swift
/// guard let rules = definition.writes, let action = rules.offered("update") else { … }
/// ```
public struct WriteRules: Sendable, Equatable {
    /// The destination of written records.
    public enum Destination: String, Sendable, Hashable, CaseIterable {
        /// This host is the truth.
        case local
        /// Operations wait in the outbox until the upstream shows them.
        case upstream
    }

    /// The upstream does requests with equal keys once.
    public struct Idempotency: Sendable, Hashable {
        /// The name of the header with the key.
        public var header: String
        /// The time for which the upstream knows a key.
        public var life: Duration

        public init(header: String, life: Duration) {
            (self.header, self.life) = (header, life)
        }
    }

    /// The destination of written records; nil if the collection is only read.
    public var destination: Destination?
    /// The users and groups that may write; nil for the ones of the settings.
    public var role: RoleSettings.Members?
    /// The fields that callers may give values for, in the definition's order.
    public var fields: [FieldRule]
    /// `create`, `update`, `delete` as far as they are there, then the actions by name in the order of the file.
    public var actions: [WriteAction]
    /// The rules for files; nil if records have none.
    public var attachments: AttachmentRules?
    /// The way in which the upstream recognises a repeated request; nil if it does not.
    public var idempotency: Idempotency?
    /// The pointer to the operation's id in the body of a create, and in fetched records; nil for none.
    public var reference: JSONPointer?
    /// The request that reads a record before it is written; nil for none.
    public var match: WriteRequest?
    /// The time that an accepted write may take to be seen.
    public var confirm: Duration

    /// Rules with the given parts; the defaults are the defaults of definition files.
    public init(
        to destination: Destination? = nil, role: RoleSettings.Members? = nil, fields: [FieldRule] = [],
        actions: [WriteAction] = [], attachments: AttachmentRules? = nil, idempotency: Idempotency? = nil,
        reference: JSONPointer? = nil, match: WriteRequest? = nil, confirm: Duration = .seconds(900)
    ) {
        self.destination = destination
        self.role = role
        self.fields = fields
        self.actions = actions
        self.attachments = attachments
        self.idempotency = idempotency
        self.reference = reference
        self.match = match
        self.confirm = confirm
    }

    /// The actions that callers may request: none without a destination, and for an upstream only actions with an
    /// address.
    public var offered: [WriteAction] { actions.filter(isOffered) }

    /// The action of that name, if callers may ask for it.
    public func offered(_ name: String) -> WriteAction? {
        actions.first { $0.name == name && isOffered($0) }
    }

    private func isOffered(_ action: WriteAction) -> Bool {
        switch destination {
        case nil: false
        case .local: true
        case .upstream: action.request != nil
        }
    }

    /// The rules for files of an action; nil if it accepts none.
    public func attachments(of action: WriteAction) -> AttachmentRules? {
        guard action.takesFiles, let attachments else { return nil }
        switch (destination, attachments.sending) {
        case (nil, _): return nil
        case (.local, _), (.upstream, .requests): return attachments
        case (.upstream, .multipart): return action.kind == .create ? attachments : nil
        case (.upstream, nil): return nil
        }
    }

    /// The rule of the field at an index of the definition; nil if callers may not give it.
    public func rule(of field: Int) -> FieldRule? {
        fields.first { $0.field == field }
    }
}

/// An action on records: `create`, `update`, `delete`, or one that the definition names.
public struct WriteAction: Sendable, Equatable {
    /// The effect on the set of records.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case create, update, delete
        /// An action with a name of its own. It changes a record, as an update does.
        case named
    }

    /// A value that the action itself gives a field.
    public struct Assignment: Sendable, Equatable {
        /// The index of the field in the definition.
        public var field: Int
        /// The value; the text `now` for a moment or a day means the time of the operation.
        public var value: JSONValue

        public init(field: Int, value: JSONValue) {
            (self.field, self.value) = (field, value)
        }
    }

    /// A filter that the served record must match.
    public struct Condition: Sendable, Hashable {
        /// The text of the filter, which is not parsed yet.
        public var filter: String
        /// The location of the filter in the files, for errors of its parser; nil if it comes from no file.
        public var location: ConfigurationLocation?

        public init(filter: String, location: ConfigurationLocation? = nil) {
            (self.filter, self.location) = (filter, location)
        }
    }

    /// The name that requests use: `create`, `update`, `delete`, or the action's own.
    public var name: String
    /// The effect on the set of records.
    public var kind: Kind
    /// The name for people; nil if it is made from the name.
    public var label: LocalizedText?
    /// The users and groups that may do it; nil for the ones of the collection.
    public var role: RoleSettings.Members?
    /// The condition on the served record; nil for any record.
    public var condition: Condition?
    /// The indexes of the fields that callers may give, ascending.
    public var fields: [Int]
    /// The values that are given and sent.
    public var set: [Assignment]
    /// The values that the upstream itself will set: shown, not sent.
    public var shows: [Assignment]
    /// Whether callers may attach files.
    public var takesFiles: Bool
    /// The request to the upstream; nil if the definition has no address for it.
    public var request: WriteRequest?

    public init(
        name: String, kind: Kind, label: LocalizedText? = nil, role: RoleSettings.Members? = nil,
        condition: Condition? = nil, fields: [Int] = [], set: [Assignment] = [], shows: [Assignment] = [],
        takesFiles: Bool = false, request: WriteRequest? = nil
    ) {
        self.name = name
        self.kind = kind
        self.label = label
        self.role = role
        self.condition = condition
        self.fields = fields
        self.set = set
        self.shows = shows
        self.takesFiles = takesFiles
        self.request = request
    }

    /// The name for people in a language.
    public func title(_ language: String) -> String {
        if let label { return label.text(language) }
        switch kind {
        case .create: return TranslatedText(en: "Add", pl: "Dodaj").text(language)
        case .update: return TranslatedText(en: "Edit", pl: "Edytuj").text(language)
        case .delete: return TranslatedText(en: "Delete", pl: "Usuń").text(language)
        case .named: return LocalizedText.humanized(name)
        }
    }
}

/// The rule for the values that callers give a field.
public struct FieldRule: Sendable, Hashable {
    /// The index of the field in the definition.
    public var field: Int
    /// Whether a create needs a value, and nothing may clear it.
    public var isRequired: Bool
    /// The indexes of the codes of an enum that may be given.
    public var codes: [Int]
    /// The longest value: of a text or address in Unicode scalars, of JSON in bytes; nil for other types.
    public var maxLength: Int?
    /// The smallest number, moment or day, as a number or a date of filters such as `today`; nil for any.
    public var minimum: String?
    /// The greatest number, moment or day; nil for any.
    public var maximum: String?
    /// The digits that a decimal may have after the point; nil for any number.
    public var maxScale: Int?
    /// The name of the collection whose ids the value holds; nil if it holds none.
    public var refs: String?
    /// The pointer to the value in bodies of requests; nil for the first pointer at which the field is read.
    public var pointer: JSONPointer?

    public init(
        field: Int, isRequired: Bool = false, codes: [Int] = [], maxLength: Int? = nil, minimum: String? = nil,
        maximum: String? = nil, maxScale: Int? = nil, refs: String? = nil, pointer: JSONPointer? = nil
    ) {
        self.field = field
        self.isRequired = isRequired
        self.codes = codes
        self.maxLength = maxLength
        self.minimum = minimum
        self.maximum = maximum
        self.maxScale = maxScale
        self.refs = refs
        self.pointer = pointer
    }

    /// The default of ``maxLength`` for a type; nil for a type without one.
    public static func maxLength(of type: FieldType) -> Int? {
        switch type {
        case .text: 4096
        case .url: 2048
        case .json: 16 << 10
        case .id, .enum, .integer, .decimal, .instant, .date, .bool: nil
        }
    }
}

/// A request that writes to an upstream, before the record and the values are known.
public struct WriteRequest: Sendable, Equatable {
    /// The content of a request's body.
    public enum Body: Sendable, Equatable {
        case none
        /// The values given and set, and null for cleared ones.
        case fields
        /// The upstream's object with the changes.
        case record
        /// An object into which the values are put.
        case template(JSONValue)
    }

    /// The location of the new id in the upstream's answer to a create.
    public enum NewID: Sendable, Hashable {
        /// At this place of the body.
        case pointer(JSONPointer)
        /// The last segment of the header `Location`.
        case location
    }

    /// The method.
    public var method: HTTPMethod
    /// The address.
    public var address: WriteAddress
    /// The statuses that mean success, each from 200 to 299.
    public var accept: [Int]
    /// The content of the body.
    public var body: Body
    /// The location of the new id in the answer; nil if it has none.
    public var newID: NewID?
    /// The headers to send in addition to the headers of the body.
    public var headers: [Header]
    /// The authentication of the request; nil if there is none.
    public var auth: Authentication?
    /// The authorities and the certificate of the connection, as far as they are not the system's.
    public var tls: TLSOptions?

    public init(
        method: HTTPMethod, address: WriteAddress, accept: [Int] = Self.acceptedByDefault, body: Body = .none,
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

    /// The statuses that mean success if the definition names none.
    public static let acceptedByDefault = [200, 201, 202, 204]

    /// Whether a new record keeps the id that the daemon has given it, because the address has it.
    public var keepsID: Bool { address.hasID }

    /// Whether the body is a merge patch (RFC 7396), in which null removes a member.
    public var isMergePatch: Bool { method == .patch && body != .none }
}

/// An address with `{id}` in place of the record's id.
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
    /// The ways in which files are sent to the upstream.
    public enum Sending: Sendable, Equatable {
        /// In the request of a create, as `multipart/form-data` (RFC 7578).
        case multipart
        /// One request for each file, after the record's was accepted.
        case requests(WriteRequest)
    }

    /// The types that files can have. The first bytes of a file decide.
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
    /// The way in which files are sent to the upstream; nil if they are not.
    public var sending: Sending?

    /// Rules with the given parts; the defaults are the defaults of definition files.
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
