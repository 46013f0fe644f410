// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The folders of triggers: their files, their reported states, and their status.
struct TriggerFolders {
    /// The folder of the site's files.
    let configuration: String
    /// The folder of the shipped files.
    let data: String
    private let states: String
    private let runs: String

    /// Chooses each folder from the command line, or from the variables that claimsd reads, or from the package's
    /// defaults. Triggers belong to the machine, whoever the user is: no user has folders of his own.
    init(_ options: ActingOptions, environment: (String) -> String?) {
        let given = environment("CONFIGURATION_DIRECTORY")?.split(separator: ":").first.map(String.init)
        configuration = options.configDirectory ?? given ?? "/etc/claimsd"
        data = options.dataDirectory ?? environment("CLAIMSD_DATA_DIR") ?? "/usr/share/claimsd"
        states = options.stateDirectory ?? "/var/lib/claimsd-trigger"
        runs = options.runDirectory ?? "/run/claimsd-trigger"
    }

    /// The folder of a trigger's reported state.
    func state(of trigger: String) -> String { Paths.join(states, trigger) }
    /// The folder of a trigger's status.
    func run(of trigger: String) -> String { Paths.join(runs, trigger) }
    /// The path of the site's file of a trigger.
    func file(of trigger: String) -> String {
        Paths.join(configuration, "\(Configuration.triggerFolder)/\(trigger).json5")
    }
}

/// The files of triggers, read and checked.
struct TriggerFiles {
    /// The triggers by name, including triggers with problems.
    let all: [(name: String, file: MergedFile<TriggerDefinition>)]
    /// The problems of the folders.
    let problems: [ConfigurationProblem]

    /// The maximum size of a file, in bytes.
    private static let maxSize = 1 << 20

    init(_ folders: TriggerFolders) {
        let files = ConfigurationFiles(read: { Self.content(of: $0) }, list: { Self.listing(of: $0) })
        let (read, problems) = Configuration.loadTriggers(
            configDirectory: folders.configuration, dataDirectory: folders.data, files: files)
        all = read.map { (name: $0.name, file: Self.checked($0.file)) }
        self.problems = problems
    }

    /// The file with the problem of a time zone that this machine does not have, which the daemon would refuse.
    private static func checked(_ file: MergedFile<TriggerDefinition>) -> MergedFile<TriggerDefinition> {
        guard let zone = file.value?.timeZone else { return file }
        var file = file
        do throws(TimeZoneError) { _ = try TimeZoneRules.load(zone) } catch {
            file.reject(
                ConfigurationProblem(
                    location: file.location(of: "time_zone"),
                    message: "unknown time zone '\(zone)'; expected an IANA name, such as \"Europe/Warsaw\""))
        }
        return file
    }

    /// The file of a trigger; nil if no folder has one.
    func file(of trigger: String) -> MergedFile<TriggerDefinition>? { all.first { $0.name == trigger }?.file }

    private static func content(of path: String) -> ConfigurationFiles.Content {
        // Opening a named pipe would wait for its other end.
        if Files.exists(path), !Files.isRegular(path) { return .unreadable("it is no file") }
        do throws(SystemError) {
            return .bytes(try Files.readAll(path, cap: maxSize))
        } catch {
            guard error.isNotFound else { return .unreadable(error.reason) }
            return Files.readLink(path) == nil ? .missing : .unreadable("the link leads nowhere")
        }
    }

    private static func listing(of path: String) -> ConfigurationFolder.Listing {
        do throws(SystemError) {
            return .names(try Directory.list(path))
        } catch {
            return error.isNotFound && Files.readLink(path) == nil ? .missing : .unreadable(error.reason)
        }
    }
}

extension CommandError {
    /// The error of a command about a call on a trigger's files that failed; a lock that is held is a conflict.
    static func state(_ error: SystemError) -> CommandError {
        if error.errno == EWOULDBLOCK { return .failed(.conflict, kind: "conflict", message: error.text) }
        return .failed(error.isForbidden ? .forbidden : .failure, kind: "state", message: error.text)
    }
}
