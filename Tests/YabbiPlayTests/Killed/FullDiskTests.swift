import AdCore
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "A ledger that can't grow",
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests")
)
struct FullDiskTests {
    private static let shows = 60

    @Test("with a file size limit ads are still shown, and no view is lost or counted twice")
    func limited() async throws {
        let results = try await self.results { words, folder in
            // 300 blocks of 512 bytes are enough at first, and soon too few.
            ChildCommand(words, in: folder, limit: 300)
        }
        self.check(results)
    }

    @Test(
        "on a full disk ads are still shown, and no view is lost or counted twice",
        .enabled(if: ChildCommand.canMount, "this needs a small disk of its own, which only root may mount")
    )
    func full() async throws {
        let results = try await self.results { words, folder in
            ChildCommand(words, in: folder, disk: "128k")
        }
        self.check(results)
    }

    @Test(
        "two megabytes are enough, because the log is checkpointed in time",
        .enabled(if: ChildCommand.canMount, "this needs a small disk of its own, which only root may mount")
    )
    func small() async throws {
        let results = try await self.results { words, folder in
            ChildCommand(words, in: folder, disk: "2m")
        }
        #expect(results.code == 0)
        #expect(results.issues == 0)
        #expect(results.delivered.count == Self.shows)
    }

    private struct Results {
        let code: Int32?
        let shown: Int
        let views: [String: Int]
        let issues: Int
        /// The keys that were reported as recorded and as delivered.
        let recorded: Set<String>
        let delivered: Set<String>
    }

    private func check(_ results: Results) {
        // Beacons in the file may be pending; those that the file did not accept were sent from memory.
        #expect(results.code == 0 || results.code == 7)
        #expect(results.shown == Self.shows)
        #expect(results.views.values.allSatisfy { $0 == 1 })
        // Each view was recorded, and each beacon reported as delivered was received.
        #expect(results.recorded.count == Self.shows)
        #expect(results.delivered.isSubset(of: results.views.keys))
        // Beacons recorded in the file before it was full may be pending.
        #expect(results.recorded.subtracting(results.delivered).count <= 2)
        #expect(results.issues > 0, "the disk was never full")
    }

    private func results(_ start: ([String], TemporaryFolder) -> ChildCommand?) async throws -> Results {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let words = [
            "show", "--json", "--stage", "none", "--clock", "virtual", "--unit", "banner-320x50", "--timeout", "1",
            "--repeat", "\(Self.shows)", "--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load", "--ledger",
            folder.path + "/disk/beacons.sqlite",
        ]
        let child = try #require(start(words, folder))
        let code = child.wait()
        let events = ChildCommand.lines(child.output)
        var views: [String: Int] = [:]
        for hit in sandbox.hits() where hit.path.hasPrefix("/t/") { views[hit.key ?? "-", default: 0] += 1 }
        func keys(_ event: String) -> Set<String> {
            Set(events.filter { $0["event"]?.string == event }.compactMap { $0["key"]?.string })
        }
        return Results(
            code: code,
            shown: events.count { $0["event"]?.string == "shown" },
            views: views,
            issues: events.count { $0["code"]?.string == "ledger.failed" },
            recorded: keys("beaconRecorded"),
            delivered: keys("beaconDelivered")
        )
    }
}
