import PostgresClient
import PostgresSupport
import Testing

@testable import PlayQueue

@Suite(
    "Creatives that workers give back",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
)
struct GivenBackTests {
    /// A queue of creatives, each of which has its own name as its content.
    private static func queue(_ names: String...) async throws -> CreativeQueue {
        let server = try #require(PostgresServer.shared)
        let queue = try CreativeQueue(PostgresAddress(server.url(try server.newDatabase())), createsTables: true)
        let policy = try await queue.add(QueuedPolicy("strict", version: "1", files: "{}"))
        let creatives = names.map { SubmittedCreative($0, from: "list", .markup, Array($0.utf8), settings: "[]") }
        let submission = Submission("label", by: policy, priority: 0, keptDays: 1, keptPictureDays: 1)
        _ = try await queue.submit(creatives, submission)
        return queue
    }

    /// Claims one creative.
    private static func claim(
        from queue: CreativeQueue,
        suspects: Bool = false,
        number: Int
    ) async throws -> ClaimedCreative? {
        try await queue.claim(
            1,
            suspects: suspects,
            for: CreativeQueueTests.worker,
            number: Int64(number),
            lease: .seconds(60)
        ).first
    }

    /// Claims one creative, and gives it back as a worker does that is told to end; returns its name.
    @discardableResult
    private static func interrupt(
        _ queue: CreativeQueue,
        suspects: Bool = false,
        number: Int
    ) async throws -> String? {
        let creative = try await self.claim(from: queue, suspects: suspects, number: number)
        let held = creative.map { [(id: $0.id, claim: $0.claim)] } ?? []
        try await queue.leave(held, CreativeQueueTests.worker, judged: 0, wasTold: true)
        return creative?.name
    }

    @Test("one that was given back is the next one again twice, and then waits behind the others")
    func turns() async throws {
        let queue = try await Self.queue("first", "second", "third")
        var names: [String?] = []
        for number in 1...3 { names.append(try await Self.interrupt(queue, number: number)) }
        #expect(names == ["first", "first", "first"])
        names = []
        for number in 4...6 { names.append(try await Self.claim(from: queue, number: number)?.name) }
        #expect(names == ["second", "third", "first"])
        let counts = try await queue.counts(nil)
        #expect(counts.inProgress == 3 && counts.suspects == 0)
    }

    @Test("one that was given back ten times is a suspect after the next time, and is set aside in the end")
    func setAside() async throws {
        let queue = try await Self.queue("hungry")
        for number in 1...10 {
            let name = try await Self.interrupt(queue, number: number)
            #expect(name == "hungry")
        }
        let before = try await queue.counts(nil).suspects
        try await Self.interrupt(queue, number: 11)
        let after = try await queue.counts(nil).suspects
        #expect(before == 0 && after == 1)
        for number in 12...13 {
            let name = try await Self.interrupt(queue, suspects: true, number: number)
            #expect(name == "hungry")
        }
        let aside = try await queue.setAside(nil, after: 0)
        let reason = try #require(aside.first?.reason)
        let first = "host:1 was told to end and gave it back, as 10 before it; host:1 was told to end"
        #expect(reason.hasPrefix("3 workers ended while they scanned it (\(first)"), "\(reason)")
        let retried = try await queue.retry(nil, names: [], withFailures: false)
        try await Self.interrupt(queue, number: 14)
        let counts = try await queue.counts(nil)
        #expect(retried == 1 && counts.waiting == 1 && counts.suspects == 0)
    }

    @Test("what computers can't scan is moved behind the others, and is never a suspect for that")
    func unable() async throws {
        let queue = try await Self.queue("first", "second")
        var names: [String?] = []
        for number in 1...30 {
            let creative = try #require(try await Self.claim(from: queue, number: number))
            try await queue.giveBack([(creative.id, creative.claim)])
            names.append(creative.name)
        }
        #expect(names.prefix(8) == ["first", "first", "first", "second", "second", "second", "first", "second"])
        // A worker that is told to end once is no sign of what the creative does, either.
        try await Self.interrupt(queue, number: 31)
        let counts = try await queue.counts(nil)
        #expect(counts.waiting == 2 && counts.suspects == 0)
    }

    @Test("one that is given back twice by the same worker, because an answer was lost, counts once")
    func repeated() async throws {
        let queue = try await Self.queue("first", "second")
        let creative = try #require(try await Self.claim(from: queue, number: 1))
        for _ in 1...5 { try await queue.giveBack([(creative.id, creative.claim)]) }
        let next = try await Self.claim(from: queue, number: 2)
        #expect(next?.name == "first")
    }
}
