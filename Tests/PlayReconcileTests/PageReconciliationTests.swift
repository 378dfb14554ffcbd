import AdCore
import Testing

@testable import PlayConsole
@testable import PlayReconcile
@testable import PlayText

@Suite("The reconciliation of pages' messages with the bill")
struct PageReconciliationTests {
    private let messages = [
        PageServerMessage(.impression, cid: 1101, uid: "a"), PageServerMessage(.action, cid: 1102, uid: "a"),
        PageServerMessage(.spin, cid: 1103, uid: nil),
    ]

    @Test("a message on the bill once is counted, twice is a duplicate, and one that no page sent is unmatched")
    func counted() {
        let clean = PageReconciliation(self.messages, counted: [("a/impression", 1), ("a/click", 1)])
        #expect(clean.isClean && clean.counted == 2)
        #expect(
            clean.line(Style(isColored: false)) == "sent by pages: 1 impression, 1 action, all counted once"
        )
        let bad = PageReconciliation(self.messages, counted: [("a/impression", 2), ("b/click", 1)])
        #expect(bad.duplicates == 1 && bad.lost == 1 && bad.unmatched == 1 && !bad.isClean)
        #expect(PageReconciliation([], counted: [("a/click", 1)]).unmatched == 1)
    }

    @Test("a message that is not on the bill is lost, and a spin is not billable")
    func lost() {
        let result = PageReconciliation(self.messages, counted: [])
        #expect(!result.isClean && result.impressions == 1 && result.actions == 1 && result.lost == 2)
        #expect(
            result.line(Style(isColored: false)).hasSuffix("1 impression, 1 action, 2 lost, 0 duplicates, 0 unmatched")
        )
        #expect(PageReconciliation([], counted: []).isClean)
    }
}
