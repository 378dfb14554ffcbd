import Testing

@testable import AdCore

@Suite("Random UUIDs")
struct RandomUUIDTests {
    @Test("random UUIDs have version 4, and no two are the same")
    func uuids() {
        var random = SplitMix(seed: 5)
        let ids = (0..<1_000).map { _ in RandomUUID.text(&random) }
        #expect(Set(ids).count == 1_000)
        for id in ids.prefix(50) {
            let parts = id.split(separator: "-").map(String.init)
            #expect(parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts[2].first == "4")
            #expect("89ab".contains(parts[3].first ?? "x"))
        }
    }
}
