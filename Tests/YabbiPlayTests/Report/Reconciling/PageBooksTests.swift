import AdCore
import SandboxSSP
import Testing

@testable import YabbiPlay

@Suite("What pages told, against the bill")
struct PageBooksTests {
    private let told = [
        PageTold(.impression, cid: 1101, uid: "a"), PageTold(.action, cid: 1102, uid: "a"),
        PageTold(.spin, cid: 1103, uid: nil),
    ]

    @Test("what the server took once is counted, twice is doubled, and what nobody told is from nowhere")
    func counted() {
        let clean = PageBooks(self.told, counted: [("a/impression", 1), ("a/click", 1)])
        #expect(clean.isClean && clean.counted == 2)
        #expect(
            clean.line(Style(isColoured: false)) == "told by pages: 1 impression, 1 action, all counted once"
        )
        let bad = PageBooks(self.told, counted: [("a/impression", 2), ("b/click", 1)])
        #expect(bad.doubled == 1 && bad.lost == 1 && bad.unknown == 1 && !bad.isClean)
        #expect(PageBooks([], counted: [("a/click", 1)]).unknown == 1)
    }

    @Test("what never arrived is lost, and a spin costs nothing")
    func lost() {
        let books = PageBooks(self.told, against: [])
        #expect(!books.isClean && books.impressions == 1 && books.actions == 1 && books.lost == 2)
        #expect(
            books.line(Style(isColoured: false)).hasSuffix("1 impression, 1 action, 2 lost, 0 doubled, 0 from nowhere")
        )
        #expect(PageBooks([], against: []).isClean)
    }
}
