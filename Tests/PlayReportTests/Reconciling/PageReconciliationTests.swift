import AdCore
import SandboxSSP
import Testing

@testable import PlayConsole
@testable import PlayReport

@Suite("What pages told, against the bill")
struct PageReconciliationTests {
    private let told = [
        PageServerMessage(.impression, cid: 1101, uid: "a"), PageServerMessage(.action, cid: 1102, uid: "a"),
        PageServerMessage(.spin, cid: 1103, uid: nil),
    ]

    @Test("what the server took once is counted, twice is a duplicate, and what no page sent is unmatched")
    func counted() {
        let clean = PageReconciliation(self.told, counted: [("a/impression", 1), ("a/click", 1)])
        #expect(clean.isClean && clean.counted == 2)
        #expect(
            clean.line(Style(isColoured: false)) == "sent by pages: 1 impression, 1 action, all counted once"
        )
        let bad = PageReconciliation(self.told, counted: [("a/impression", 2), ("b/click", 1)])
        #expect(bad.doubled == 1 && bad.lost == 1 && bad.unknown == 1 && !bad.isClean)
        #expect(PageReconciliation([], counted: [("a/click", 1)]).unknown == 1)
    }

    @Test("what never arrived is lost, and a spin costs nothing")
    func lost() {
        let books = PageReconciliation(self.told, against: [])
        #expect(!books.isClean && books.impressions == 1 && books.actions == 1 && books.lost == 2)
        #expect(
            books.line(Style(isColoured: false)).hasSuffix("1 impression, 1 action, 2 lost, 0 duplicates, 0 unmatched")
        )
        #expect(PageReconciliation([], against: []).isClean)
    }
}
