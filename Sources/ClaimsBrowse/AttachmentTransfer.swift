// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import Glibc

/// A file on its way to or from the daemon, part by part: each is asked for after the answer to the one before, so
/// that no file is in memory as a whole, and keys are looked at in between.
protocol AttachmentTransfer: AnyObject {
    /// The first step.
    func begin() -> TransferStep
    /// The step after an answer.
    func handle(_ answer: AnswerValue) -> TransferStep
    /// The outcome of a transfer that cannot go on.
    func failure(_ reason: String) -> CommandOutcome
}

/// The number of a transfer in this run.
struct TransferNumber: Hashable {
    let value: Int
}

/// A step of a transfer.
enum TransferStep {
    /// The next part is asked for.
    case ask(Method, any MethodParameters)
    /// As ``ask(_:_:)``, and there is something to report.
    case report(CommandOutcome, Method, any MethodParameters)
    case finished(CommandOutcome)
    /// A copy is there, and can be opened.
    case fetched(OpenTarget, path: String)
    case failed(reason: String)
}

/// A file that a form sends.
final class UploadTransfer: AttachmentTransfer {
    /// The bytes of one part. As Base64 they fit a line of the protocol.
    private static let partBytes = 512 << 10

    private let number: SentFile.Number
    private let file: FileDescriptor
    private let name: String
    private let collection: String
    private let language: String?
    private let size: Int
    private var sent = 0

    /// Opens the file; `~/` stands for the home folder.
    ///
    /// - Throws: the error of a file that cannot be read; EISDIR or EINVAL for what is no regular file.
    init(
        _ number: SentFile.Number, path: String, collection: String, language: String?
    ) throws(SystemError) {
        let path = path.hasPrefix("~/") ? Paths.join(Environment["HOME"] ?? "/", String(path.dropFirst(2))) : path
        if Files.isDirectory(path) { throw SystemError("open \(path)", errno: EISDIR) }
        if Files.exists(path), !Files.isRegular(path) {
            throw SystemError("open \(path)", errno: EINVAL)
        }
        file = try FileDescriptor.open(path, .read)
        size = try file.size()
        self.number = number
        self.name = Paths.name(path)
        self.collection = collection
        self.language = language
    }

    func begin() -> TransferStep {
        var parameters = AttachParameters()
        parameters.collection = collection
        parameters.name = name
        parameters.size = Int64(size)
        return part(parameters)
    }

    func handle(_ answer: AnswerValue) -> TransferStep {
        guard sent < size else {
            return .finished(
                .uploaded(
                    number,
                    SentFile(
                        upload: answer[AttachResult.upload] ?? "", name: name, type: answer[AttachResult.type] ?? "",
                        size: Int64(size))))
        }
        var parameters = AttachParameters()
        parameters.upload = answer[AttachResult.upload]
        parameters.offset = Int64(sent)
        return part(parameters)
    }

    func failure(_ reason: String) -> CommandOutcome { .notUploaded(number, reason: reason) }

    private func part(_ parameters: AttachParameters) -> TransferStep {
        var parameters = parameters
        parameters.language = language
        do throws(SystemError) {
            let bytes = try file.read(Self.partBytes, at: sent)
            guard bytes.count == min(Self.partBytes, size - sent) else {
                return .failed(reason: Messages(language).fileChanged(name))
            }
            parameters.data = Base64Data(bytes)
            defer { sent += bytes.count }
            return .report(
                .uploading(number, sent: Int64(sent), size: Int64(size)), .attach, parameters)
        } catch {
            return .failed(reason: Messages(language).text(error.reasonText))
        }
    }
}

/// A file of a record that is fetched into a private copy, to be opened. It is opened only if it is what was announced.
final class FetchTransfer: AttachmentTransfer {
    private let target: OpenTarget
    private let copy: PrivateCopy
    private let file: FileDescriptor
    private var content: FetchedContent
    private var parameters = FetchAttachmentParameters()

    /// Makes the copy, which is empty at first.
    init(
        _ target: OpenTarget, of record: (collection: String, id: String), _ told: RecordFile, language: String?,
        environment: (String) -> String?
    ) throws(SystemError) {
        self.target = target
        content = FetchedContent(of: told)
        copy = try PrivateCopy(told, environment: environment)
        file = try copy.create()
        parameters.collection = record.collection
        parameters.id = RecordID(record.id)
        parameters.sha256 = told.sha256
        parameters.language = language
    }

    func begin() -> TransferStep { .ask(.fetchAttachment, parameters) }

    func handle(_ answer: AnswerValue) -> TransferStep {
        let bytes: [UInt8]
        do throws(FetchMistake) { bytes = try content.append(answer) } catch {
            return .failed(reason: Messages(parameters.language).text(error.text))
        }
        do throws(SystemError) {
            try file.write(bytes)
            if content.isWhole { return .fetched(target, path: try copy.finish()) }
        } catch {
            return .failed(reason: Messages(parameters.language).text(error.reasonText))
        }
        parameters.offset = content.count
        return .ask(.fetchAttachment, parameters)
    }

    func failure(_ reason: String) -> CommandOutcome { .notOpened(target, reason: reason) }
}
