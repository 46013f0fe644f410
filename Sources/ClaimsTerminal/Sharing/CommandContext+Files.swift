// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension CommandContext {
    /// Fetches a file in parts, and hands each of them on. What comes is never more than the told size.
    ///
    /// - Throws: what `take` throws; a failure where the daemon answers another number of bytes than it has told, or
    ///   other bytes than those of the told hash. The caller then drops what it has been handed.
    func fetch(
        _ file: RecordFile, of reference: RecordReference, _ take: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        var parameters = FetchAttachmentParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        parameters.sha256 = file.sha256
        var content = FetchedContent(of: file)
        while true {
            let answer = try call(.fetchAttachment, parameters)
            let bytes: [UInt8]
            do throws(FetchMistake) { bytes = try content.take(answer) } catch {
                throw .client(.malformed(error.text))
            }
            try take(bytes)
            if content.isWhole { return }
            parameters.offset = content.count
        }
    }
}

extension CommandContext {
    /// Fetches a file into a new one that only this user can read. A part of it is not left behind.
    func save(_ file: RecordFile, of reference: RecordReference, to path: String) throws(CommandError) {
        let copy = try saving { () throws(SystemError) in try FileDescriptor.open(path, .create(permissions: 0o600)) }
        var line = ProgressLine(self)
        var count: Int64 = 0
        defer { line.clear() }
        do throws(CommandError) {
            try fetch(file, of: reference) { bytes throws(CommandError) in
                try saving { () throws(SystemError) in try copy.write(bytes) }
                count += Int64(bytes.count)
                line.show(messages.fetching(file.name, count, of: file.size))
            }
        } catch {
            Files.remove(path)
            throw error
        }
    }

    /// Does what writes a file; its error becomes the command's.
    func saving<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(CommandError) -> Value {
        do throws(SystemError) { return try body() } catch {
            throw .failed(.failure, kind: "output", message: error.text)
        }
    }
}
