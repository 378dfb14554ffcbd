import AdHTML
import TestSupport
import Testing

@testable import AdLint

@Suite("Linting hostile input")
struct LintHostileTests {
    struct Attack: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable () -> String
    }

    /// A repeated text; the short form repeats it a twentieth as often, which still shows quadratic time.
    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count < 1000 ? count : LongForm.either(count, short: count / 20))
    }

    static let attacks: [Attack] = [
        Attack(description: "a million nested elements") { "<VAST version=\"4.2\">" + times(1_000_000, "<a>") },
        Attack(description: "a million attributes") { "<VAST " + times(1_000_000, "a=\"\" ") + "/>" },
        Attack(description: "attributes on many lines") {
            "<VAST version=\"4.2\">" + times(60, "<Ad " + (0..<5000).map { "a\($0)=\"\"\n" }.joined() + "/>")
                + "</VAST>"
        },
        Attack(description: "nested entities") {
            "<!DOCTYPE VAST [<!ENTITY a \"aaaaaaaaaa\">"
                + (1...20).map { "<!ENTITY a\($0) \"" + times(10, "&a\($0 - 1);") + "\">" }.joined()
                + "]><VAST version=\"4.2\">&a20;</VAST>"
        },
        Attack(description: "many false tags before real ones") {
            "<!DOCTYPE VAST [" + times(60, "<!ENTITY e \"<x " + times(30_000, "a") + "\">") + "]><VAST>"
                + times(100_000, "<Ad/>\n") + "</VAST>"
        },
        Attack(description: "a huge text") {
            "<VAST version=\"4.2\"><Error>" + times(4_000_000, "a") + "</Error></VAST>"
        },
        Attack(description: "loose ampersands") {
            "<VAST version=\"4.2\"><Error>" + times(1_000_000, "&") + "</Error></VAST>"
        },
        Attack(description: "unknown names") {
            "<VAST version=\"4.2\"><Ad><InLine>" + (0..<100_000).map { "<Impressiom\($0)/>" }.joined()
                + "</InLine></Ad></VAST>"
        },
        Attack(description: "very many trackers") {
            "<VAST version=\"4.2\"><Ad><InLine>" + times(60_000, "<Impression>http://a b</Impression>")
                + "</InLine></Ad></VAST>"
        },
        Attack(description: "nested documents") {
            "<VMAP>" + times(25, "<AdBreak><AdSource><VASTAdData><VAST>") + times(60_000, "<Ad/>") + "</VMAP>"
        },
        Attack(description: "macros") {
            "<VAST version=\"4.2\"><Error>https://" + times(400_000, "[A]${B}") + "</Error></VAST>"
        },
        Attack(description: "control characters") { "<VAST>" + times(500_000, "\u{0}\u{1}") },
        Attack(description: "nested brackets") { LintSamples.script(times(200_000, "(")) },
        Attack(description: "nested functions") {
            LintSamples.script(times(50_000, "(()=>{") + "window.open('a')" + times(50_000, "})()"))
        },
        Attack(description: "a chain of arrow functions") { LintSamples.script(times(150_000, "a=>")) },
        Attack(description: "nested loops") { LintSamples.script(times(50_000, "while(true){")) },
        Attack(description: "nested unclosed conditions") { LintSamples.script(times(90_000, "while(")) },
        Attack(description: "nested calls") { LintSamples.script(times(90_000, "setTimeout(")) },
        Attack(description: "storage in nested blocks") { LintSamples.script(times(60_000, "{localStorage;")) },
        Attack(description: "an unclosed string") { LintSamples.script("'" + times(2_000_000, "a\\")) },
        Attack(description: "regular expressions") { LintSamples.script(times(500_000, "=/[")) },
        Attack(description: "unclosed comments") { times(300_000, "<!--") },
        Attack(description: "unclosed scripts") { times(90_000, "<script>") },
        Attack(description: "a script of a megabyte") {
            "<script>" + times(50_000, "a(b, c); d = [e];\n") + "</script>"
        },
        Attack(description: "nested callbacks") { "<script>" + times(100_000, "a(function () {") + "</script>" },
        Attack(description: "nested templates") { "<script>" + times(100_000, "`${") + "</script>" },
        Attack(description: "a chain of conditional expressions") {
            "<script>a = " + times(100_000, "b ? c : ") + "d</script>"
        },
        Attack(description: "a chain of else") { "<script>" + times(50_000, "if (a) b(); else ") + "c()</script>" },
        Attack(description: "unclosed comments in a script") { "<script>" + times(200_000, "/* async ") + "</script>" },
        Attack(description: "words that need a lookahead") {
            "<script>" + times(100_000, "async let get ") + "</script>"
        },
        Attack(description: "macros in links") { times(20_000, "<a href='{CLICK_A}%%B%%##C##__D__%n[E]'>") },
        Attack(description: "unclosed CDATA sections") { "<VAST>" + times(50_000, "<A><![CDATA[x</A>") },
        Attack(description: "animations") { "<style>" + times(100_000, "animation:a ") + "</style>" },
        Attack(description: "quotation marks") { "<a href=" + times(1_000_000, "\"'") },
        Attack(description: "nested arrays") { times(100_000, "[") },
        Attack(description: "very many fields") {
            "{" + (0..<100_000).map { "\"typ\($0)\":1," }.joined() + "\"adm\":\"\"}"
        },
    ]

    /// Input that once took quadratic time.
    static let slow: [Attack] = [
        Attack(description: "URLs on one line that are spelled differently in attributes") {
            times(15_000, "<img src=\"http://a.example/p?a=1&amp;b=2\">")
        },
        Attack(description: "URLs on one line that no attribute has literally") {
            times(15_000, "<img src=\"http://a.example/p?a=1&#x26;b=2\">")
        },
        Attack(description: "nested calls that are closed") {
            LintSamples.script(times(90_000, "setTimeout(") + times(90_000, ")"))
        },
        Attack(description: "nested calls with arguments") {
            LintSamples.script(times(60_000, "setTimeout(a,b,") + times(60_000, ")"))
        },
        Attack(description: "nested CDATA sections") { "<VAST>" + times(50_000, "<A><![CDATA[x<B>") + "</VAST>" },
        Attack(description: "a string of escapes") { "\"<VAST a=\\\"b\\\">" + times(1_000_000, "\\/") + "\"" },
        Attack(description: "an unclosed style sheet") { "<style>" + times(300_000, "/*\"(") + "</style>" },
    ]

    @Test("the time is proportional to the input", .timeLimit(.minutes(1)), arguments: slow)
    func inProportion(_ attack: Attack) {
        let report = Lint.check(attack.make())
        #expect(report.findings.count <= 2000)
    }

    @Test("a long namespace is stored once, not once per element")
    func namespaces() {
        let text = "<vmap:VMAP xmlns:vmap='http://long.example/'>" + Self.times(100, "<vmap:AdBreak/>") + "</vmap:VMAP>"
        let tree = LintTreeReader.read(Array(text.utf8), from: SourcePlace(line: 1, column: 1)).tree
        #expect(tree.root?.namespace == "http://long.example/")
        #expect(tree.root?.children.count == 100)
        #expect(tree.root?.children.allSatisfy { $0.namespace == nil } == true)
    }

    @Test(
        "a comment ends where browsers end it",
        arguments: ["<!-- x -->", "<!-- x --!>", "<!-->", "<!--->", "<!---->", "<!--x--!-->", "<!-- -- > -->"]
    )
    func comments(comment: String) {
        #expect(HTMLTags.read(comment + "<a href=x></a><!-- --><b>").tags.map(\.name) == ["a", "b"])
    }

    @Test("time and the number of findings are bounded", arguments: attacks)
    func bounded(_ attack: Attack) {
        let text = attack.make()
        let time = ProcessorTime.measure {
            let report = Lint.check(text)
            #expect(report.findings.count <= 2000)
            #expect(report.unlisted >= 0)
        }
        // The limit allows for unoptimised code on a slow machine; usually a tenth is enough.
        #expect(time < .timeout(LongForm.either(90, short: 9)), "\(attack) took \(time)")
    }
}
