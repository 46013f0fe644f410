// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A definition that may come into force: the definition of the files, the one before it, or none.
struct DefinitionCandidate {
    private enum Choice {
        case new(Definition)
        case previous(Definition)
        case none
    }

    private let file: MergedFile<Definition>?
    private let before: TextInForce?
    private let previous: Definition?
    /// The problem that something is left out of the definition before.
    private let omission: ConfigurationProblem?
    private var choice: Choice

    /// Chooses the definition of the files if it is sound and the files are known to be complete; otherwise the one
    /// before.
    ///
    /// If only the rules of `access` are wrong and there are no good ones before, it is also chosen, and no user sees
    /// the collection.
    init(
        file: MergedFile<Definition>?, before: TextInForce?, isFileTrusted: Bool,
        _ isFilter: @escaping Definition.FilterCheck, isRuleFilter: Definition.FilterCheck
    ) {
        self.file = file
        self.before = before
        let read = before?.definition(isFilter)
        previous = read?.definition.closed(unless: isRuleFilter)
        omission = read?.omission
        let hasRules = previous?.access.map { $0.rules != nil && !$0.isMistaken } ?? false
        let usable = file.flatMap { $0.isSound || !hasRules ? $0.usable : nil }
        if let usable, isFileTrusted || previous == nil {
            choice = .new(usable)
        } else {
            choice = previous.map { .previous($0) } ?? .none
        }
        // The text before may have rules that this version does not understand.
        if case .new(let definition) = choice, before != nil, previous == nil, !isFileTrusted {
            choice = .new(definition.with(.mistaken))
        }
    }

    var definition: Definition? {
        switch choice {
        case .new(let definition): definition
        case .previous(let definition): (isClosing(definition) ? definition.with(.mistaken) : definition).asPrevious
        case .none: nil
        }
    }

    /// Whether no user may see the collection of the definition before: it has no rules of `access`, and the new ones
    /// have a mistake.
    private func isClosing(_ previous: Definition) -> Bool {
        file?.hasMistakeInAccess == true && previous.access?.rules == nil
    }

    /// The text to keep. The text of a definition that this version does not understand stays for a version that does.
    var text: TextInForce? {
        switch choice {
        case .new: file?.textInForce
        // A closed collection stays closed, whatever happens to the files.
        case .previous(let definition) where isClosing(definition): before?.closed
        case .previous, .none: before
        }
    }

    /// The problem that something is left out of the definition.
    var problem: ConfigurationProblem? {
        if case .previous = choice { omission } else { nil }
    }

    /// Whether the singular is the one that the collection had before.
    var keepsSingular: Bool { definition.map { $0.singular == previous?.singular } ?? false }

    var isVendors: Bool {
        (file?.origins ?? before?.origins ?? []).contains { $0.layer == .vendor }
    }

    /// The location of the singular in the files.
    var singularLocation: ConfigurationLocation {
        if let file { return file.location(of: "singular") }
        return ConfigurationLocation(file: before?.origins.last?.path ?? "", keyPath: "singular")
    }

    /// Gives the definition up for the one before it, or for none.
    mutating func stepBack() {
        if case .new = choice, let previous { choice = .previous(previous) } else { choice = .none }
    }
}

extension Definition {
    /// The same definition, which no user sees if a filter of its rules is invalid.
    fileprivate func closed(unless isRuleFilter: FilterCheck) -> Definition {
        let filters = (access?.rules ?? []).flatMap(\.filters)
        return filters.allSatisfy { isRuleFilter($0.text, self) } ? self : with(.mistaken)
    }
}

/// Decides between collections that claim one singular.
enum SingularRivals {
    /// Makes all but one of the collections with the same singular step back, until all singulars differ.
    ///
    /// The collection that has it in force keeps it, otherwise the vendor's, otherwise the first by name.
    ///
    /// - Parameter candidates: ordered by name.
    /// - Returns: a problem for each collection that had to step back.
    static func settle(_ candidates: inout [DefinitionCandidate]) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        // Each round has one candidate step back, which it can do twice.
        while let (loser, holder) = rivals(in: candidates) {
            if let definition = candidates[loser].definition, let name = candidates[holder].definition?.name {
                let problem = ConfigurationProblem(
                    location: candidates[loser].singularLocation,
                    message: "'\(definition.singular)' is the singular of '\(name)' already; expected another word",
                    collection: definition.name, rival: name)
                if !problems.contains(problem) { problems.append(problem) }
            }
            candidates[loser].stepBack()
        }
        return problems
    }

    /// The first candidate by name whose singular another one has with more right, and that one.
    private static func rivals(in candidates: [DefinitionCandidate]) -> (loser: Int, holder: Int)? {
        var holders: [String: Int] = [:]
        for (index, candidate) in candidates.enumerated() {
            guard let singular = candidate.definition?.singular else { continue }
            if let holder = holders[singular], rank(candidates[holder]) <= rank(candidate) { continue }
            holders[singular] = index
        }
        for (index, candidate) in candidates.enumerated() {
            guard let singular = candidate.definition?.singular, let holder = holders[singular] else { continue }
            if holder != index { return (index, holder) }
        }
        return nil
    }

    private static func rank(_ candidate: DefinitionCandidate) -> Int {
        candidate.keepsSingular ? 0 : candidate.isVendors ? 1 : 2
    }
}
