import PostgresClient
import PostgresSupport
import Testing

@testable import PlayQueue

@Suite(
    "What is kept in a queue, for how long, and for which submission",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
)
struct QueueRowTests {
    /// A queue in a database of its own, and a second connection to its tables.
    private struct Scene {
        let queue: CreativeQueue
        let database: PostgresConnection
        let policy: Int64

        init() async throws {
            let server = try #require(PostgresServer.shared)
            let name = try server.newDatabase()
            self.queue = try CreativeQueue(PostgresAddress(server.url(name)), createsTables: true)
            self.policy = try await self.queue.add(QueuedPolicy("strict", version: "1", files: "{}"))
            self.database = try server.connection(name)
        }

        @discardableResult
        func submit(
            _ content: String,
            called name: String = "ad",
            label: String = "label",
            priority: Int = 0,
            days: Int = 10,
            pictureDays: Int = 10
        ) async throws -> SubmittedCounts {
            let creative = SubmittedCreative(name, from: "list", .markup, Array(content.utf8), settings: "[]")
            let submission = Submission(
                label,
                by: self.policy,
                priority: priority,
                keptDays: days,
                keptPictureDays: pictureDays
            )
            return try await self.queue.submit([creative], submission)
        }

        func claim(number: Int64 = 1, suspects: Bool = false, lease: Int = 60) async throws -> [ClaimedCreative] {
            try await self.queue.claim(
                10,
                suspects: suspects,
                for: CreativeQueueTests.worker,
                number: number,
                lease: .seconds(lease)
            )
        }

        func finish(_ creative: ClaimedCreative, _ verdict: String, picture: [UInt8]? = [1]) async throws -> Bool {
            let result = QueuedResult(level: 0, isMeasured: true, verdict: verdict, picture: picture)
            return try await self.queue.finish(creative, result, by: CreativeQueueTests.worker)
        }

        /// Claims what waits, and stores its content as its verdict.
        func judge(number: Int64) async throws {
            for creative in try await self.claim(number: number) {
                let bytes = try await self.queue.content(of: creative.id) ?? []
                let isStored = try await self.finish(creative, String(decoding: bytes, as: UTF8.self))
                #expect(isStored)
            }
        }

        func results(_ label: String? = "label") async throws -> [EndedCreative] {
            try await self.queue.results(label, by: self.policy, after: 0, limit: 10)
        }

        func count(_ table: String) throws -> Int64? {
            try self.database.run(PostgresStatement(once: "SELECT count(*) FROM yabbi_scan.\(table)")).first?.int(0)
        }
    }

    @Test("the verdict of a name is that of the content that was submitted last, also if it was there before")
    func reverted() async throws {
        let scene = try await Scene()
        for (number, content) in ["A", "B", "A"].enumerated() {
            try await scene.submit(content)
            try await scene.judge(number: Int64(number))
            let outcomes = try await scene.results().map(\.outcome)
            #expect(outcomes == [.judged(content)])
        }
        try await scene.submit("C", label: "other")
        try await scene.judge(number: 9)
        let (first, all) = (try await scene.results(), try await scene.results(nil))
        #expect(first.map(\.outcome) == [.judged("A")] && all.map(\.outcome) == [.judged("C")])
    }

    @Test("a creative with a higher priority comes first, and a submission raises that of one that waits")
    func priorities() async throws {
        let scene = try await Scene()
        for (name, priority) in [("low", -1), ("high", 5), ("middle", 0), ("low", 7)] {
            try await scene.submit("1", called: name, priority: priority)
        }
        var names: [String] = []
        for number in 1...3 {
            let claimed = try await scene.queue.claim(
                1,
                suspects: false,
                for: CreativeQueueTests.worker,
                number: Int64(number),
                lease: .seconds(60)
            )
            names += claimed.map(\.name)
        }
        #expect(names == ["low", "high", "middle"])
    }

    @Test("what is older than its retention is removed with its bytes, and a later submission keeps it longer")
    func retention() async throws {
        let scene = try await Scene()
        for (name, content) in [("old", "1"), ("again", "2"), ("shared", "1")] {
            try await scene.submit(content, called: name, label: name)
        }
        try await scene.judge(number: 1)
        // Eleven days later.
        try scene.database.runScript(
            """
            UPDATE yabbi_scan.creative SET until = until - interval '11 days', ended = ended - interval '11 days';
            UPDATE yabbi_scan.picture SET until = until - interval '11 days';
            """
        )
        let again = try await scene.submit("2", called: "again", label: "again", days: 30)
        #expect(again.judged == 1)
        try await scene.submit("1", called: "shared", label: "shared")
        let isDone = try await scene.queue.removeOld()
        #expect(isDone)
        #expect(try scene.count("creative") == 2 && scene.count("content") == 2 && scene.count("submission") == 2)
        #expect(try scene.count("picture") == 2)
        try scene.database.runScript("UPDATE yabbi_scan.creative SET until = now() - interval '1 second'")
        _ = try await scene.queue.removeOld()
        let left = try ["creative", "content", "submission", "picture"].map { try scene.count($0) }
        #expect(left == [0, 0, 0, 0])
    }

