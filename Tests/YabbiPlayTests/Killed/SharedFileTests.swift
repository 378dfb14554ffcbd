import AdCore
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "Several processes with one ledger file",
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests")
)
struct SharedFileTests {
    @Test("count each view once, and all end with 0")
    func shared() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let ledger = folder.path + "/beacons.sqlite"
        let words = [
            "show", "--json", "--stage", "none", "--unit", "banner-320x50", "--do", "click@1ms,close@2ms", "--repeat",
            "5", "--ledger", ledger, "--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load",
        ]
        let children = try (0..<3).map { _ in try #require(ChildCommand(words, in: folder)) }
        let codes = children.map { $0.wait() }
        #expect(codes == [0, 0, 0])
        let reading = SQLiteLedger(file: ledger, access: .existing)
        let entries = try await reading.entries()
        await reading.close()
        #expect(entries.count == 30)
        #expect(entries.allSatisfy { $0.state == .delivered })
        let bill = sandbox.bill()
        #expect(bill.views == 15 && bill.clicks == 15)
        #expect(bill.counted == bill.billed, "nothing was sent twice")
    }
}
