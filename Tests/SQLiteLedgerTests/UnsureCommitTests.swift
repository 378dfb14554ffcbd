import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("What a commit wrote that failed but may be in the file")
struct UnsureCommitTests {
    /// An old beacon X is pending; one transaction records A, and claims both.
    private func claimed(_ test: TestLedger) async throws -> (ClaimRequest, UnsureCommit) {
        _ = try await test.ledger.record([TestLedger.beacon("x", to: "x.example")], at: TestLedger.at(0))
        let request = ClaimRequest(limit: 8, at: TestLedger.at(1))
        let beacons = [TestLedger.beacon("a", to: "a.example")]
        let (result, claim) = try await test.ledger.record(beacons, claiming: request, at: TestLedger.at(1))
        let beaconsClaimed = try #require(claim).beacons
        #expect(beaconsClaimed.count == 2)
        let claims = beaconsClaimed.map {
            UnsureCommit.Claim(key: $0.beacon.key, attempt: $0.attempt, request: request)
        }
        return (request, UnsureCommit(recorded: result.new, claims: claims))
    }

    /// Undoes a commit, and returns whether that changed an entry.
    @discardableResult
    private func undo(_ commit: UnsureCommit, in test: TestLedger) async throws -> Bool {
        await test.ledger.close()
        let store = try Store(Connection(test.file, lockTimeout: .seconds(5)), limits: .init())
        let before = try store.entries(after: .min, limit: 9)
        try store.transaction { () throws(StoreError) in try store.undo(commit) }
        return try store.entries(after: .min, limit: 9) != before
    }

    @Test("what it recorded is deleted, and what it claimed is pending as if it had not been claimed")
    func landed() async throws {
        try await TestLedger.with { test in
            let (request, commit) = try await self.claimed(test)
            try await self.undo(commit, in: test)
            // Again, as after a commit of the undoing that failed likewise.
            try await self.undo(commit, in: test)
            let ledger = test.another()
            let entries = try await ledger.entries()
            #expect(entries.map(\.beacon.key.text) == ["x"])
            #expect(entries.map(\.attempts) == [0])
            #expect(try await ledger.summary().pending == 1)
            let claim = try await ledger.claim(request)
            #expect(claim.keys == ["x"])
            #expect(claim.beacons.map(\.attempt) == [1])
            #expect(!claim.beacons.contains { $0.wasInterrupted }, "it is sent, although it is sent at most once")
            await ledger.close()
        }
    }

    @Test("it has what the operations of its transaction recorded and claimed")
    func bookkeeping() async {
        let request = ClaimRequest(limit: 8, at: TestLedger.at(1))
        let beacon = TestLedger.beacon("a")
        let claimed = ["x", "y"].map {
            ClaimedBeacon(TestLedger.beacon($0), attempt: 3, recorded: TestLedger.at(0))
        }
        let result = await withCheckedContinuation { reply in
            let operation = Operation.record([beacon], request, TestLedger.at(1), reply)
            let commit = UnsureCommit([operation], [.recorded([beacon.key], BeaconClaim(claimed, next: nil), reply)])
            #expect(commit.recorded == [beacon.key])
            #expect(commit.claims.map(\.key.text) == ["x", "y"])
            #expect(commit.claims.allSatisfy { $0.attempt == 3 && $0.request == request })
            operation.fail(LedgerError("the disk fails"))
        }
        #expect(throws: LedgerError.self) { _ = try result.get() }
    }

    @Test("what another process claimed at the same time is left alone, if the commit is not in the file")
    func lost() async throws {
        try await TestLedger.with { test in
            var (_, commit) = try await self.claimed(test)
            commit.recorded = [TestLedger.beacon("b").key]
            #expect(try await !self.undo(commit, in: test))
        }
    }

    @Test("what was claimed again or settled since is left alone", arguments: [true, false])
    func later(isSettled: Bool) async throws {
        try await TestLedger.with { test in
            let (request, commit) = try await self.claimed(test)
            if isSettled {
                let beacons = ["x", "a"].map { TestLedger.beacon($0, to: "\($0).example") }
                for beacon in beacons {
                    let claimed = ClaimedBeacon(beacon, attempt: 1, recorded: TestLedger.at(0))
                    try await test.ledger.settle(claimed, as: .delivered, at: TestLedger.at(2))
                }
            } else {
                let again = ClaimRequest(limit: 8, at: request.leaseEnd + .seconds(1))
                #expect(try await test.ledger.claim(again).beacons.map(\.attempt) == [2, 2])
            }
            #expect(try await !self.undo(commit, in: test))
        }
    }

    @Test(
        "a commit that the disk reports as failed is as if it had never been, whether it is in the file or not",
        .serialized,
        arguments: [(failures: 1, isInFile: false), (failures: 2, isInFile: true)],
        [true, false]
    )
    func failing(_ disk: (failures: Int, isInFile: Bool), afterOlder: Bool) async throws {
        // Without an older beacon, the new one is claimed from the start.
        let older = afterOlder ? ["x"] : []
        try await TestLedger.with { test in
            try await FailingDisk.with(test.folder.path) {
                let ledger = test.ledger
                _ = try await ledger.record(older.map { TestLedger.beacon($0, to: "x.example") }, at: TestLedger.at(0))
                // The second request is made when the connection closes; if it succeeds, the commit is not in the file.
                FailingDisk.fail(next: disk.failures)
                let request = ClaimRequest(limit: 8, at: TestLedger.at(1))
                await #expect(throws: LedgerError.self) {
                    let beacons = [TestLedger.beacon("a", to: "a.example")]
                    _ = try await ledger.record(beacons, claiming: request, at: TestLedger.at(1))
                }
                // Reading undoes nothing, and shows what is in the file.
                #expect(try await ledger.entries().map(\.beacon.key.text) == older + (disk.isInFile ? ["a"] : []))
                #expect(FailingDisk.fail(next: 0) == 0)
                _ = try await ledger.record([TestLedger.beacon("b", to: "b.example")], at: TestLedger.at(2))
                #expect(try await ledger.entries().map(\.beacon.key.text) == older + ["b"])
                #expect(try await ledger.entries().allSatisfy { $0.attempts == 0 })
                let claim = try await ledger.claim(ClaimRequest(limit: 8, each: 8, at: TestLedger.at(3)))
                #expect(claim.keys == older + ["b"])
                #expect(claim.beacons.allSatisfy { $0.attempt == 1 && !$0.wasInterrupted })
                await ledger.close()
            }
        }
    }

    @Test(
        "outcomes whose commit the disk reports as failed can be written again, and what was claimed with them comes later",
        .serialized,
        arguments: [1, 2]
    )
    func outcomes(failures: Int) async throws {
        try await TestLedger.with { test in
            try await FailingDisk.with(test.folder.path) {
                let ledger = test.ledger
                _ = try await ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
                let first = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0))).beacons
                let outcomes = first.map { SettledBeacon($0, .delivered) }
                FailingDisk.fail(next: failures)
                await #expect(throws: LedgerError.self) {
                    let request = ClaimRequest(limit: 1, at: TestLedger.at(1))
                    _ = try await ledger.settle(outcomes, claiming: request, at: TestLedger.at(1))
                }
                _ = try await ledger.entries()
                #expect(FailingDisk.fail(next: 0) == 0)
                #expect(try await ledger.settle(outcomes, claiming: nil, at: TestLedger.at(2)) == nil)
                #expect(try await ledger.entries().first?.state == .delivered)
                let late = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(100)))
                #expect(late.keys == ["b"])
                await ledger.close()
            }
        }
    }
}
