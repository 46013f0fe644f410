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
        do throws(RequestError) {
            let result = try result(of: definition, file, credentials)
            return ProgramOutput.printAll(result + [UInt8(ascii: "\n")])
                ? DaemonExitCode.stopped : DaemonExitCode.failed
        } catch {
            ProgramOutput.complain(error.text.text(options.language))
            return DaemonExitCode.usage
        }
    }

    private func result(
        of bytes: [UInt8], _ file: String, _ credentials: [String: [UInt8]]
    ) throws(RequestError) -> [UInt8] {
        let stem = Paths.name(file).prefix { $0 != "." }
        let name = ReservedNames.isName(String(stem)) ? String(stem) : FieldName.of(String(stem)) ?? "definition"
        let configuration = ConfigurationReader.read(bytes, of: name, path: file)
        var problems = configuration.problems.map { $0.moved(to: file) }
        guard problems.isEmpty, let definition = configuration.definition(named: name) else {
            return TrialText.text(problems, language: options.language)
        }
        problems = definition.grantProblems(file)
        guard problems.isEmpty else { return TrialText.text(problems, language: options.language) }
        try definition.checkTrial(site: options.site, isIncremental: false)
        let site = options.site ?? definition.firstSite
        let trace = RequestTrace()
        let access = UpstreamAccess(credentials: CredentialReader(given: credentials)).traced(by: trace)
        let fetcher = SourceFetcher(spoolDirectory: Environment.nonempty("TMPDIR") ?? "/tmp", access: access)
        let run = TrialRun(
            definition, site: site, settings: Settings(), fetcher: fetcher, trace: trace)
        guard let report = run.report(comparedWith: nil, cancellation: HTTPCancellation()) else {
            return TrialText.text(TrialReport(.failed), language: options.language)
        }
        return TrialText.text(report, language: options.language)
    }

    /// The maximum size of a definition, in bytes.
    private static let maxFileSize = 4 << 20
}

extension ConfigurationProblem {
    /// The same problem in another file.
    fileprivate func moved(to file: String) -> ConfigurationProblem {
        ConfigurationProblem(
            location: ConfigurationLocation(file: file, line: line, column: column, keyPath: keyPath),
            message: message, collection: collection)
    }
}

extension Definition {
    /// The grants that only the daemon may use, because they replace the credential that they use up.
    fileprivate func grantProblems(_ file: String) -> [ConfigurationProblem] {
        var requests: [(path: String, request: ReadRequest?)] = [
            ("source", source.request), ("source.join", source.join?.request),
        ]
        for site in source.sites?.sites ?? [] { requests.append(("source.sites.each.\(site.name)", site.request)) }
        return requests.compactMap { path, request -> ConfigurationProblem? in
            guard case .oauth2(let token) = request?.auth, token.refresh != nil else { return nil }
            return ConfigurationProblem(
                location: ConfigurationLocation(file: file, keyPath: "\(path).auth.oauth2.refresh"),
                message: "only the daemon uses refresh tokens, which are replaced when they are used; "
                    + "install the file and run claimsctl try \(name)",
                collection: name)
        }
    }
}
