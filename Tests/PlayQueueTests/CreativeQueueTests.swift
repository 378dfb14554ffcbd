import PostgresClient
import PostgresSupport
import Testing

@testable import PlayQueue

@Suite(
    "The queue of creatives",
    .disabled(if: PostgresServer.missing != nil, "\(PostgresServer.missing ?? "")")
)
struct CreativeQueueTests {
    static let worker = QueueWorker(1, called: "host:1", version: "1", lanes: 2)
    static let result = QueuedResult(level: 2, isMeasured: true, verdict: "{}", picture: [1, 2])

    private static func queue() throws -> CreativeQueue {
        let server = try #require(PostgresServer.shared)
        return try CreativeQueue(PostgresAddress(server.url(try server.newDatabase())), createsTables: true)
    }

    private static func submit(
        _ count: Int,
        to queue: CreativeQueue,
        policy: String = "p1"
    ) async throws -> SubmittedCounts {
        let number = try await queue.add(QueuedPolicy("strict", version: policy, files: #"{"\#(policy)": ""}"#))
        let creatives = (0..<count).map {
            SubmittedCreative("ad-\($0)", from: "list", .markup, [UInt8($0)], settings: "[]")
        }
        let submission = Submission("label", by: number, priority: 0, keptDays: 1, keptPictureDays: 1)
        return try await queue.submit(creatives, submission)
    }

    private static func claim(
        _ queue: CreativeQueue,
        suspects: Bool = false,
        number: Int64 = 7,
        lease: Duration = .seconds(60)
    ) async throws -> [ClaimedCreative] {
        try await queue.claim(10, suspects: suspects, for: worker, number: number, lease: lease)
    }

    @Test("a creative is stored once, claimed once, and judged once for a version of a policy")
    func once() async throws {
        let queue = try Self.queue()
        let (first, second) = (try await Self.submit(3, to: queue), try await Self.submit(3, to: queue))
        #expect(first.new == 3 && second.new == 0 && second.known == 3)
        let claimed = try await Self.claim(queue)
        let again = try await Self.claim(queue, number: 8)
        #expect(claimed.count == 3 && again.isEmpty)
        let creative = try #require(claimed.first { $0.name == "ad-1" })
        let bytes = try await queue.content(of: creative.id)
        #expect(bytes == [1])
        let stored = try await queue.finish(creative, Self.result, by: Self.worker)
        // An answer that was lost: the same result once more.
        let repeated = try await queue.finish(creative, Self.result, by: Self.worker)
        #expect(stored && repeated)
        let counts = try await queue.counts("label")
        #expect(counts.failed == 1 && counts.inProgress == 2)
        // Another policy judges the same measures.
        _ = try await Self.submit(2, to: queue, policy: "p2")
        let other = try await Self.claim(queue, number: 9)
        #expect(other.first { $0.name == "ad-1" }?.measured == creative.id && other.count == 2)
    }

    @Test("a result after its lease is refused, and a creative that ends three workers is set aside")
    func aside() async throws {
        let queue = try Self.queue()
        _ = try await Self.submit(1, to: queue)
        var late: ClaimedCreative?
        for death in 0..<3 {
            let claimed = try await Self.claim(queue, suspects: death > 0, number: Int64(death), lease: .seconds(-1))
            let creative = try #require(claimed.first)
            if let late {
                let isStored = try await queue.finish(late, Self.result, by: Self.worker)
                #expect(!isStored)
            }
            late = creative
        }
        let last = try await Self.claim(queue, suspects: true, number: 10, lease: .seconds(-1))
        let aside = try await queue.setAside(nil, after: 0)
        #expect(last.isEmpty && aside.first?.reason.hasPrefix("3 workers ended while they scanned it") == true)
        let retried = try await queue.retry(nil, names: [], withFailures: false)
        let claimed = try await Self.claim(queue, number: 11)
        #expect(retried == 1 && claimed.count == 1 && claimed.first?.measured == nil)
    }
}
