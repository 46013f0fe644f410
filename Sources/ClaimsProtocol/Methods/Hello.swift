// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `hello`: the protocol versions and capabilities that the client wants.
public struct HelloParameters: MethodParameters, Equatable {
    /// The name and version of the client, such as `claimsctl/0.1.0`.
    public var client: String?
    /// The protocol versions that the client speaks; nil for any.
    public var versions: VersionRange?
    /// The capabilities that the client needs; if the daemon lacks one, `bad_params` refuses.
    public var require: NameList?
    /// The capabilities that the client would use if the daemon has them.
    public var want: NameList?
    /// The purpose of the requests that follow on the connection; nil leaves it as it is.
    public var purpose: Purpose?
    /// The language of messages, such as `pl`; nil for the daemon's setting.
    public var language: String?

    public static var versions: Parameter<VersionRange> {
        Parameter("protocol", "The lowest and the highest version the client speaks.")
    }
    public static var purpose: Parameter<Purpose> {
        Parameter(
            "purpose",
            "Why the client asks, for the journal of who looked: one line, up to \(Purpose.maxBytes) bytes. It holds for "
                + "the requests after it on the connection.")
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(Parameter("client", "The name and version of the client."), &client)
        try visitor.optional(Self.versions, &versions)
        try visitor.optional(
            Parameter("require", "Capabilities without which the client cannot work."), &require)
        try visitor.optional(Parameter("want", "Capabilities the client would use."), &want)
        try visitor.optional(Self.purpose, &purpose)
    }
}

/// The result of `hello`: the server, its capabilities, and what the peer may do.
public enum HelloResult: ResultObject {
    public static let server = Member<ServerInfo>("server", "Name and version.")
    public static let version = Member<Int>("protocol", "The version spoken.")
    public static let capabilities = Member<[String]>("capabilities", "What this server can do.")
    public static let epoch = Member<String>("epoch", "The epoch of the clock.")
    public static let you = Member<PeerInfo>("you", "uid, gid, pid, unit and roles of the peer.")
    public static let limits = Member<ObjectMap<Int64>>(
        "limits",
        """
        Every bound by its name in the settings, spans in milliseconds with `_ms`; `page` and `stream_chunk` are the \
        most records of a page and of a line.
        """)

    public static var memberList: [MemberDescription] {
        describe(.all, server, version, capabilities, epoch) + describe(.rows, you) + describe(.all, limits)
    }

    /// The program that serves: its name and version.
    public enum ServerInfo: ResultObject {
        public static var typeName: String { "HelloServer" }

        public static let name = Member<String>("name")
        public static let version = Member<String>("version")

        public static var memberList: [MemberDescription] { describe(.all, name, version) }
    }

    /// The peer of the connection: its user, group and process as the kernel reports them (unix(7), `SO_PEERCRED`), and
    /// its roles.
    public enum PeerInfo: ResultObject {
        public static var typeName: String { "HelloYou" }

        public static let uid = Member<Int64>("uid")
        public static let gid = Member<Int64>("gid")
        public static let pid = Member<Int64>("pid")
        public static let unit = Member<String?>("unit", "The systemd unit.")
        public static let roles = Member<[String]>("roles")
        public static let purpose = Member<String>.optional("purpose", "The purpose that the connection has told.")

        public static var memberList: [MemberDescription] {
            describe(.all, uid, gid, pid, unit) + describe(.rows, roles) + describe(.all, purpose)
        }
    }
}

extension MethodDescription {
    static let hello = MethodDescription(
        .hello, "hello", summary: "Tells who serves, what it can do and what you may do. Optional.",
        polish: "Mówi, kto obsługuje, co potrafi i co Tobie wolno. Opcjonalne.",
        parameters: HelloParameters.self, result: HelloResult.self,
        example: { parameters in
            parameters.client = "example/1.0"
            parameters.versions = VersionRange(1...1)
        })
}
