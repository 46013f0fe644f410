// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// Files of a stack that are damaged or gone: what is told stays the same, and no more is made anew than is needed.
@Suite struct StackDamageTests {
    private enum Damage: CaseIterable {
        case gone, empty, cut, foreign, otherByte, otherMiddleByte, otherLastByte, swapped
    }

    /// Damages a file of a folder.
    private func damage(_ name: String, _ damage: Damage, in folder: TemporaryFolder) throws {
        let path = folder("cache/\(name)")
        var bytes = try Files.readAll(path, cap: 1 << 30)
        switch damage {
        case .gone:
            Files.remove(path)
            return
        case .empty: bytes = []
        case .cut: bytes.removeLast(bytes.count / 3)
        case .foreign: bytes = Array("no snapshot".utf8)
        // In the header, in the midst, and in the section table, which is the end. Zeros may fill up a section.
        case .otherByte: bytes[40] ^= 0x20
        case .otherMiddleByte:
            let index = try #require(bytes.indices.first { $0 >= bytes.count / 2 && bytes[$0] != 0 })
            bytes[index] ^= 0x10
        case .otherLastByte:
            let index = try #require(bytes.lastIndex { $0 != 0 })
            bytes[index] ^= 1
        // A sound file of another generation.
        case .swapped:
            let other = try #require(Directory.list(folder("cache")).first { $0 != name && $0.hasSuffix(".snapshot") })
            bytes = try Files.readAll(folder("cache/\(other)"), cap: 1 << 30)
        }
        try folder.write("cache/\(name)", bytes)
    }

    private func start(_ folder: TemporaryFolder) throws -> OpenerFixture {
        try OpenerFixture(folder, definitions: [SmallStack.definition()])
    }

    /// Whether exactly one file was made anew.
    private func isRebuiltOnce(_ events: [OpeningEvent]) -> Bool {
        guard events.count == 1, case .rebuilt(_, 0, _) = events[0] else { return false }
        return true
    }

