import AdCore
import AdRuntime
import PlaySupport
import Testing
import WebStage

@testable import PlayReport
@testable import PlayText

@Suite("The accessibility of a report")
struct ReportAccessTests {
    private static let ad: ReportedAd = {
        var ad = ReportScenes.reportedAd(title: "An ad")
        ad.verdicts = [Verdict(event: "view", hasFired: true, reason: "recorded")]
        ad.requests = [ReportScenes.request("https://a.example/2", at: 0, .failed(.other("gone")))]
        let picture = StageCapture.Picture(
            caption: "On screen",
            at: Moment(.milliseconds(210)),
            size: Size(width: 3, height: 4),
            bytes: [1]
        )
        ad.scene.pictures = [picture]
        return ad
    }()
    private static let pages = [ReportScenes.page([ad]), ReportScenes.page([ad, ad])]

    /// The elements of a name: their attributes and contents.
    private func elements(_ name: String, of page: String) -> [Substring] {
        page.split(separator: "<\(name)").dropFirst().map { $0.split(separator: "</\(name)>")[0] }
    }

    @Test("there is one first-level heading, and no level is skipped", arguments: 0...1)
    func headings(_ number: Int) {
        let page = Self.pages[number].replacing("<header", with: "").replacing("<head", with: "")
        let levels = page.split(separator: "<h").dropFirst().compactMap { $0.first?.wholeNumberValue }
        #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
        for (last, next) in zip(levels, levels.dropFirst()) { #expect(next <= last + 1, "\(levels)") }
    }

    @Test("each table has a caption, and header cells for columns and rows", arguments: 0...1)
    func tables(_ number: Int) {
        let tables = self.elements("table>", of: Self.pages[number])
        #expect(tables.count == 5 * (number + 1))
        for table in tables {
            #expect(table.contains("<caption class=\"visually-hidden\">") && table.contains("<th scope=\"col\">"))
            #expect(table.contains("<th scope=\"row\""))
        }
    }

    @Test("images and charts have text alternatives, and links have targets", arguments: 0...1)
    func textAlternatives(_ number: Int) throws {
        let page = Self.pages[number]
        for image in page.split(separator: "<img").dropFirst() { #expect(image.hasPrefix(" alt=\"")) }
        #expect(page.contains("alt=\"An ad: On screen, after 200 ms\""))
        for chart in page.split(separator: "<svg").dropFirst() {
            let tag = chart.prefix { $0 != ">" }
            #expect(tag.contains("aria-hidden") || tag.contains("role=\"img\""))
        }
        let text =
            "Timeline; loaded at 50 ms; on screen from 190 ms to 2.99 s; view at 210 ms; blocked popup at 490 ms; "
        #expect(page.contains("aria-label=\"\(text)closable at 2.19 s; click at 2.29 s; closed: user at 2.99 s\""))
        for link in page.split(separator: "href=\"#").dropFirst() {
            let place = link.prefix { $0 != "\"" }
            #expect(page.contains("id=\"\(place)\""), "\(place)")
        }
    }

    @Test("no information is given by color alone")
    func signs() {
        let page = Self.pages[0]
        for (rating, sign) in [("good", "✓"), ("warn", "!"), ("bad", "✗")] {
            #expect(page.contains("<div class=\"\(rating)\"><dt>"))
            for badge in page.split(separator: "<span class=\"badge \(rating)").dropFirst() {
                #expect(badge.prefix(60).contains("<i aria-hidden=\"true\">\(sign)</i>"))
            }
        }
        #expect(page.contains("<path class=\"mark bad\""))
        #expect(page.contains("✗ click</text>"), "a dead beacon")
    }

    @Test("text has a contrast of at least 4.5 (WCAG 2.2, 1.4.3) in the light and the dark scheme", arguments: 0...1)
    func contrast(_ scheme: Int) throws {
        let style = String(decoding: PackageResources.report_css, as: UTF8.self)
        let rules = style.split(separator: ":root {")
        let palette = try #require(rules.dropFirst(scheme).first).prefix { $0 != "}" }
        func luminance(_ name: String) throws -> Double {
            let start = try #require(palette.firstRange(of: "--\(name): #"), "\(name)").upperBound
            let digits = try #require(Int(palette[start...].prefix(6), radix: 16), "\(name)")
            let parts = [digits >> 16, digits >> 8 & 0xFF, digits & 0xFF].map { part in
                let share = Double(part) / 255
                // An approximation of the power function of WCAG 2.2, "relative luminance".
                return share * share * (0.305306011 * share + 0.682171111) + 0.012522878 * share
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let pairs = [
            ("ink", "paper"), ("ink", "ground"), ("soft", "paper"), ("soft", "ground"), ("accent", "paper"),
            ("accent", "ground"), ("good", "paper"), ("good", "good-bg"), ("warn", "paper"), ("warn", "warn-bg"),
            ("bad", "paper"), ("bad", "bad-bg"), ("ink", "plain-bg"),
        ]
        for (front, back) in pairs {
            let both = [try luminance(front), try luminance(back)].sorted()
            #expect((both[1] + 0.05) / (both[0] + 0.05) >= 4.5, "\(front) on \(back)")
        }
    }

    @Test("the print style is black on white, with all sections open and nothing cut off")
    func print() throws {
        let style = String(decoding: PackageResources.report_css, as: UTF8.self)
        let start = try #require(style.firstRange(of: "@media print")).upperBound
        for rule in ["color-scheme: light", "details::details-content", "break-inside: avoid", ".url { display: block"]
        {
            #expect(style[start...].contains(rule), "\(rule)")
        }
    }
}
