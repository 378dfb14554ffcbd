import AdCore
import Testing

@Suite("Inserting cards into a feed")
struct FeedInserterTests {
    private func order(_ entries: Int, _ cards: Int, after: Int = 4, most: Int = 3) -> String {
        FeedInserter(after: after, limit: most).rows(of: Array(0..<entries), with: Array(0..<cards)).map { row in
            switch row {
            case .entry: "e"
            case .card: "C"
            }
        }.joined()
    }

    @Test(
        "up to three cards follow the fourth entry in one block; a shorter feed has none",
        arguments: [
            (0, 3, ""), (3, 3, "eee"), (4, 3, "eeeeCCC"), (5, 3, "eeeeCCCe"), (9, 5, "eeeeCCCeeeee"),
            (9, 1, "eeeeCeeeee"), (9, 0, "eeeeeeeee"),
        ]
    )
    func places(entries: Int, cards: Int, order: String) { #expect(self.order(entries, cards) == order) }

    @Test("cards are first if they follow zero or fewer entries, and a negative limit allows none")
    func odd() {
        #expect(self.order(2, 2, after: 0, most: 9) == "CCee")
        #expect(self.order(2, 2, after: -3, most: 1) == "Cee")
        #expect(self.order(2, 2, after: 2, most: -1) == "ee")
    }

    @Test("entries and cards keep their order, and no entry is lost")
    func whole() {
        let rows = FeedInserter(after: 1, limit: 2).rows(of: ["a", "b"], with: [1, 2, 3])
        #expect(rows == [.entry("a"), .card(1), .card(2), .entry("b")])
    }
}
