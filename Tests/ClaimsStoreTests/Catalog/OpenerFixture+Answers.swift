// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// An answer that a test gives.
struct TestAnswer {
    var scope = AnswerScope.whole
    var pages: [String]
    var sentAt: Int64?
    /// The pages of a walk that was made before.
    var earlier: [String] = []

    static func whole(_ pages: String..., sentAt: Int64? = nil) -> Self { Self(pages: pages, sentAt: sentAt) }
    static func changes(_ pages: String..., sentAt: Int64? = nil) -> Self {
        Self(scope: AnswerScope(isIncremental: true), pages: pages, sentAt: sentAt)
    }
    static func site(_ name: String, _ pages: String..., isIncremental: Bool = false) -> Self {
        Self(scope: AnswerScope(site: name, isIncremental: isIncremental), pages: pages)
    }
}

/// The outcome of answers that were taken in.
struct TestTaken {
    var counts: [IntakeCounts] = []
    var extents: [AnswerExtent] = []
    var positions: [String?] = []
    var lacking: [Int] = []
    /// Whether they made a generation.
    var isNew = false
}

extension OpenerFixture {
    /// A definition that has sites, or marks of deleted records, or positions.
    static func sourceDefinition(
        sites: [String] = [], deleted: DeletionRule? = nil, position: FieldType? = nil, root: String = "",
        join: Bool = false
    ) throws -> Definition {
        var definition = try Self.definition(join: join)
        var fields = definition.fields
        var source = definition.source
        source.request.root = try JSONPointer(root)
        if !sites.isEmpty {
            fields.append(Field(name: "site", type: .text, from: []))
            source.sites = SiteList(
                field: fields.count - 1, sites: sites.map { Site($0, ReadRequest(url: "https://\($0).example/")) })
        }
        if let position {
            fields.append(Field(name: "stamp", type: position, from: [try JSONPointer("/stamp")]))
            source.since = IncrementalRules(
                to: .query("since"), position: .field(fields.count - 1, overlap: .span(.zero)))
        }
        source.deleted = deleted
        definition = Definition(name: "things", source: source, fields: fields, isArchivable: true)
        return definition
    }

    /// Takes in answers as one generation.
    ///
    /// - Parameters:
    ///   - isDropped: whether they are only read.
    ///   - amid: called once they are read, before anything is made of them.
    ///   - beforeCommit: called once their file is made, before they are committed.
    @discardableResult
    func take(
        _ answers: [TestAnswer], at now: Int64 = now, joined: JoinTable? = nil, trustsBytes: Bool = true,
        dropsOtherSources: Bool = false, ownDeletions: Set<String> = [], hasPages: Bool = false,
        isDropped: Bool = false, recordLimit: Int = .max, bounds: RecentBounds = .standard,
        amid: () throws -> Void = {}, beforeCommit: (() throws -> Void)? = nil
    ) throws -> TestTaken {
        guard let view else { throw TestFailure("there is no such collection") }
        let row = view.condition.row
        let base = row.hasData && !row.isBundle ? view.committed : nil
        var stage = try store.database.stage(row.number, at: now, historyBytes: 1 << 20)
        if let joined { try stage.keep(joined: joined.stored) }
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: view.definition.shapeHash)
        var plan = IntakePlan(
            definition: view.definition, joined: joined, base: base, isJoinChanged: joined != nil, now: now,
            recordLimit: recordLimit)
        plan.dropsOtherSources = dropsOtherSources
        plan.trustsBytes = trustsBytes
        plan.bounds = view.recentBounds(bounds)
        plan.pendingFiles = store.pendingFiles
        plan.hasPages = hasPages
        plan.ownDeletions = Set(ownDeletions.map { Array($0.utf8) })
        var intake = try RecordIntake(
            plan, root: view.definition.source.request.root, stage: stage, directory: opener.directory,
            identity: identity)
        var taken = TestTaken()
        do throws(IntakeError) {
            for answer in answers {
                try intake.begin(answer.scope, isSecondWalk: !answer.earlier.isEmpty)
                for page in answer.pages {
                    try intake.read(ArrayBody(Array(page.utf8)), sentAt: answer.sentAt)
                }
                if !answer.earlier.isEmpty { intake.beginEarlierWalk() }
                for page in answer.earlier { try intake.read(ArrayBody(Array(page.utf8)), sentAt: answer.sentAt) }
                try intake.end()
                taken.lacking.append(intake.lacking)
                taken.counts.append(intake.counts)
                taken.extents.append(intake.extent)
                taken.positions.append(intake.position)
            }
        } catch {
            intake.abandon()
            throw error
        }
        try amid()
        if isDropped {
            intake.abandon()
            return taken
        }
        taken.isNew = base == nil || !taken.counts.allSatisfy(\.isUnchanged)
        let sources = answers.map { answer in
            var source = view.condition.source(of: answer.scope.site)
            source.asOf = now
            if !answer.scope.isIncremental { source.full.asOf = now }
            return source
        }
        guard taken.isNew else {
            try store.confirm(intake, sources)
            return taken
        }
        guard let beforeCommit else {
            try store.commit(intake, sources)
            return taken
        }
        var finished = try intake.finish()
        try beforeCommit()
        try store.generations.commit(&finished.stage, GenerationCommit(finished.records, sources: sources))
        return taken
    }

    /// The quarantine in force: the bytes of each entry, with its site.
    func quarantine() throws -> [String] {
        try rows("SELECT coalesce(site || ' ', '') || bytes FROM quarantined ORDER BY number")
    }
}
