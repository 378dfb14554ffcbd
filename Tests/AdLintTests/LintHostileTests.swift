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

    /// How much smaller the inputs of the short form are.
    private static let shortening = LongForm.either(1, short: 20)

    /// A repeated text; the short form repeats it less often.
    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count < 1000 ? count : count / self.shortening)
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
            "<VAST version=\"4.2\"><Ad><InLine>" + (0..<100_000 / shortening).map { "<Impressiom\($0)/>" }.joined()
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
            "{" + (0..<100_000 / shortening).map { "\"typ\($0)\":1," }.joined() + "\"adm\":\"\"}"
        },
    ]

    /// Input of any length that once took quadratic time.
    struct Repeated: Sendable, CustomStringConvertible {
        let description: String
        /// How often the full size repeats it.
        let count: Int
        let make: @Sendable (_ count: Int) -> String

        init(_ description: String, _ count: Int, _ make: @escaping @Sendable (_ count: Int) -> String) {
            self.description = description
            self.count = count
            self.make = make
        }
    }

    private static func copies(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    static let slow: [Repeated] = [
        Repeated("URLs on one line that are spelled differently in attributes", 15_000) {
            copies($0, "<img src=\"http://a.example/p?a=1&amp;b=2\">")
        },
        Repeated("URLs on one line that no attribute has literally", 15_000) {
            copies($0, "<img src=\"http://a.example/p?a=1&#x26;b=2\">")
        },
        Repeated("nested calls that are closed", 90_000) {
            LintSamples.script(copies($0, "setTimeout(") + copies($0, ")"))
        },
        Repeated("nested calls with arguments", 60_000) {
            LintSamples.script(copies($0, "setTimeout(a,b,") + copies($0, ")"))
        },
        Repeated("nested CDATA sections", 50_000) { "<VAST>" + copies($0, "<A><![CDATA[x<B>") + "</VAST>" },
        Repeated("a string of escapes", 1_000_000) { "\"<VAST a=\\\"b\\\">" + copies($0, "\\/") + "\"" },
        Repeated("an unclosed style sheet", 300_000) { "<style>" + copies($0, "/*\"(") + "</style>" },
    ]

    /// Four times the input takes four times as long, and sixteen times if the time is quadratic.
    @Test("the time is proportional to the input", .timeLimit(.minutes(2)), arguments: slow)
    func inProportion(_ input: Repeated) {
        // A short input takes a few milliseconds, which says nothing.
        let count = input.count / LongForm.either(1, short: 5)
        func time(_ count: Int) -> Duration {
            let text = input.make(count)
            return ProcessorTime.measure { #expect(Lint.check(text).findings.count <= 2000) }
        }
        let (short, long) = (time(count / 4), time(count))
        #expect(long < short * 8 + .milliseconds(20), "\(input): \(short), and \(long) for four times as much")
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
        #expect(HTMLTags.read(comment + "<a href=x></a><!-- --><b>").map(\.name) == ["a", "b"])
    }

    @Test("the linter sees attributes and elements as the reader does")
    func oneStream() {
        let tags = HTMLTags.read("<a href=&#x22;&lt;&#x22; HREF=b onclick='x(&quot;1&quot;)'></a>")
        #expect(tags.first?.attributes.map(\.name) == ["href", "onclick"])
        #expect(tags.first?.attributes.map(\.value) == ["\"<\"", "x(\"1\")"])
        let nested = HTMLTags.read("<template><p><template><a></a></template><b></b></p></template><i></i>")
        #expect(nested.filter(\.isInert).map(\.name) == ["p", "template", "a", "b"])
        // A browser adds the attributes of a second body to the first.
        let bodies = HTMLTags.read("<p>x</p><body onload='go()'>")
        #expect(bodies.map(\.name) == ["p", "body"] && bodies.last?["onload"] == "go()")
    }

    @Test("a place behind a repair is that of the input")
    func repairedPlaces() {
        let text =
            "<VAST version=4.0><Ad><InLine><Error>https://a.example/?a=1&b=2</Error><Impression/></InLine></Ad></VAST>"
        let tree = LintTreeReader.read(Array(text.utf8), from: SourcePlace(line: 1, column: 1)).tree
        for name in ["Error", "Impression"] {
            let column = text.firstRange(of: "<\(name)").map { text[..<$0.lowerBound].utf8.count + 1 }
            #expect(tree.nodes.first { $0.name == name }?.place.column == column)
        }
    }

    @Test("time and the number of findings are bounded", arguments: attacks)
    func bounded(_ attack: Attack) {
        let text = attack.make()
        let time = ProcessorTime.measure {
            let report = Lint.check(text)
            #expect(report.findings.count <= 2000)
            #expect(report.unlisted >= 0)
        }
        // The limit allows for unoptimised code on a slow computer; usually a tenth is enough.
        #expect(time < .timeout(90) / Self.shortening, "\(attack) took \(time)")
    }
}
