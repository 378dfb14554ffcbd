import PostgresClient
import PostgresSupport
import Testing

@testable import PlayQueue

@Suite("Claims whose answers are lost")
struct LostClaimTests {
    @Test("they are given back with each claim for two minutes, because the server may execute them late")
    func times() {
        let start = ContinuousClock.now
        var claims = LostClaims()
        claims.add(1, at: start)
        claims.add(2, at: start + .seconds(60))
        claims.gaveBack(at: start + .seconds(119))
        #expect(claims.numbers == [1, 2])
        claims.gaveBack(at: start + .seconds(121))
        #expect(claims.numbers == [2])
        claims.gaveBack(at: start + .seconds(181))
        #expect(claims.numbers == [])
    }

    /// A queue behind a proxy, and a connection to its database that does not go through it.
    private struct Scene {
        let proxy: CuttingProxy
        let queue: CreativeQueue
        let database: PostgresConnection

        init() async throws {
            let server = try #require(PostgresServer.shared)
            let name = try server.newDatabase()
            self.proxy = try #require(CuttingProxy(to: server.port))
            let address = try PostgresAddress("postgres://owner@127.0.0.1:\(self.proxy.port)/\(name)")
            self.queue = try CreativeQueue(address, createsTables: true)
            self.database = try server.connection(name)
            let policy = try await self.queue.add(QueuedPolicy("strict", version: "1", files: "{}"))
            let creatives = ["first", "second"].map {
                SubmittedCreative($0, from: "list", .markup, Array($0.utf8), settings: "[]")
            }
            let submission = Submission("label", by: policy, priority: 0, keptDays: 1, keptPictureDays: 1)
            _ = try await self.queue.submit(creatives, submission)
        }

        func number(_ query: String) throws -> Int64? {
            try self.database.run(PostgresStatement(once: query)).first?.int(0)
        }

        /// Waits until a query returns a number; false on a timeout.
        func waits(until query: String, is number: Int64) async throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(8)
            while try self.number(query) != number {
                guard .now < deadline else { return false }
                try await Task.sleep(for: .milliseconds(10))
            }
            return true
        }
    }

    private static func claim(_ queue: CreativeQueue, _ count: Int, number: Int64) async throws -> [String] {
        try await queue.claim(
            count,
            suspects: false,
            for: CreativeQueueTests.worker,
            number: number,
            lease: .seconds(60)
        ).map(\.name)
    }

    /// Lets updates wait for a lock while the table `gate` has a row.
    private static let gate = """
        CREATE TABLE gate AS SELECT 1 AS n;
        CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF EXISTS (SELECT FROM gate) THEN PERFORM pg_advisory_xact_lock(1); END IF;
                RETURN NULL;
            END
        $$;
        CREATE TRIGGER gate BEFORE UPDATE ON yabbi_scan.creative FOR EACH STATEMENT EXECUTE FUNCTION wait_at_gate();
        """
    private static let waiting = """
        SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """

    @Test(
        "what the server claims after the next claim is given back with a later one, and no worker counts as dead",
        .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
    )
    func late() async throws {
        let scene = try await Scene()
        defer { scene.proxy.stop() }
        try scene.database.runScript(Self.gate)
        _ = try scene.number("SELECT 1 FROM pg_advisory_lock(1)")
        let queue = scene.queue
        let lost = Task { try await Self.claim(queue, 2, number: 1) }
        let isWaiting = try await scene.waits(until: Self.waiting, is: 1)
        scene.proxy.set(.closed)
        let error = await #expect(throws: QueueError.self) { _ = try await lost.value }
        #expect(isWaiting && error?.isUncertain == true)
        scene.proxy.set(.open)
        try scene.database.runScript("DELETE FROM gate")
        let next = try await Self.claim(queue, 1, number: 2)
        _ = try scene.number("SELECT 1 FROM pg_advisory_unlock(1)")
        let isClaimed = try await scene.waits(
            until: "SELECT count(*) FROM yabbi_scan.creative WHERE state = 1 AND claim = 1",
            is: 1
        )
        let last = try await Self.claim(queue, 2, number: 3)
        #expect(next == ["first"] && isClaimed && last == ["second"])
        #expect(try scene.number("SELECT sum(deaths + returns) FROM yabbi_scan.creative") == 0)
    }
}
