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

    @Test("keeps nobody from seeing ads, and no view is lost or counted twice: no file may grow")
    func limited() async throws {
        let books = try await self.books { words, folder in
            // 300 blocks of 512 bytes: enough to begin with, and soon too little.
            ChildCommand(words, in: folder, limit: 300)
        }
        self.check(books)
    }

    @Test(
        "keeps nobody from seeing ads, and no view is lost or counted twice: the disk is full",
        .enabled(if: ChildCommand.canMount, "this needs a small disk of its own, which only root may mount")
    )
    func full() async throws {
        let books = try await self.books { words, folder in
            ChildCommand(words, in: folder, disk: "128k")
        }
        self.check(books)
    }

    @Test(
        "a disk of two megabytes is enough for as many: the log is brought into the file in time",
        .enabled(if: ChildCommand.canMount, "this needs a small disk of its own, which only root may mount")
    )
    func small() async throws {
        let books = try await self.books { words, folder in
            ChildCommand(words, in: folder, disk: "2m")
        }
        #expect(books.code == 0)
        #expect(books.issues == 0)
        #expect(books.delivered.count == Self.shows)
    }

    private struct Books {
        let code: Int32?
        let shown: Int
        let views: [String: Int]
        let issues: Int
        /// The keys that were said to be written down, and to be delivered.
        let recorded: Set<String>
        let delivered: Set<String>
    }

    private func check(_ books: Books) {
        // What the file still holds may wait for room; what it did not take was sent from memory.
        #expect(books.code == 0 || books.code == 7)
        #expect(books.shown == Self.shows)
        #expect(books.views.values.allSatisfy { $0 == 1 })
        // Each view was written down somewhere, and what is said to have arrived has arrived.
        #expect(books.recorded.count == Self.shows)
        #expect(books.delivered.isSubset(of: books.views.keys))
        // What the file took before it was full may wait there for room.
        #expect(books.recorded.subtracting(books.delivered).count <= 2)
        #expect(books.issues > 0, "the disk was never full")
    }

    private func books(_ start: ([String], TemporaryFolder) -> ChildCommand?) async throws -> Books {
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
        return Books(
            code: code,
            shown: events.count { $0["event"]?.string == "shown" },
            views: views,
            issues: events.count { $0["code"]?.string == "ledger.failed" },
            recorded: keys("beaconRecorded"),
            delivered: keys("beaconDelivered")
        )
    }
}
