import AdCore
import Testing

@testable import AdLint

@Suite("Lint rules")
struct LintTableTests {
    @Test("each rule finds its mistake, and nothing in the correct sample", arguments: LintCase.all)
    func table(_ sample: LintCase) throws {
        if let problem = sample.problem { Issue.record("\(sample.rule): \(problem)") }
        let rule = try #require(LintRule.named(sample.rule), "unknown rule \(sample.rule)")
        let source = sample.source.flatMap { HTTPURL($0) }
        let bad = Lint.check(Array(sample.bad.utf8), from: source)
        let found = bad.findings.filter { $0.rule == rule }
        #expect(!found.isEmpty, "\(sample.rule) finds nothing; the findings are \(names(bad))")
        for finding in bad.findings {
            #expect(!finding.message.isEmpty && !finding.message.contains("\n"))
            if let line = finding.line { #expect(line >= 1 && line <= lines(of: sample.bad)) }
        }
        let others = Set(bad.findings.filter { $0.rule.severity != .info }.map(\.rule.id)).subtracting([rule.id])
        #expect(
            others.isSubset(of: sample.others.union(LintCase.companions[rule.id] ?? [])),
            "\(sample.rule) has other findings: \(bad.findings.map { "\($0.rule.id): \($0.message)" })"
        )
        let good = Lint.check(Array(sample.good.utf8), from: source)
        let wrong = good.findings.filter { $0.rule == rule }
        #expect(wrong.isEmpty, "\(sample.rule) finds \(wrong.first?.message ?? "") in the correct sample")
    }

    @Test("at least 150 mistakes are found by exactly the expected rule, without another error or warning")
    func alone() {
        let alone = LintCase.all.filter { sample in
            let bad = Lint.check(Array(sample.bad.utf8), from: sample.source.flatMap { HTTPURL($0) })
            return Set(bad.findings.map(\.rule)).allSatisfy { $0.id == sample.rule || $0.severity == .info }
        }
        #expect(alone.count >= 150, "\(alone.count) of \(LintCase.all.count)")
    }

