import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Damaged files")
struct DamageTests {
    private func setAsideFiles(_ test: TestLedger) -> [String] {
        test.folder.names.filter { $0.contains(".corrupt-") && !$0.hasSuffix("-wal") }
    }

    @Test("a file that is not a database is moved aside, and a new one is created")
    func garbage() async throws {
        try await TestLedger.with { test in
            let garbage = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            test.folder.overwrite(garbage, "beacons.sqlite")
            let recording = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            #expect(recording.new.count == 1)
            #expect(recording.issues.map(\.code) == ["ledger.setAside"])
            let place = try #require(self.setAsideFiles(test).first)
            #expect(test.folder.bytes(place) == garbage)
            let message = try #require(recording.issues.first?.message)
            #expect(message.contains(test.file))
            #expect(message.contains("\(test.folder.path)/\(place)"))
            #expect(try await test.ledger.record([TestLedger.beacon("b")], at: TestLedger.at(0)).issues.isEmpty)
            #expect(try await test.ledger.entries().count == 2)
        }
    }

    @Test("opening reports a damaged file once")
    func opening() async throws {
        try await TestLedger.with { test in
            test.folder.overwrite([UInt8](repeating: 1, count: 5_000), "beacons.sqlite")
            let first = try await test.ledger.open()
            #expect(first.map(\.code) == ["ledger.setAside"])
            let second = try await test.ledger.open()
            #expect(second.isEmpty)
        }
    }

    @Test("a file that was set aside is never overwritten")
    func twice() async throws {
        try await TestLedger.with { test in
            for round in 1...3 {
                test.folder.overwrite([UInt8](repeating: UInt8(round), count: 200_000), "beacons.sqlite")
                let ledger = test.another()
                _ = try await ledger.open()
                await ledger.close()
                #expect(self.setAsideFiles(test).count == round)
            }
            let kept = Set(self.setAsideFiles(test).compactMap { test.folder.bytes($0).last })
            #expect(kept == [1, 2, 3])
        }
    }

    @Test("the integrity check reports damage of an existing ledger, and nothing for an undamaged one")
    func examined() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons((0..<3_000).map { "n\($0)" }), at: TestLedger.at(0))
            #expect(try await test.ledger.integrityErrors().isEmpty)
            await test.ledger.close()
            // A page in the middle: the file can be opened, and rows are lost.
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: 4_096), "beacons.sqlite", at: size / 8_192 * 4_096)
            let ledger = test.another(.existing)
            let errors = try? await ledger.integrityErrors()
            #expect(errors?.isEmpty != true)
            #expect(self.setAsideFiles(test).isEmpty, "the file is not moved")
            await ledger.close()
        }
    }

    @Test("damage found by an operation loses the file's content, but not the operation", arguments: 0..<4)
    func meanwhile(_ operation: Int) async throws {
        try await TestLedger.with { test in
            let names = (0..<3_000).map { "n\($0)" }
            _ = try await test.ledger.record(TestLedger.beacons(names), at: TestLedger.at(0))
            await test.ledger.close()
            let ledger = test.another()
            #expect(try await ledger.nextDue() == TestLedger.at(0))
            // Overwrite everything after the first page: no B-tree can be read.
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
            switch operation {
            case 0: #expect(try await ledger.record([TestLedger.beacon("new")], at: TestLedger.at(1)).new.count == 1)
            case 1: #expect(try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1))).beacons.isEmpty)
            case 2: #expect(try await ledger.entries().isEmpty)
            default: #expect(try await ledger.makeAllDue(at: TestLedger.at(1)) == 0)
            }
            let recording = try await ledger.record([TestLedger.beacon("other")], at: TestLedger.at(1))
            let issues = try await ledger.open() + recording.issues
            if operation > 0 { #expect(issues.map(\.code) == ["ledger.setAside"]) }
            #expect(self.setAsideFiles(test).count == 1)
            #expect(try await ledger.entries().count == (operation == 0 ? 2 : 1))
            await ledger.close()
        }
    }

    @Test("a reader gets an error for a damaged file, and the file is not moved")
    func reading() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons((0..<500).map { "n\($0)" }), at: TestLedger.at(0))
            await test.ledger.close()
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
            let ledger = test.another(.existing)
            let error = await #expect(throws: LedgerError.self) { _ = try await ledger.entries() }
            #expect(error?.message.contains("damaged") ?? false)
            #expect(error?.message.contains(test.file) ?? false)
            await ledger.close()
            #expect(self.setAsideFiles(test).isEmpty)
        }
    }

    @Test("two ledgers over one damaged file set it aside once, and lose no later beacon")
    func together() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons((0..<3_000).map { "n\($0)" }), at: TestLedger.at(0))
            await test.ledger.close()
            let (one, two) = (test.another(), test.another())
            #expect(try await one.summary().pending == 3_000)
            #expect(try await two.summary().pending == 3_000)
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
            _ = try await one.record([TestLedger.beacon("one")], at: TestLedger.at(1))
            _ = try await two.record([TestLedger.beacon("two")], at: TestLedger.at(1))
            _ = try await one.record([TestLedger.beacon("three")], at: TestLedger.at(1))
            #expect(self.setAsideFiles(test).count == 1)
            let keys = Set(try await one.entries().map(\.beacon.key.text))
            #expect(keys.isSuperset(of: ["one", "two", "three"]))
            #expect(try await two.entries().count == keys.count)
            await one.close()
            await two.close()
        }
    }
}
