// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsRefresh
import ClaimsStore
import ClaimsUpstream

/// Fetches files from the address of a leader, and makes an answer of them. One thread uses it.
struct FleetDownload: ~Copyable {
    /// A base of more bytes is fetched after a wait at random, so that not all hosts fetch it at once.
    static let largeBase = 16 << 20
    static let maxWait = Duration.seconds(30)
    /// The longest time for one file, and for all that lead to a state.
    private static let fileTimeout = Duration.seconds(300)
    private static let timeout = Duration.seconds(3600)
    /// The largest size of all files that lead to a state, in bytes.
    private static let maxSize = 16 << 30

    private let leader: FleetDefinition.Leader
    private let access: UpstreamAccess
    private let spool: String
    private let client: HTTPClient
    private let cancellation: HTTPCancellation
    private let requester: SourceID
    private let kept: KeptFiles
    private let began = SystemClock.sinceBoot

    init(
        _ leader: FleetDefinition.Leader, access: UpstreamAccess, spool: String, requester: SourceID,
        cancellation: HTTPCancellation
    ) throws(FetchFailure) {
        self.leader = leader
        self.access = access
        self.spool = spool
        self.cancellation = cancellation
        self.requester = requester
        kept = KeptFiles(requester, in: spool)
        do throws(HTTPError) { client = try HTTPClient(spoolDirectory: spool) } catch {
            throw FetchFailure.of(error, fetching: leader.request.url ?? "")
        }
    }

    /// Fetches a small file with validators.
    borrowing func head(
        _ validators: HTTPValidators?, within timeout: Duration
    ) throws(FetchFailure) -> HTTPResponse {
        let limits = TransferLimits(
            body: FleetHead.maxSize, redirects: 1, connect: timeout, firstByte: timeout, transfer: timeout)
        return try get(FleetHead.fileName, limits, validators)
    }

    private borrowing func get(
        _ name: String, _ limits: TransferLimits, _ validators: HTTPValidators? = nil
    ) throws(FetchFailure) -> HTTPResponse {
        let url = leader.address(of: name)
        let request = HTTPRequest(
            url: url, headers: leader.request.headers.map { ($0.name, $0.value) }, validators: validators,
            limits: limits)
        let call = UpstreamAccess.Call(
            request, auth: leader.request.auth, tls: leader.request.tls, requester: requester)
        var budget = RequestBudget(transfer: limits.transfer, pause: limits.transfer)
        do throws(AccessFailure) {
            return try access.perform(
                call, client: client, cancellation: cancellation, budget: &budget, observe: { _ in })
        } catch { throw FetchFailure.of(error, fetching: url) }
    }

    /// Fetches a file, and checks size and hash before anything of it is read.
    private borrowing func file(_ file: FileReference, maxSize: Int) throws(FetchFailure) -> [UInt8] {
        if let bytes = kept.bytes(of: file) { return try decompressed(bytes, maxSize: maxSize) }
        guard SystemClock.sinceBoot &- began < Self.timeout.wholeNanoseconds else {
            throw FetchFailure(.timeout, Message(.fleetDamaged, leader.host, "its files take over an hour"))
        }
        let limits = TransferLimits(
            body: file.size, connect: .seconds(5), firstByte: .seconds(15), transfer: Self.fileTimeout)
        let body = try get(file.sha256, limits).body
        var bytes: [UInt8] = []
        body.withBytes { bytes.append(bytes: $0) }
        guard bytes.count == file.size, SHA256.hexadecimal(of: bytes.rawSpan) == file.sha256 else {
            throw damaged("a file is not the one that is named")
        }
        kept.keep(bytes, of: file)
        return try decompressed(bytes, maxSize: maxSize)
    }

    private borrowing func decompressed(_ bytes: [UInt8], maxSize: Int) throws(FetchFailure) -> [UInt8] {
        do throws(FleetError) { return try Zstandard.decompress(bytes, maxSize: maxSize) } catch {
            throw damaged(error.message)
        }
    }

    private borrowing func damaged(_ reason: String) -> FetchFailure {
        FetchFailure(.integrity, Message(.fleetDamaged, leader.host, reason))
    }

