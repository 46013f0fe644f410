// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `attach`: the first part of a file, or a further part of an upload.
///
/// The first request has ``collection``, ``name`` and ``size``. Those after it have ``upload`` and ``offset``.
public struct AttachParameters: MethodParameters, Equatable {
    /// The name of the collection whose record is to have the file, or its singular.
    public var collection: String?
    /// The name of the file.
    public var name: String?
    /// The size of the whole file, in bytes.
    public var size: Int64?
    /// The upload that the part belongs to, as the first answer has named it.
    public var upload: String?
    /// The offset of the part in the file, in bytes: as many as were received so far.
    public var offset: Int64?
    /// The bytes of the part.
    public var data = Base64Data([])
    /// The language of messages, such as `pl`.
    public var language: String?

    public static var collection: Parameter<String> {
        Parameter("collection", "First: the name of the collection, or its singular.")
    }
    public static var name: Parameter<String> { Parameter("name", "First: the name of the file.") }
    public static var size: Parameter<Int64> {
        Parameter("size", "First: the size of the file, in bytes.", range: .fixed(0 ... .max))
    }
    public static var upload: Parameter<String> { Parameter("upload", "Then: the upload that was answered.") }
    public static var offset: Parameter<Int64> {
        Parameter("offset", "Then: how many bytes came before.", range: .fixed(0 ... .max))
    }
    public static var data: Parameter<Base64Data> { Parameter("data", "Bytes of the file, in Base64.") }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.optional(Self.collection, &collection)
        try visitor.optional(Self.name, &name)
        try visitor.optional(Self.size, &size)
        try visitor.optional(Self.upload, &upload)
        try visitor.optional(Self.offset, &offset)
        try visitor.required(Self.data, &data)
    }
}

/// The result of `attach`: the progress of the upload.
public enum AttachResult: ResultObject {
    public static let upload = Member<String>("upload", "The upload, for further parts and for submit.")
    public static let received = Member<Int64>("received", "How many bytes were received.")
    public static let type = Member<String>.optional("type", "With the last byte: the type that the first bytes tell.")
    public static let sha256 = Member<String>.optional("sha256", "With the last byte: the SHA-256, in hexadecimal.")

    public static var memberList: [MemberDescription] { describe(.all, upload, received, type, sha256) }
}

extension MethodDescription {
    static let attach = MethodDescription(
        .attach, "attach", summary: "Takes a file, in parts, for an operation that is submitted next.",
        polish: "Przyjmuje plik, w częściach, dla operacji, która zostanie zlecona.", role: .write,
        hasEffect: true, parameters: AttachParameters.self, result: AttachResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.name = "scan.pdf"
            parameters.size = 9
            parameters.data = Base64Data(Array("%PDF-1.7\n".utf8))
        })
}
