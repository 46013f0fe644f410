// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore

@testable import ClaimsFleet

/// The records of a source: the version of each, by its id. That of id 0 is the number of the upstream's generation.
typealias SimulatedRecords = [Int: Int]

/// The files of a leader that a web server has. A frozen address has a copy of them.
struct SimulatedFolder {
    var head: (issuer: Issuer, entry: HeadEntry)?
    /// By the names of their files.
    var manifests: [String: FleetManifest] = [:]
    /// The contents of files, by their names.
    var files: [String: [UInt8]] = [:]

    func has(_ file: FileReference) -> Bool { files[file.sha256] != nil }
}

/// The disk of a host. A backup has a copy of it.
struct SimulatedDisk {
    /// The last publication, and the records that were published.
    struct Published {
        var state: String
        var records: SimulatedRecords
        /// nil once the files are deleted.
        var manifest: FileReference?
        /// The state of another host that was there to go on from.
        var continued: String?
    }

    /// All elements that came, those in the quarantine too.
    var elements: SimulatedRecords = [:]
    var row = SourceRow()
    var published: Published?
    var continued: (state: ContinuedState, records: SimulatedRecords)?
    /// The time of the next own request, and the end of the last, by its clock.
    var due: Int64 = 0
    var endedAt: Int64?
    var failures = 0

    var hasData: Bool { row.asOf != nil }
}

/// A host of a simulated fleet.
struct SimulatedHost {
    /// A request to the upstream, and the publication of its answer, between two steps.
    enum Work {
        /// The answer is as the upstream was at the begin.
        case asking(GivenPermit, begun: Int64, SimulatedRecords, left: Int)
        /// The answer is committed.
        case committed(GivenPermit?)
        /// The files are there, and no head names them.
        case written(GivenPermit?, SimulatedDisk.Published)
    }

    /// This clock less the true time, in milliseconds.
    var clock: Int64 = 0
    var epoch = 0
    /// True times.
    var startedAt: Int64 = 0
    var isAlive = true
    var reachesUpstream = true
    /// A definition that takes one element in seven for no record, as another host's may.
    var isStrict = false
    var newest: NewestEntry?
    var isResumed = false
    var hasLooked = false
    /// Whether an entry of the own earlier head could not be taken.
    var hasFailed = false
    var work: Work?
    var disk = SimulatedDisk()
    var folder = SimulatedFolder()
    /// The files that its address has instead of the folder.
    var frozen: SimulatedFolder?

    var definition: String { isStrict ? "strict" : "d" }

    /// The records that a definition makes of elements.
    func decoded(_ elements: SimulatedRecords) -> SimulatedRecords {
        isStrict ? elements.filter { $0.key % 7 != 3 } : elements
    }

    var records: SimulatedRecords { decoded(disk.elements) }
    var served: SimulatedFolder { frozen ?? folder }
}
