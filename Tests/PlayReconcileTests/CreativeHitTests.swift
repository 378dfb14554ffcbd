import AdCore
import Testing

@testable import PlayReconcile

@Suite("Hits of creatives")
struct CreativeHitTests {
    @Test("a creative's own request is not a beacon, and an additional request is unmatched")
    func arrivals() {
        func hit(_ n: Int, key: String?) -> ReceivedHit {
            ReceivedHit(
                n: n,
                at: WallTime(milliseconds: 0),
                key: key,
                path: "/t/pixel",
                host: nil,
                fault: nil,
                isCounted: true
            )
        }
        let list = HitList(
            [hit(1, key: nil), hit(2, key: "k"), hit(3, key: nil)],
            dropped: 0,
            sentByCreatives: ["/t/pixel": 1]
        )
        #expect(list.arrivals.map(\.n) == [2, 3] && list.creatives == 1)
        let result = Reconciliation([], against: list, lateAfter: nil)
        #expect(result.unknown == 2 && result.creatives == 1)
    }
}
