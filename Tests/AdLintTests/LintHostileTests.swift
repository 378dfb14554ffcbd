import AdHTML
import TestSupport
import Testing

@testable import AdLint

@Suite("The linter against what is meant to hurt it")
struct LintHostileTests {
    struct Attack: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable () -> String
    }

    /// A text many times; a tenth as often in the short form, where a time that grows with the square still shows.
    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count < 1000 ? count : LongForm.either(count, short: count / 10))
    }

    static let attacks: [Attack] = [
        Attack(description: "a million nested elements") { "<VAST version=\"4.2\">" + times(1_000_000, "<a>") },
        Attack(description: "a million attributes") { "<VAST " + times(1_000_000, "a=\"\" ") + "/>" },
        Attack(description: "attributes on many lines") {
            "<VAST version=\"4.2\">" + times(60, "<Ad " + (0..<5000).map { "a\($0)=\"\"\n" }.joined() + "/>")
                + "</VAST>"
        },
        Attack(description: "entities in entities") {
            "<!DOCTYPE VAST [<!ENTITY a \"aaaaaaaaaa\">"
                + (1...20).map { "<!ENTITY a\($0) \"" + times(10, "&a\($0 - 1);") + "\">" }.joined()
                + "]><VAST version=\"4.2\">&a20;</VAST>"
        },
        Attack(description: "tags that are none, before many that are") {
            "<!DOCTYPE VAST [" + times(60, "<!ENTITY e \"<x " + times(30_000, "a") + "\">") + "]><VAST>"
                + times(100_000, "<Ad/>\n") + "</VAST>"
        },
        Attack(description: "a huge text") {
            "<VAST version=\"4.2\"><Error>" + times(4_000_000, "a") + "</Error></VAST>"
        },
        Attack(description: "loose ampersands") {
            "<VAST version=\"4.2\"><Error>" + times(1_000_000, "&") + "</Error></VAST>"
        },
        Attack(description: "names that nobody knows") {
            "<VAST version=\"4.2\"><Ad><InLine>" + (0..<100_000).map { "<Impressiom\($0)/>" }.joined()
                + "</InLine></Ad></VAST>"
        },
        Attack(description: "ads and trackers without number") {
            "<VAST version=\"4.2\"><Ad><InLine>" + times(60_000, "<Impression>http://a b</Impression>")
                + "</InLine></Ad></VAST>"
        },
        Attack(description: "documents in documents") {
            "<VMAP>" + times(25, "<AdBreak><AdSource><VASTAdData><VAST>") + times(60_000, "<Ad/>") + "</VMAP>"
        },
        Attack(description: "macros") {
            "<VAST version=\"4.2\"><Error>https://" + times(400_000, "[A]${B}") + "</Error></VAST>"
        },
        Attack(description: "bytes without letters") { "<VAST>" + times(500_000, "\u{0}\u{1}") },
        Attack(description: "brackets in brackets") { LintSamples.script(times(200_000, "(")) },
        Attack(description: "functions in functions") {
            LintSamples.script(times(50_000, "(()=>{") + "window.open('a')" + times(50_000, "})()"))
        },
        Attack(description: "arrows behind arrows") { LintSamples.script(times(150_000, "a=>")) },
        Attack(description: "loops in loops") { LintSamples.script(times(50_000, "while(true){")) },
        Attack(description: "conditions in conditions") { LintSamples.script(times(90_000, "while(")) },
        Attack(description: "calls in calls") { LintSamples.script(times(90_000, "setTimeout(")) },
        Attack(description: "stores in tries") { LintSamples.script(times(60_000, "{localStorage;")) },
        Attack(description: "a text without an end") { LintSamples.script("'" + times(2_000_000, "a\\")) },
        Attack(description: "patterns") { LintSamples.script(times(500_000, "=/[")) },
        Attack(description: "comments without an end") { times(300_000, "<!--") },
        Attack(description: "scripts without an end") { times(90_000, "<script>") },
        Attack(description: "a script of a megabyte") {
            "<script>" + times(50_000, "a(b, c); d = [e];\n") + "</script>"
        },
        Attack(description: "code in code") { "<script>" + times(100_000, "a(function () {") + "</script>" },
        Attack(description: "templates in templates") { "<script>" + times(100_000, "`${") + "</script>" },
        Attack(description: "conditions in conditions") { "<script>a = " + times(100_000, "b ? c : ") + "d</script>" },
        Attack(description: "else behind else") { "<script>" + times(50_000, "if (a) b(); else ") + "c()</script>" },
        Attack(description: "comments that don't end") { "<script>" + times(200_000, "/* async ") + "</script>" },
        Attack(description: "words that look ahead") { "<script>" + times(100_000, "async let get ") + "</script>" },
        Attack(description: "macros in links") { times(20_000, "<a href='{CLICK_A}%%B%%##C##__D__%n[E]'>") },
        Attack(description: "CDATA in CDATA") { "<VAST>" + times(50_000, "<A><![CDATA[x</A>") },
        Attack(description: "animations") { "<style>" + times(100_000, "animation:a ") + "</style>" },
        Attack(description: "quotation marks") { "<a href=" + times(1_000_000, "\"'") },
        Attack(description: "arrays in arrays") { times(100_000, "[") },
        Attack(description: "fields without number") {
            "{" + (0..<100_000).map { "\"typ\($0)\":1," }.joined() + "\"adm\":\"\"}"
        },
    ]

    /// What took minutes, each for its length squared.
    static let slow: [Attack] = [
        Attack(description: "addresses on one line that are written in another way") {
            times(15_000, "<img src=\"http://a.example/p?a=1&amp;b=2\">")
        },
        Attack(description: "addresses on one line that no attribute has as they are") {
            times(15_000, "<img src=\"http://a.example/p?a=1&#x26;b=2\">")
        },
        Attack(description: "calls in calls that are closed") {
            LintSamples.script(times(90_000, "setTimeout(") + times(90_000, ")"))
        },
        Attack(description: "calls in calls with arguments") {
            LintSamples.script(times(60_000, "setTimeout(a,b,") + times(60_000, ")"))
        },
        Attack(description: "sections in sections") { "<VAST>" + times(50_000, "<A><![CDATA[x<B>") + "</VAST>" },
        Attack(description: "a string of escapes") { "\"<VAST a=\\\"b\\\">" + times(1_000_000, "\\/") + "\"" },
        Attack(description: "styles without an end") { "<style>" + times(300_000, "/*\"(") + "</style>" },
    ]

    @Test("takes time in proportion", .timeLimit(.minutes(1)), arguments: slow)
    func inProportion(_ attack: Attack) {
        let report = Lint.check(attack.make())
        #expect(report.findings.count <= 2000)
    }

    @Test("a namespace is kept once, however long it is and however many elements are in it")
    func namespaces() {
        let text = "<vmap:VMAP xmlns:vmap='http://long.example/'>" + Self.times(100, "<vmap:AdBreak/>") + "</vmap:VMAP>"
        let tree = LintTreeReader.read(Array(text.utf8), from: SourcePlace(line: 1, column: 1)).tree
        #expect(tree.root?.namespace == "http://long.example/")
        #expect(tree.root?.children.count == 100)
        #expect(tree.root?.children.allSatisfy { $0.namespace == nil } == true)
    }

    @Test(
        "a comment ends where a browser ends it",
        arguments: ["<!-- x -->", "<!-- x --!>", "<!-->", "<!--->", "<!---->", "<!--x--!-->", "<!-- -- > -->"]
    )
    func comments(comment: String) {
        #expect(HTMLTags.read(comment + "<a href=x></a><!-- --><b>").tags.map(\.name) == ["a", "b"])
    }

    @Test("takes bounded time and tells bounded findings", arguments: attacks)
    func bounded(_ attack: Attack) {
        let text = attack.make()
        let clock = ContinuousClock()
        let time = clock.measure {
            let report = Lint.check(text)
            #expect(report.findings.count <= 2000)
            #expect(report.unlisted >= 0)
        }
        // Unoptimised code on a busy machine: a tenth of it is the rule.
        #expect(time < .patience(LongForm.either(90, short: 9)), "\(attack) took \(time)")
    }
}