    /// The records that lead to the state of an entry.
    ///
    /// - Parameters:
    ///   - state: the state of the data here; nil for all records.
    ///   - join: the state of the joined values here.
    ///   - isLargeAllowed: whether a large base may be fetched to replace the data here.
    /// - Returns: nil if only a large base would do, and it may not be fetched yet.
    borrowing func records(
        of entry: HeadEntry, from state: String?, join: String?, isLargeAllowed: Bool, _ definition: Definition
    ) throws(FetchFailure) -> DownloadedRecords? {
        guard let manifest = FleetManifest(json: try file(entry.manifest, maxSize: FleetManifest.maxSize)) else {
            throw damaged("the manifest lacks a member")
        }
        var result = DownloadedRecords(join: manifest.join?.state)
        result.forgotten = manifest.forgotten
        guard manifest.files.reduce(0, { $0 + $1.size }) <= Self.maxSize else {
            throw damaged("its files have over \(Self.maxSize >> 30) GiB")
        }
        kept.removeAll(but: manifest.files)
        if let values = manifest.join, values.state != join { result.joined = try joined(values) }
        let size = manifest.base.files.reduce(0) { $0 + $1.size }
        if let state, let way = manifest.way(from: state, to: entry.state),
            way.flatMap(\.files).reduce(0, { $0 + $1.size }) < size || way.allSatisfy(\.files.isEmpty)
        {
            var merge = DeltaMerge(definition)
            result.isIncremental = true
            try add(way, by: &merge, to: &result.pages)
            return result
        }
        guard let way = manifest.way(from: manifest.base.state, to: entry.state) else {
            throw damaged("no way leads to the state of the head")
        }
        result.isLarge = size > Self.largeBase
        if result.isLarge, !isLargeAllowed { return nil }
        if result.isLarge, state != nil,
            cancellation.wait(upTo: Self.maxWait * Double.random(in: 0..<1))
        {
            throw .ended
        }
        if way.isEmpty {
            for file in manifest.base.files { result.pages.append(try keep(try content(of: file))) }
            result.records = manifest.base.records
            return result
        }
        var merge = DeltaMerge(definition)
        try add(way, by: &merge, to: &result.pages)
        var count = 0
        for file in manifest.base.files {
            let base = try content(of: file)
            let page: [UInt8]
            do throws(FleetError) { page = try merge.rest(of: base, counting: &count) } catch {
                throw damaged(error.message)
            }
            result.pages.append(try keep(page))
        }
        guard count == manifest.base.records else { throw damaged("the base has another number of records") }
        return result
    }

    private borrowing func content(of file: FileReference) throws(FetchFailure) -> [UInt8] {
        try self.file(file, maxSize: Self.maxContent)
    }

    /// Adds the pages of deltas, the newest first; one at least.
    private borrowing func add(
        _ way: [FleetManifest.Delta], by merge: inout DeltaMerge, to pages: inout [FetchedBody]
    ) throws(FetchFailure) {
        for file in way.reversed().flatMap(\.files) {
            let bytes = try content(of: file)
            do throws(FleetError) { try merge.add(bytes) } catch { throw damaged(error.message) }
            // Small ones share a page; a large page is not in memory.
            if merge.size > FetchedBody.maxInMemory { pages.append(try keep(merge.readPage())) }
        }
        if pages.isEmpty || merge.size > 0 { pages.append(try keep(merge.readPage())) }
    }

    private borrowing func joined(_ join: FleetManifest.Join) throws(FetchFailure) -> [UInt8] {
        var lines: [UInt8] = []
        for file in join.files {
            let bytes = try content(of: file)
            do throws(FleetError) { lines += try DeltaMerge.lines(of: bytes) } catch { throw damaged(error.message) }
        }
        return lines
    }

    /// A page that takes little memory until it is read.
    private borrowing func keep(_ page: [UInt8]) throws(FetchFailure) -> FetchedBody {
        do throws(SystemError) { return try FetchedBody(page, spooledIn: spool) } catch {
            throw FetchFailure(.other, reason: .storageFull, Message(.spool, error.reason))
        }
    }

    /// The size of the largest content, in bytes: a record that is larger than a file may be has one of its own.
    private static let maxContent = FileReference.maxContent + IntakePlan.maxRecordSize
}

/// The records of another host.
struct DownloadedRecords {
    var pages: [FetchedBody] = []
    /// Whether the records are only the changed ones.
    var isIncremental = false
    /// The number of all records, if the pages have exactly these.
    var records: Int?
    /// The state of the joined values; nil without a join.
    var join: String?
    /// All records that were erased on the host that asks.
    var forgotten: [FleetManifest.Forgotten] = []
    /// The joined values, if they differ from the values here.
    var joined: [UInt8]?
    /// Whether they are a large base, which not every change is worth.
    var isLarge = false

    init(join: String?) { self.join = join }
}
