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
/// The file and the credentials are read first; then root's rights are given up, and the upstream is asked. The result
/// is the result of the method `try`, as one line of JSON.
struct TryTask {
    private let options: DaemonOptions

    init(_ options: DaemonOptions) { self.options = options }

    /// Writes the result to standard output.
    ///
    /// - Returns: the exit code: 0 if there is a result, whatever it is.
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
        let name = FieldName.collection(definedIn: file)
        let configuration = ConfigurationReader.read(definition, of: name, path: file)
        if let warning = warning(configuration.definition(named: name), file) {
            ProgramOutput.complain("warning: \(warning.text(options.language))")
        }
        do throws(TrialRefusal) {
            let result = try FileTrial(name, in: configuration, file: file).result(
                site: options.site, credentials: credentials, spoolDirectory: Environment.nonempty("TMPDIR") ?? "/tmp"
            ) { [language = options.language] wait in
                ProgramOutput.complain(wait.text(until: LocalTimeZone.rules().civil(wait.until).clock).text(language))
            }
            let text = TrialText.text(result, language: options.language)
            return ProgramOutput.printAll(text + [UInt8(ascii: "\n")]) ? DaemonExitCode.stopped : DaemonExitCode.failed
        } catch {
            ProgramOutput.complain(RequestError(error).text.text(options.language))
            return DaemonExitCode.usage
        }
    }

    /// A warning that a given credential is not in the definition; nil if each is.
    private func warning(_ definition: Definition?, _ file: String) -> TranslatedText? {
        guard let definition else { return nil }
        let names = definition.credentials.map(\.name)
        guard let other = options.credentials.first(where: { !names.contains($0.name) }) else { return nil }
        let list = Set(names).sorted().joined(separator: ", ")
        return TranslatedText(
            en: "\(file) does not name the credential '\(other.name)'; it names \(names.isEmpty ? "none" : list)",
            pl: "\(file) nie wskazuje danych „\(other.name)”; wskazuje \(names.isEmpty ? "żadnych" : list)")
    }

    /// The maximum size of a definition, in bytes.
    private static let maxFileSize = 4 << 20
}

extension CivilTime {
    /// The time of day with its seconds, `08:01:22`.
    fileprivate var clock: String {
        [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
