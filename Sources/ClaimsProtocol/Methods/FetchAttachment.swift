// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The parameters of `fetch_attachment`: a file of a record, and a range of its bytes.
public struct FetchAttachmentParameters: MethodParameters, Equatable {
    /// The name of the collection, or its singular; required.
    public var collection = ""
    /// The id of the record; required.
    public var id: RecordID = ""
    /// The SHA-256 of the file, in hexadecimal; required.
    public var sha256 = ""
    /// The offset of the first byte that is answered.
    public var offset: Int64 = 0
    /// The maximum number of bytes that are answered, from 1 to ``maxLength``.
    public var length: Int64 = maxLength
    /// The language of messages, such as `pl`.
    public var language: String?

    /// The maximum number of bytes in one answer, in bytes: 512 KiB.
    public static let maxLength: Int64 = 512 << 10

    public static var sha256: Parameter<String> { Parameter("sha256", "The SHA-256 of the file, in hexadecimal.") }
    public static var offset: Parameter<Int64> {
        Parameter("offset", "The first byte that is answered.", range: .fixed(0 ... .max), default: 0)
    }
    public static var length: Parameter<Int64> {
        Parameter("length", "How many bytes are answered at most.", range: .fixed(1...maxLength), default: maxLength)
    }

    public init() {}

    public mutating func visit<Visitor: ParameterVisitor & ~Copyable & ~Escapable>(
        _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        try visitor.required(.collection, &collection)
        try visitor.required(DetailParameters.id, &id)
        try visitor.required(Self.sha256, &sha256)
        try visitor.defaulted(Self.offset, &offset)
        try visitor.defaulted(Self.length, &length)
    }
}

/// The result of `fetch_attachment`: a part of a file.
public enum FetchAttachmentResult: ResultObject {
    public static let data = Member<String>("data", "The bytes, in Base64.")
    public static let size = Member<Int64>("size", "The size of the whole file, in bytes.")
    public static let type = Member<String>("type", "The media type, such as image/jpeg.")
    public static let name = Member<String>("name", "The name of the file.")
    public static let isEnd = Member<Bool>("eof", "Whether the file ends with these bytes.")

    public static var memberList: [MemberDescription] { describe(.rows, data, size, type, name, isEnd) }
}

extension MethodDescription {
    static let fetchAttachment = MethodDescription(
        .fetchAttachment, "fetch_attachment", summary: "Answers a part of a file of a record.",
        polish: "Zwraca część pliku rekordu.",
        parameters: FetchAttachmentParameters.self, result: FetchAttachmentResult.self,
        example: { parameters in
            parameters.collection = placeholder
            parameters.id = "1"
            parameters.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        })
}
