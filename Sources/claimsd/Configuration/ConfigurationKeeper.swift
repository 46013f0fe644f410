// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsServer
import ClaimsStore
import ClaimsUpstream

/// Keeps the configuration in force: reads the files at start and at each reload, stores what came into force in
/// state.db, and logs mistakes.
///
/// It belongs to the thread of the control loop.
final class ConfigurationKeeper {
    let folders: Folders
    private let store: StateStore
    private let journal: Journal
    private(set) var current: ConfigurationInForce
    /// The problems of `current`, for clients.
    let problems: CurrentProblems
    /// The mistakes that are in the journal.
    private var logged: [ConfigurationProblem] = []
    /// Whether state.db has the texts of `current`.
    private(set) var isKept = false
    private var hasFailedToKeep = false
    /// The configuration that the last reload could not put into force as a whole, for a reason that may pass.
    private var unfinished: ConfigurationInForce?
    /// The numbers of the users and groups that rules of access name.
    private var numbers: AccountNumbers
    /// The names that the machine's own files do not have, and that a name service may know.
    private(set) var foreignNames: RoleSettings.Members
    /// Whether ``finish(_:)`` has something to do.
    var isUnfinished: Bool { unfinished != nil }

    /// Reads the configuration that was in force, and the files, and decides.
    init(_ folders: Folders, _ store: StateStore, _ journal: Journal) throws(StoreError) {
        self.folders = folders
        self.store = store
        self.journal = journal
        let decided = Self.decide(
            folders, before: try store.database.textsInForce(), maxBundle: ConfigurationReader.maxBundleAtStart)
        var numbers = AccountNumbers()
        foreignNames = numbers.readFiles(for: decided.accessMembers)
        self.numbers = numbers
        current = decided.resolved(by: numbers, CredentialReader(folders))
        problems = CurrentProblems(current.problems)
    }

    private static func decide(
        _ folders: Folders, before: [TextInForce], maxBundle: Int
    ) -> ConfigurationInForce {
        ConfigurationInForce(
            ConfigurationReader.read(folders, maxBundle: maxBundle), before: before, host: HostName.current,
            isFilter: { ConfigurationReader.mistake(in: $0, of: $1) == nil },
            isRuleFilter: { ConfigurationReader.mistake(inRule: $0, of: $1) == nil })
    }

    /// Throws if no collection has a definition to start with, after logging the mistakes.
    func requireDefinition() throws(StartFailure) {
        guard current.definitions.isEmpty else { return }
        logChanges()
        throw StartFailure(noDefinitionIn: folders)
    }

    /// Records that the configuration in force is being served.
    func begin() {
        logChanges()
        keep()
    }

    /// Puts the good parts of the files into force. The rest stays as it is.
    ///
    /// - Parameter obeyRules: called when the settings and the rules of access are in force, before files are built.
    func reload(_ opener: CollectionOpener, obeyRules: () -> Void) {
        let decided = Self.decide(folders, before: current.texts, maxBundle: .max)
        foreignNames = numbers.readFiles(for: decided.accessMembers)
        let next = decided.resolved(by: numbers, CredentialReader(folders))
        let before = current.definitions
        current = current.takingRules(of: next)
        for (old, new) in zip(before, current.definitions) where old.access != new.access {
            guard let next = next.definitions.first(where: { $0.name == new.name }) else { continue }
            opener.redefine(new.name) { $0.withRules(of: next) }
        }
        obeyRules()
        adopt(next, opener)
    }

    /// The names in rules of access that have no number, and so match no user.
    var unknownNames: RoleSettings.Members { numbers.unknown(among: foreignNames) }

    /// Puts numbers that a name service has found into force.
    func adopt(_ found: AccountNumbers, _ opener: CollectionOpener) {
        guard numbers.adopt(found) else { return }
        let credentials = CredentialReader(folders)
        current = current.resolved(by: numbers, credentials)
        unfinished = unfinished?.resolved(by: numbers, credentials)
        for definition in current.definitions where definition.access != nil {
            opener.redefine(definition.name) { $0.with(definition.access) }
        }
    }

    /// Tries again to put into force what the last reload could not, with the files as they were then.
    ///
    /// - Returns: whether anything has come into force.
    func finish(_ opener: CollectionOpener) -> Bool {
        guard let unfinished else { return false }
        let before = current.problems
        adopt(unfinished, opener)
        return current.problems != before
    }

    private func adopt(_ next: ConfigurationInForce, _ opener: CollectionOpener) {
        problems.forgetBundles()
        let failures = opener.reload(next.definitions, sparing: next.spared)
        unfinished = failures.values.contains(where: \.mayPass) ? next : nil
        let settled = next.keeping(
            current, after: failures.mapValues { $0.message + ($0.mayPass ? "; it is tried again by itself" : "") })
        for name in failures.keys.sorted() {
            guard let definition = settled.definitions.first(where: { $0.name == name }) else { continue }
            opener.redefine(name) { _ in definition }
        }
        current = settled
        problems.set(settled.problems)
        isKept = false
        keep()
    }

    /// Logs the end of a reload, once all parts of the daemon obey it.
    func logReload() {
        logChanges()
        journal.logReload(problems: current.problems.count { !$0.isWarning })
    }

    /// Writes the configuration in force to state.db, unless it is there. After an error the next call tries again.
    func keep() {
        guard !isKept else { return }
        do throws(StoreError) {
            try store.database.keep(current.texts)
            isKept = true
            journal.logKept()
            if hasFailedToKeep { problems.set(current.problems) }
            hasFailedToKeep = false
        } catch {
            if !hasFailedToKeep { journal.logNotKept(error) }
            problems.set(current.problems + [unkept(error)])
            hasFailedToKeep = true
        }
    }

    /// The warning that the configuration in force would not survive a restart with mistakes in the files.
    private func unkept(_ error: StoreError) -> ConfigurationProblem {
        ConfigurationProblem(
            location: ConfigurationLocation(file: Paths.join(folders.state, StateDatabase.fileName)),
            message: "what is in force could not be stored: \(error.message); it is tried again by itself",
            isWarning: true)
    }

    private func logChanges() {
        for problem in current.problems where !logged.contains(where: { $0.isSame(as: problem) }) {
            journal.log(problem)
        }
        for problem in logged where !current.problems.contains(where: { $0.isSame(as: problem) }) {
            journal.logMended(problem)
        }
        logged = current.problems
    }
}

extension ConfigurationInForce {
    /// The users and groups that rules of access name.
    fileprivate var accessMembers: RoleSettings.Members {
        var all = RoleSettings.Members()
        for members in definitions.compactMap(\.access?.members) {
            all.users += members.users
            all.groups += members.groups
        }
        return all
    }

    /// The same decision with the numbers of the users and groups that rules of access name, and the keys of hashes.
    fileprivate func resolved(by numbers: AccountNumbers, _ credentials: CredentialReader) -> ConfigurationInForce {
        resolvingNames(
            user: numbers.user, group: numbers.group,
            key: { name in
                // A hash without its key is hidden; --check-config warns of that.
                guard let key = try? credentials.bytes(name), !key.isEmpty else { return nil }
                return key
            })
    }

    /// The collections that keep their data although no definition of them is in force.
    var spared: SparedCollections {
        isEveryFolderRead ? .named(leftOut) : .allBut(removed)
    }
}

extension ConfigurationProblem {
    /// Whether two problems are one, although lines above it may have been added or removed.
    fileprivate func isSame(as other: ConfigurationProblem) -> Bool {
        file == other.file && keyPath == other.keyPath && message == other.message && collection == other.collection
    }
}
