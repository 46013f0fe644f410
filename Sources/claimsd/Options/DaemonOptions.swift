// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The command line of the daemon.
struct DaemonOptions: Equatable {
    /// The task that the command line asks for.
    enum Task: Equatable {
        case serve
        case checkConfiguration
        case showVersion
        case showStateVersion
        case showHelp
        /// Drafts a definition from a file, a URL or, with `-`, standard input.
        case define(String)
        /// Tries the definition in a file.
        case tryDefinition(String)
    }

    var task: Task = .serve
    var configurationDirectory: String?
    var dataDirectory: String?
    var cacheDirectory: String?
    var stateDirectory: String?
    var socket: String?
    /// The name of the collection that is drafted (`--name`); nil for a name from the document.
    var name: String?
    /// The pointer to the records that are learned from (`--root`); nil for the largest array.
    var root: String?
    /// The language of errors (`--lang`).
    var language = "en"
    /// The site that is tried (`--site`).
    var site: String?
    /// The files of credentials, by name (`--credential`).
    var credentials: [CredentialFile] = []

    /// A credential, and the file that has it.
    struct CredentialFile: Equatable {
        let name: String
        let path: String
    }

    /// A command line that the daemon cannot follow, with the reason as one sentence.
    struct UsageError: Error, Equatable {
        let message: String
    }

    /// Parses the arguments after the program's name. A value comes after `=` or is the next argument.
    ///
    /// - Throws: a `UsageError` for an unknown argument, or a value that is missing or not expected.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var given: [String] = []
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let attached = parts.count > 1 ? String(parts[1]) : nil
            switch name {
            case "--check-config", "--version", "--state-version", "--help", "-h":
                guard attached == nil else { throw UsageError(message: "\(name) takes no value") }
                task =
                    switch name {
                    case "--check-config": .checkConfiguration
                    case "--version": .showVersion
                    case "--state-version": .showStateVersion
                    default: .showHelp
                    }
            case "--config-dir": configurationDirectory = try Self.value(name, attached, &rest)
            case "--data-dir": dataDirectory = try Self.value(name, attached, &rest)
            case "--cache-dir": cacheDirectory = try Self.value(name, attached, &rest)
            case "--state-dir": stateDirectory = try Self.value(name, attached, &rest)
            case "--socket": socket = try Self.value(name, attached, &rest)
            case "--define": task = .define(try Self.value(name, attached, &rest))
            case "--try": task = .tryDefinition(try Self.value(name, attached, &rest))
            case "--name": self.name = try Self.value(name, attached, &rest)
            // The pointer to the whole document is empty.
            case "--root": root = if let attached { attached } else { try Self.value(name, attached, &rest) }
            case "--lang": language = try Self.value(name, attached, &rest)
            case "--site": site = try Self.value(name, attached, &rest)
            case "--credential": credentials.append(try Self.credential(Self.value(name, attached, &rest)))
            default: throw UsageError(message: "unknown argument '\(argument)'; see claimsd --help")
            }
            given.append(name)
        }
        try refuseOptions(of: given)
    }

    /// Refuses an option that the task does not read.
    private func refuseOptions(of given: [String]) throws(UsageError) {
        for (option, tasks) in Self.optionsOfTasks {
            guard given.contains(option), !tasks.contains(where: given.contains) else { continue }
            throw UsageError(message: "\(option) belongs to \(tasks.joined(separator: " and "))")
        }
    }

    /// The options that only some tasks read, with the options that ask for these tasks.
    private static let optionsOfTasks: [(option: String, tasks: [String])] = [
        ("--name", ["--define"]), ("--root", ["--define"]), ("--site", ["--try"]), ("--credential", ["--try"]),
        ("--lang", ["--define", "--try"]),
    ]

    private static func value(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "\(name) needs a value")
        }
        return value
    }

    private static func credential(_ text: String) throws(UsageError) -> CredentialFile {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text.index(after: equals) < text.endIndex
        else { throw UsageError(message: "--credential needs NAME=PATH") }
        return CredentialFile(name: String(text[..<equals]), path: String(text[text.index(after: equals)...]))
    }

    static let help = """
        claimsd keeps collections of remote records and answers queries about them on a Unix socket.

        usage: claimsd [--config-dir DIR] [--data-dir DIR] [--cache-dir DIR] [--state-dir DIR] [--socket PATH]
               claimsd --check-config [--config-dir DIR] [--data-dir DIR]
               claimsd --define FILE|URL|- [--name NAME] [--root POINTER] [--lang LANG]
               claimsd --try FILE [--site SITE] [--credential NAME=PATH]... [--lang LANG]
               claimsd --version | --state-version

          --config-dir DIR  the site's settings and definitions (/etc/claimsd)
          --data-dir DIR    the vendor's definitions and bundles (/usr/share/claimsd)
          --cache-dir DIR   snapshots, which are rebuilt when they are gone (/var/cache/claimsd)
          --state-dir DIR   the state database (/var/lib/claimsd)
          --socket PATH     where to listen (/run/claimsd/claimsd.sock)
          --check-config    check settings and definitions; 78 and every problem where there are any
          --define FILE     draft a definition from an answer in a file, at an address or on standard input
          --try FILE        fetch what the definition in a file asks for, and tell what came; nothing is kept
          --name NAME       with --define: the name of the collection
          --root POINTER    with --define: where the array of records is
          --site SITE       with --try: the site to ask
          --credential NAME=PATH
                            with --try: the file of a credential; may be repeated
          --lang LANG       the language of messages of --define and --try
          --version         tell the version
          --state-version   tell the newest version of the state database that this program knows
          -h, --help        tell the options

        SIGHUP reloads the configuration, SIGTERM stops.
        """
}