    @Test(arguments: StackState.allCases)
    func `whichever file is damaged in whatever way, a start tells the same, and the next one finds all sound`(
        state: StackState
    ) throws {
        let fixture = try state.make()
        let told = try fixture.told()
        for role in state.roles {
            for kind in Damage.allCases where kind != .swapped || state.roles.count > 1 {
                let folder = try fixture.folder.copyOfStateAndCache()
                try damage(fixture.fileName(role), kind, in: folder)
                let found = try start(folder)
                #expect(try found.told() == told, "\(role) \(kind)")
                #expect(isRebuiltOnce(found.reported), "\(role) \(kind): \(found.reported)")
                #expect(Set(found.files) == found.namedFiles, "\(role) \(kind)")
                // A base is made of everything; otherwise the files below stay as they are.
                let kept = fixture.view?.committed?.files.layers.filter { $0.role < role } ?? []
                for layer in kept {
                    let name = layer.snapshot.identity.fileName
                    #expect(try found.fileName(layer.role) == name, "\(role) \(kind)")
                }
                if role == .base { #expect(found.roles == [.base]) }
                let again = try found.crashed()
                #expect(try again.told() == told && again.reported.isEmpty, "\(role) \(kind)")
            }
        }
    }

    @Test func `two damaged files are made anew as one`() throws {
        let fixture = try StackState.all.make()
        let told = try fixture.told()
        for roles: [StackRole] in [[.middle, .young], [.base, .young], [.base, .middle], [.base, .middle, .young]] {
            let folder = try fixture.folder.copyOfStateAndCache()
            for role in roles { try damage(fixture.fileName(role), .cut, in: folder) }
            let found = try start(folder)
            #expect(try found.told() == told && isRebuiltOnce(found.reported), "\(roles): \(found.reported)")
            #expect(Set(found.files) == found.namedFiles)
            let again = try found.crashed()
            #expect(try again.told() == told && again.reported.isEmpty, "\(roles)")
        }
    }

    @Test(arguments: StackState.allCases)
    func `damage that a check finds while records are served changes no answer`(state: StackState) throws {
        for role in state.roles {
            let fixture = try state.make()
            let told = try fixture.told()
            try fixture.unverify()
            let kept = fixture.view?.committed?.files.layers.filter { $0.role < role }.map(\.snapshot) ?? []
            try damage(fixture.fileName(role), .gone, in: fixture.folder)
            #expect(fixture.opener.verify("things"), "\(role)")
            #expect(try fixture.told() == told && isRebuiltOnce(fixture.reported), "\(role): \(fixture.reported)")
            let layers = fixture.view?.committed?.files.snapshots ?? []
            #expect(kept.allSatisfy { snapshot in layers.contains { $0 === snapshot } }, "\(role)")
            let again = try fixture.crashed()
            #expect(try again.told() == told && again.reported.isEmpty, "\(role)")
            #expect(Set(again.files) == again.namedFiles)
        }
    }

    @Test func `a merge does not carry damage into a base`() throws {
        for role in [StackRole.base, .middle, .young] {
            let fixture = try StackState.all.make()
            let told = try fixture.told()
            let folder = try fixture.folder.copyOfStateAndCache()
            let found = try start(folder)
            try found.unverify()
            try damage(fixture.fileName(role), .gone, in: folder)
            _ = try found.opener.merge("things")
            #expect(try found.told() == told, "\(role)")
            let again = try found.crashed()
            #expect(try again.told() == told && again.reported.isEmpty, "\(role)")
        }
    }

    @Test func `a record of a damaged young file that was overwritten since comes from the newest version`() throws {
        let fixture = try StackState.youngOverMiddle.make()
        // It came in the middle file, changed in the young one, goes, and comes back.
        try fixture.take([.changes(SmallStack.gone([5]))], at: 20, bounds: SmallStack.bounds)
        try fixture.take([.changes(SmallStack.records([5], "again"))], at: 21, bounds: SmallStack.bounds)
        try fixture.opener.tidy("things")
        let told = try fixture.told()
        for role in [StackRole.young, .middle, .base] {
            let folder = try fixture.folder.copyOfStateAndCache()
            try damage(fixture.fileName(role), .cut, in: folder)
            let found = try start(folder)
            #expect(try found.told() == told && isRebuiltOnce(found.reported), "\(role)")
        }
    }

    @Test func `without the whole cache all becomes one base`() throws {
        let fixture = try StackState.all.make()
        let folder = try fixture.folder.copyOfStateAndCache()
        try Directory.remove(folder("cache"))
        let found = try start(folder)
        #expect(try found.told() == fixture.told() && found.roles == [.base] && isRebuiltOnce(found.reported))
    }

    @Test func `what is damaged in a file that was not checked when it was opened gets into no other file`() throws {
        let fixture = try LocalFixture()
        var number = 0
        func create(_ title: String, in fixture: LocalFixture) throws {
            number += 1
            try fixture.submit("create", nil, ["title": .string(title)], op: number)
        }
        for _ in 0..<700 { try create("small", in: fixture) }
        try fixture.opener.fold("things")
        // More than a start checks before it serves.
        let filling = String(repeating: "x", count: 60_000)
        for index in 0..<160 {
            try create("mark-\(index) \(filling)", in: fixture)
            if index % 10 == 9 { try fixture.opener.fold("things") }
        }
        #expect(fixture.base.roles == [.base, .young])
        let folder = try fixture.folder.copyOfStateAndCache()
        let name = try fixture.base.fileName(.young)
        var bytes = try Files.readAll(folder("cache/\(name)"), cap: 1 << 30)
        #expect(bytes.count > Snapshot.verifiedWhenOpened)
        let mark = Array("mark-77 ".utf8)
        let index = try #require(
            bytes.indices.last { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) })
        bytes[index + 5] ^= 1
        try folder.write("cache/\(name)", bytes)
        let started = try LocalFixture(folder)
        #expect(started.view?.condition.isVerified == false)
        try create("one more", in: started)
        #expect(try !started.opener.fold("things"))
        #expect(started.base.reported.count == 1)
        // It was mended, together with what was to be folded.
        try create("another", in: started)
        #expect(try started.opener.fold("things"))
        var told = fixture.served
        for new in [number - 1, number] {
            told[LocalFixture.op(new).text] = started.served[LocalFixture.op(new).text]
        }
        #expect(told.count == fixture.served.count + 2)
        #expect(started.served == told)
        let again = try started.crashed()
        #expect(again.opener.verify("things") && again.served == told)
    }
}
