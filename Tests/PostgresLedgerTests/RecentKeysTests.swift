import AdCore
import LedgerSupport
import Testing

@testable import PostgresLedger

@Suite("The keys that were recorded last")
struct RecentKeysTests {
    private static func keys(_ numbers: Range<Int>) -> [BeaconKey] {
        ServerTest.beacons(numbers.map { "k\($0)" }).map(\.key)
    }

    @Test("the newest are known, the oldest are forgotten batch by batch")
    func limit() {
        var recent = RecentKeys(limit: 10)
        for start in stride(from: 0, to: 5_000, by: 4) { recent.add(Self.keys(start..<(start + 4))) }
        let known = Self.keys(0..<5_000).filter { recent.contains($0) }
        #expect(known == Self.keys(4_992..<5_000))
    }

    @Test("a batch that is larger than the limit is known as a whole")
    func large() {
        var recent = RecentKeys(limit: 10)
        recent.add(Self.keys(0..<3))
        let isKnown = recent.contains(Self.keys(2..<3)[0])
        recent.add(Self.keys(3..<40))
        let known = Self.keys(0..<40).filter { recent.contains($0) }
        #expect(isKnown && known == Self.keys(3..<40))
    }
}
