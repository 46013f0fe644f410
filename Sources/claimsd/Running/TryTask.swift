// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsServer
import ClaimsUpstream

/// The trial of a definition in a file by `--try`: with the rights of the caller, without state and without the daemon.
///
/// The file and the credentials are read first; then root's rights are given up, and the upstream is asked. The result is
/// that of the method `try`, as one line of JSON.
struct TryTask {
    private let options: DaemonOptions

    init(_ options: DaemonOptions) { self.options = options }

    /// Writes the result to standard output.
    ///
    /// - Returns: the exit code: 0 whatever came of the trial, if there is a result.
    func run(_ file: String) -> Int32 {
        let definition: [UInt8]
        var credentials: [String: [UInt8]] = [:]
        do throws(SystemError) {
            definition = try Files.readAll(file, cap: Self.maxFileSize)
            for file in options.credentials {
                credentials[file.name] = try Files.readAll(file.path, cap: CredentialReader.maxSize)
            }
            try ProcessUser.becomeNobody()
        } catch {
            ProgramOutput.complain(error.readingText.text(options.language))
            return DaemonExitCode.failed
        }
        do throws(TrialRefusal) {
            let result = try result(of: definition, file, credentials)
            let text = TrialText.text(result, language: options.language)
            return ProgramOutput.printAll(text + [UInt8(ascii: "\n")]) ? DaemonExitCode.stopped : DaemonExitCode.failed
        } catch {
            ProgramOutput.complain(RequestError(error).text.text(options.language))
            return DaemonExitCode.usage
        }
    }

    private func result(
        of bytes: [UInt8], _ file: String, _ credentials: [String: [UInt8]]
    ) throws(TrialRefusal) -> TrialResult {
        let name = FieldName.collection(definedIn: file)
        let configuration = ConfigurationReader.read(bytes, of: name, path: file)
        return try FileTrial(name, in: configuration, file: file).result(
            site: options.site, credentials: credentials, spoolDirectory: Environment.nonempty("TMPDIR") ?? "/tmp")
    }

    /// The maximum size of a definition, in bytes.
    private static let maxFileSize = 4 << 20
}
