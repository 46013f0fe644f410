// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// The trial of a definition in a file: without state and without a daemon.
///
///     let trial = FileTrial("books", in: configuration, file: "books.json5")
///     print(try trial.result(site: nil, credentials: [:], spoolDirectory: "/tmp"))
public struct FileTrial: Sendable {
    private let name: String
    private let configuration: Configuration
    private let file: String

    /// - Parameters:
    ///   - name: the name of the collection.
    ///   - configuration: the file as it was read.
    ///   - file: the path that problems name.
    public init(_ name: String, in configuration: Configuration, file: String) {
        self.name = name
        self.configuration = configuration
        self.file = file
    }

    /// Asks the upstream, on the calling thread.
    ///
    /// - Parameters:
    ///   - site: the site to ask; nil for the first.
    ///   - credentials: the contents of credentials, by their names.
    ///   - spoolDirectory: the folder of the unnamed files that hold large bodies.
    ///   - onWait: called with the reason why a request waits.
    public func result(
        site: String?, credentials: [String: [UInt8]], spoolDirectory: String,
        onWait: @escaping @Sendable (HostWait) -> Void = { _ in }
    ) throws(TrialRefusal) -> TrialResult {
        let problems = configuration.problems.map { $0.moved(to: file) }
        guard problems.isEmpty, let definition = configuration.definition(named: name) else {
            return .invalid(problems)
        }
        guard definition.source.isConfigured else { return .invalid([.noSource(in: file, of: name)]) }
        let grants = definition.grantProblems(file)
        guard grants.isEmpty else { return .invalid(grants) }
        try definition.checkTrial(site: site, isIncremental: false)
        let trace = RequestTrace()
        let access = UpstreamAccess(credentials: CredentialReader(given: credentials)).traced(by: trace)
        var run = TrialRun(
            definition, site: site ?? definition.firstSite, settings: Settings(),
            fetcher: SourceFetcher(spoolDirectory: spoolDirectory, access: access), trace: trace)
        run.meter = RefreshMeter { progress in progress.wait.map(onWait) }
        return .made(run.report(comparedWith: nil, cancellation: HTTPCancellation()) ?? TrialReport(.failed))
    }
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
