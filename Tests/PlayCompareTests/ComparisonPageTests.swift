import AdCore
import AdHTML
import PlayReport
import PlayText
import TestSupport
import Testing

@testable import PlayCompare

@Suite("The page of a comparison")
struct ComparisonPageTests {
    private func page(_ a: [RunAd], _ b: [RunAd]) -> String {
        let (one, other) = (ComparedRun.sample(a), ComparedRun.sample(b))
        let comparison = RunComparison(one, other)
        let time = WallTime(milliseconds: 0)
        return ComparisonPage(
            title: "show a.html",
            madeAt: time,
            .init("Chromium", one),
            .init("WebKit", other),
            comparison
        )
        .text
    }

    private static func event(_ name: String, t: Int, _ fields: KeyValuePairs<String, AdJSON> = [:]) -> AdJSON {
        .object([.init("t", .int(t)), .init("event", .string(name))] + fields.map { .init($0.key, $0.value) })
    }

    @Test("each run has a column, and what differs is in it")
    func columns() {
        let (a, b) = (RunAd.sample(beacons: [.sample()]), RunAd.sample())
        let page = self.page([a], [b])
        #expect(page.contains("<th scope=\"col\">Chromium</th>\n<th scope=\"col\">WebKit</th>"))
        #expect(page.contains("1 difference"))
        #expect(page.contains("<td>delivered</td><td>–</td>"))
        #expect(page.contains("<tr><th scope=\"row\">beacons delivered</th><td>1 of 1</td><td>0 of 0</td></tr>"))
    }

    @Test("equal runs have no differences")
    func equal() {
        let ad = RunAd.sample(events: [Self.event("shown", t: 5)], beacons: [.sample()])
        let page = self.page([ad], [ad])
        #expect(page.contains("No differences") && !page.contains("class=\"differs\""))
    }

    @Test("equal events share a row, and events of one run are marked")
    func events() {
        let a = RunAd.sample(events: [
            Self.event("loaded", t: 0), Self.event("shown", t: 30), Self.event("view", t: 1_030),
        ])
        let b = RunAd.sample(events: [Self.event("loaded", t: 5), Self.event("shown", t: 45)])
        let pair = ComparedPair(ComparedAd(a), ComparedAd(b), at: RunDifference.Place(a: 1, b: 1, name: "ad"))
        let rows = EventColumns.rows(pair)
        #expect(
            rows == [
                .init(a: .init(time: "0 ms", text: "loaded"), b: .init(time: "0 ms", text: "loaded")),
                .init(a: .init(time: "30 ms", text: "shown"), b: .init(time: "40 ms", text: "shown")),
                .init(a: .init(time: "1.03 s", text: "view"), b: nil),
            ]
        )
        #expect(rows.map(\.isSame) == [true, true, false])
    }

    @Test("pictures are next to each other, and say whether they differ")
    func pictures() {
        let (a, b) = (RunAd.sample(pictures: [.sample(bytes: [1])]), RunAd.sample(pictures: [.sample(bytes: [2])]))
        let page = self.page([a], [b])
        #expect(page.contains("data:image/webp;base64,\(Base64.text([1]))"))
        #expect(page.contains("data:image/webp;base64,\(Base64.text([2]))"))
        #expect(page.contains("On screen <small>not compared</small>"))
        #expect(self.page([a], [a]).contains("On screen <small>no pixel differs</small>"))
        let lacking = self.page([a], [RunAd.sample()])
        #expect(lacking.contains("On screen <small>only one run has it</small>"))
    }

    @Test("text of an ad is no markup of the page")
    func escaping() {
        var hostile = RunAd.sample(events: [
            Self.event("<img src=x onerror=alert(1)>", t: 0), Self.event("console", t: 0, ["text": "</table><script>"]),
        ])
        hostile.heading = "<script>alert(1)</script>"
        let page = self.page([hostile], [RunAd.sample()])
        #expect(!page.contains("<script") && !page.contains("<img src=x") && page.contains("&lt;script"))
    }

    @Test("an ad of one run is listed, and any numbers are read")
    func unpaired() {
        let odd = RunAd.sample(events: [Self.event("loaded", t: .min), Self.event("shown", t: .max)])
        let page = self.page([odd, .sample(name: "other")], [odd])
        #expect(page.contains("Ads of one run") && page.contains("the whole ad"))
    }

    @Test("random runs result in a page")
    func random() {
        for seed in TestSeed.all(from: 0xC8_0000, count: 50) {
            let (a, b) = (ComparedRun(RandomRun.report(seed: seed)), ComparedRun(RandomRun.report(seed: seed + 1)))
            let page = ComparisonPage(
                title: "x",
                madeAt: WallTime(milliseconds: 0),
                .init("A", a),
                .init("B", b),
                RunComparison(a, b)
            )
            #expect(page.text.hasSuffix("</html>\n"), "YABBI_SEED=\(seed)")
        }
    }
}