    @Test("a verdict without a picture removes the picture of the verdict before")
    func stale() async throws {
        let scene = try await Scene()
        try await scene.submit("1")
        try await scene.judge(number: 1)
        let pictured = try await scene.results().map(\.hasPicture)
        _ = try await scene.queue.retry(nil, names: ["*"], withFailures: false)
        let waiting = try await scene.results()
        #expect(pictured == [true])
        let creative = try #require(try await scene.claim(number: 2).first)
        let isStored = try await scene.finish(creative, "second", picture: nil)
        let results = try await scene.results()
        #expect(isStored && waiting.isEmpty && results.map(\.hasPicture) == [false])
    }

    @Test("a late result counts, and a late renewal holds, unless another worker has the creative")
    func late() async throws {
        let scene = try await Scene()
        try await scene.submit("1")
        let first = try #require(try await scene.claim(number: 1, lease: -1).first)
        // It is taken back, and is a suspect.
        let others = try await scene.claim(number: 2, lease: -1)
        let signs = try await scene.queue.signs(for: CreativeQueueTests.worker)
        #expect(others.isEmpty && signs.takesSuspects && !signs.isEmpty)
        let held = try await scene.queue.renew(
            [(first.id, 1)],
            lease: .seconds(-1),
            for: CreativeQueueTests.worker,
            judged: 0
        )
        #expect(held == [first.id])
        _ = try await scene.claim(number: 3, lease: -1)
        let isStored = try await scene.finish(first, "late")
        let outcomes = try await scene.results().map(\.outcome)
        #expect(isStored && outcomes == [.judged("late")])
    }

    @Test("what a worker can't scan is set aside with its reason")
    func setAside() async throws {
        let scene = try await Scene()
        try await scene.submit("1")
        let creative = try #require(try await scene.claim().first)
        try await scene.queue.setAside(creative, because: "it needs a newer version")
        // The worker renews what it held a moment ago.
        let held = try await scene.queue.renew(
            [(creative.id, creative.claim)],
            lease: .seconds(60),
            for: CreativeQueueTests.worker,
            judged: 0
        )
        #expect(held.isEmpty)
        let outcomes = try await scene.results().map(\.outcome)
        let signs = try await scene.queue.signs(for: CreativeQueueTests.worker)
        #expect(outcomes == [.setAside("it needs a newer version")] && signs.isEmpty)
    }

    @Test(
        "the server refuses rows whose digests are not theirs",
        arguments: [
            "INSERT INTO yabbi_scan.content VALUES (sha256('other'), 'bytes')",
            "UPDATE yabbi_scan.creative SET key = sha256('other')", "UPDATE yabbi_scan.creative SET name = 'other'",
            "UPDATE yabbi_scan.creative SET settings = 'other'",
        ]
    )
    func forged(_ statement: String) async throws {
        let scene = try await Scene()
        try await scene.submit("1")
        let error = #expect(throws: PostgresError.self) { try scene.database.runScript(statement) }
        #expect(error?.code == "23514")
    }

    @Test("a policy that is stored under a wrong version is not in the way of the right one")
    func policies() async throws {
        let scene = try await Scene()
        let other = try await scene.queue.add(QueuedPolicy("strict", version: "2", files: "{}"))
        let same = try await scene.queue.add(QueuedPolicy("strict", version: "1", files: "{}"))
        #expect(other != scene.policy && same == scene.policy)
    }

    @Test("measures are used again only for the same options and version, and with a picture where one is wanted")
    func reuse() async throws {
        let scene = try await Scene()
        try await scene.submit("1", called: "first", pictureDays: 0)
        let first = try #require(try await scene.claim(number: 1).first)
        let isStored = try await scene.finish(first, "first", picture: nil)
        try await scene.submit("1", called: "plain", pictureDays: 0)
        try await scene.submit("1", called: "pictured")
        let claimed = try await scene.claim(number: 2)
        #expect(isStored && claimed.first { $0.name == "plain" }?.measured == first.id)
        #expect(claimed.count == 2 && claimed.first { $0.name == "pictured" }?.measured == nil)
        try await scene.submit("1", called: "upgraded", pictureDays: 0)
        let upgraded = QueueWorker(2, called: "host:2", version: "2", lanes: 1, signature: "other")
        let others = try await scene.queue.claim(1, suspects: false, for: upgraded, number: 3, lease: .seconds(60))
        #expect(others.count == 1 && others.first?.measured == nil)
    }

    @Test("metrics are counted once for all workers")
    func counted() async throws {
        let scene = try await Scene()
        try await scene.submit("1")
        let first = try await scene.queue.openCounts()
        try await scene.submit("2", called: "second")
        let second = try await scene.queue.openCounts()
        #expect(first.waiting == 1 && second.waiting == 1 && second.oldest != nil)
        try scene.database.runScript("UPDATE yabbi_scan.summary SET counted = now() - interval '11 seconds'")
        let third = try await scene.queue.openCounts()
        #expect(third.waiting == 2)
    }
}