    @Test("the summary of a finding does not repeat its title", arguments: LintCase.all)
    func titles(_ sample: LintCase) {
        for finding in Lint.check(Array(sample.bad.utf8)).findings where finding.summary.contains(": ") {
            guard let detail = finding.detail, finding.summary.hasPrefix(finding.rule.title + ": ") else { continue }
            let words = LintFinding.significantWords(of: detail)
            #expect(
                !LintFinding.significantWords(of: finding.rule.title).isSubset(of: words),
                "\(finding.rule.id): \(finding.summary)"
            )
        }
    }

    @Test("every rule has a sample")
    func noneMissing() {
        let shown = Set(LintCase.all.map(\.rule))
        let missing = LintRule.all.map(\.id).filter { !shown.contains($0) }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test(
        "correct documents have no findings",
        arguments: [
            LintSamples.vast, LintSamples.wrapper, LintSamples.vmap, LintSamples.html, LintSamples.answer,
            LintSamples.script("var a = 1;"),
            LintSamples.mraid("document.onclick = function () { mraid.open(\"https://shop.example.com/\"); };"),
        ]
    )
    func clean(_ sample: String) {
        let report = Lint.check(sample)
        #expect(report.findings.isEmpty, "\(report.findings.map { "\($0.line ?? 0) \($0.rule.id): \($0.message)" })")
        #expect(report.unlisted == 0)
    }

    @Test("each rule has a unique id, and a title, a reason and a fix of one line each")
    func catalogue() {
        #expect(LintRule.all.count >= 120)
        #expect(Set(LintRule.all.map(\.id)).count == LintRule.all.count)
        for rule in LintRule.all {
            #expect(
                rule.id.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || (0x30...0x39).contains($0) },
                "\(rule.id)"
            )
            #expect(!rule.title.isEmpty && !rule.title.hasSuffix("."), "\(rule.id)")
            #expect(rule.why.hasSuffix(".") && rule.fix.hasSuffix("."), "\(rule.id)")
            #expect(![rule.title, rule.why, rule.fix].contains { $0.contains("\n") || $0.count > 100 }, "\(rule.id)")
        }
    }

    @Test("a rule that a specification decides names its section, or the element, method or heading")
    func citations() {
        let number = /§[1-9](\d|\.\d+)*( and §[1-9](\d|\.\d+)*)?(, [^.]+)?/
        let source = /(VAST 4\.3|MRAID 3\.0|SIMID 1\.2|RFC \d{4}|XML 1\.0|Namespaces in XML 1\.0)[ ]/
        let named = /(VMAP 1\.0\.1|MRAID 3\.0|HTML Living Standard), [^.]+/
        for rule in LintRule.all {
            guard let citation = rule.specification, citation != "RFC 8259" else { continue }
            let section = citation.prefixMatch(of: source).map { citation[$0.range.upperBound...] } ?? ""
            #expect(
                section.wholeMatch(of: number) != nil || citation.wholeMatch(of: named) != nil,
                "\(rule.id): \(citation)"
            )
        }
        // Rules about elements, attributes and events of VAST and VMAP are the specification's own.
        let structure = ["vmap-", "wrapper-", "companion-", "icon-", "nonlinear-", "verification-", "attribute-"]
        for rule in LintRule.all where structure.contains(where: rule.id.hasPrefix) && rule.id != "verification-twice" {
            #expect(rule.specification != nil, "\(rule.id)")
        }
    }

    @Test("a finding has the line of the mistake")
    func lines() {
        let tag = LintSamples.vast.replacingFirst("25.00", with: "25 dollars").replacingFirst(
            "type=\"text/vtt\"",
            with: "\n\n type=\"\""
        )
        let found = Dictionary(
            Lint.check(tag).findings.map { ($0.rule.id, $0.line) },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(found["pricing-value-wrong"] == 8)
        #expect(found["caption-type-missing"] == 32)
        let page = Lint.check(LintSamples.html.replacingFirst("alt=\"Tea\"", with: ""))
        #expect(page.findings.map(\.line) == [9])
        let code = Lint.check(LintSamples.script("\n\nalert(1)"))
        #expect(code.findings.map(\.line) == [5])
        let inner = Lint.check(LintSamples.answer.replacingFirst("alt='Tea'", with: ""))
        #expect(inner.findings.map(\.line) == [10] && inner.findings[0].message.hasPrefix("adm, line 1, column 37: "))
    }

    @Test("a finding has the column of the mistake")
    func columns() {
        func places(_ text: String, _ rule: String) -> [String] {
            Lint.check(text).findings.filter { $0.rule.id == rule }.map { "\($0.line ?? 0):\($0.column ?? 0)" }
        }
        let vast = LintSamples.vast
        #expect(places(vast.replacingFirst("adType=\"video\"", with: "adType=\"film\""), "ad-type-wrong") == ["3:12"])
        #expect(
            places(vast.replacingFirst("https://t.example.com/25", with: "http://t.example.com/25"), "tracker-insecure")
                == ["40:33"]
        )
        #expect(
            places(
                vast.replacingFirst("[CDATA[https://t.example.com/view", with: "[CDATA[http://t.example.com/view"),
                "tracker-insecure"
            ) == ["7:29"]
        )
        #expect(
            places(vast.replacingFirst("<AdTitle>Tea", with: "<AdTitle>T & \u{4E16}<Foo/>"), "element-unknown") == [
                "10:15"
            ]
        )
        #expect(places(LintSamples.html.replacingFirst(" alt=\"Tea\"", with: ""), "html-image-alt-missing") == ["9:53"])
        #expect(places(LintSamples.script("/* \u{E9} */ alert(1)"), "script-dialog") == ["3:9"])
        #expect(places("<b onclick=\"alert(1)\">Tea</b>", "script-dialog") == ["1:13"])
        #expect(
            places("\n\n  " + LintSamples.answer.replacingFirst("5000", with: "-5"), "answer-timeout-negative") == [
                "5:1"
            ]
        )
        #expect(
            places(vast.replacingFirst("</AdTitle>", with: "</AdTitel>"), "xml-tag-mismatch").first?.hasPrefix("10:")
                ?? false
        )
    }

    @Test("findings are grouped by rule, errors first, each group with its count")
    func groups() {
        let trackers = (1...120).map { "<Impression>http://t.example.com/\($0)</Impression>" }.joined(separator: "\n")
        let report = Lint.check("<VAST version=\"4.9\"><Ad><InLine>\n\(trackers)</InLine></Ad></VAST>")
        let groups = report.groups
        let order = LintRule.Severity.allCases
        let ranks = groups.map { group in order.firstIndex(of: group.rule.severity) ?? 0 }
        #expect(ranks == ranks.sorted())
        #expect(Set(groups.map(\.rule)).count == groups.count)
        #expect(groups.reduce(0) { $0 + $1.findings.count } == report.findings.count)
        let insecure = groups.first { $0.rule.id == "tracker-insecure" }
        #expect(insecure?.count == 120 && insecure?.findings.count == 100 && insecure?.first.line == 2)
    }

    @Test("a syntax error is reported at its place, and the script has no other findings")
    func syntax() {
        let page = "<b onclick=\"go()\">Tea</b>\n<script>var u = 1;\n  function go() { window.open(u)\n</script>"
        let found = Lint.check(page).findings
        #expect(found.map(\.rule.id) == ["script-syntax"])
        #expect(found.first?.line == 3 && found.first?.column == 3)
        #expect(found.first?.message == "the { of function go is not closed when the script ends on line 4")
    }

    @Test("a method with the name of a browser's method is not assumed to be called")
    func sharedNames() {
        let code = """
            class Game { open() { window.open('https://shop.example.com/'); } }
            var request = new XMLHttpRequest(); request.open('GET', 'https://s.example.com/'); new Game();
            """
        #expect(Lint.check(LintSamples.script(code)).findings.isEmpty)
    }

    @Test("a truncated document has one finding, and none about parts that may have followed")
    func brokenOff() {
        let tag = LintSamples.vast
        for count in stride(from: 200, to: tag.utf8.count - 8, by: 7) {
            let found = Lint.check(Array(tag.utf8.prefix(count))).findings
            #expect(found.filter { $0.rule.id == "xml-truncated" }.count == 1, "\(count)")
            let others = found.filter { $0.rule.id != "xml-truncated" }
            #expect(others.isEmpty, "\(count): \(others.map { "\($0.rule.id): \($0.message)" })")
        }
    }

    @Test("an element without an end tag does not make a document truncated")
    func leftOpen() {
        let found = Lint.check(LintSamples.vast.replacingFirst("</InLine>", with: "")).findings
        #expect(Set(found.map(\.rule.id)) == ["xml-tag-mismatch"])
        let junk = Lint.check("<br />\nNotice\n" + LintSamples.vast).findings
        #expect(junk.map(\.rule.id) == ["xml-text-before-root"])
    }

    @Test("bytes of another encoding are reported as such")
    func latin() {
        let tag = Array(LintSamples.vast.utf8)
        let place = LintSamples.vast.firstRange(of: "Tea<").map { LintSamples.vast[..<$0.lowerBound].utf8.count } ?? 0
        let found = Lint.check(tag[..<place] + [0xE9] + tag[place...]).findings
        #expect(found.map(\.rule.id) == ["xml-encoding-wrong"])
    }

    @Test("entities are reported once, and not in the DOCTYPE")
    func entities() {
        let declared = "<!DOCTYPE VAST [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>\n"
        let tag = declared + "<VAST version=\"4.2\"><Error>https://t.example.com/[ERRORCODE]&c;&a;</Error></VAST>"
        #expect(Lint.check(tag).findings.map(\.rule.id) == ["xml-doctype", "xml-entity"])
    }

    @Test("two URLs, or spaces in a macro, are not reported as spaces in a URL")
    func blanks() {
        for (text, rule) in [
            ("https://t.example.com/25?r=[ CACHEBUSTING ]", "macro-misspelt"),
            ("https://t.example.com/25\nhttps://t.example.com/26", "url-several"),
        ] {
            let found = Lint.check(LintSamples.vast.replacingFirst("https://t.example.com/25", with: text)).findings
            #expect(found.map(\.rule.id) == [rule])
        }
    }

    @Test("encoded markup has only the finding that it is encoded")
    func coded() {
        let adm = "&lt;VAST&gt;&lt;Error&gt;https://t.example.com/[ERRORCODE]&lt;/Error&gt;&lt;/VAST&gt;"
        let answer =
            "{\"type\": 2, \"width\": 0, \"height\": 0, \"adm\": \"\(adm)\","
            + " \"tracker\": {\"view\": \"https://t.example.com/v\", \"click\": \"https://t.example.com/c\"}}"
        #expect(Lint.check(answer).findings.map(\.rule.id) == ["answer-adm-escaped"])
    }

    @Test("only the markup of an OpenRTB response is checked")
    func bids() {
        let report = Lint.check("{\"id\": \"1\", \"seatbid\": [{\"bid\": [\n{\"adm\": \"<b>Tea</b>\"}]}]}")
        #expect(report.findings.map(\.rule.id) == ["html-link-missing"])
        #expect(report.findings.first?.line == 2)
        #expect(report.findings.first?.message.hasPrefix("adm of bid 1: ") ?? false)
    }

    @Test("a known charset is not reported as missing")
    func charsets() {
        let page = LintSamples.html.replacingFirst("<meta charset=\"utf-8\">", with: "").replacingFirst(
            "<p>Tea",
            with: "<p>Th\u{E9}"
        )
        #expect(Lint.check(Array(page.utf8)).findings.map(\.rule.id) == ["html-charset-missing"])
        #expect(Lint.check(Array(page.utf8), charset: "utf-8").findings.isEmpty)
        #expect(Lint.check(page).findings.isEmpty)
    }

    @Test("ignored rules are not counted")
    func ignoring() throws {
        let report = Lint.check("<VAST version=\"4.9\"/>")
        #expect(report.count(.error) == 1 && report.count(.info) == 1)
        let rule = try #require(LintRule.named("version-unknown"))
        #expect(report.ignoring([rule]).count(.error) == 0 && report.ignoring([rule]).findings.count == 1)
    }

    private func names(_ report: LintReport) -> [String] { report.findings.map(\.rule.id) }

    private func lines(of text: String) -> Int { text.utf8.count { $0 == 0x0A } + 1 }
}
