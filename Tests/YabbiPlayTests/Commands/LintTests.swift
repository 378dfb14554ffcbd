import AdCore
import AdLint
import AdMarkup
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Lint on the command line")
struct LintTests {
    private let good = "<a href=\"https://shop.example.com/\"><b>Tea</b></a>"
    private let risky = "<b>Tea</b>"
    private let bad =
        "<VAST version=\"4.9\">\n<Error>http://t.example/e?token=secret&amp;code=[ERRORCODE]</Error>\n</VAST>"

    /// Lints three files.
    ///
    /// Other names are missing files.
    private func lint(_ words: String...) async throws -> (ExitCode, BufferConsole, String) {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for (name, text) in [("good.html", self.good), ("risky.html", self.risky), ("bad one.xml", self.bad)] {
            _ = try #require(folder.write(text, name))
        }
        let console = BufferConsole()
        let paths = words.map { $0.contains(".") ? folder.path + "/" + $0 : $0 }
        return (await YabbiPlay.run(["lint"] + paths, console), console, folder.path)
    }

    @Test("text output has place, severity, rule and finding, and each fix once")
    func text() async throws {
        let (code, console, folder) = try await self.lint("bad one.xml", "good.html")
        #expect(code == .invalidCreative)
        #expect(console.err == ["yabbi-play: 1 error; see the findings above"])
        let path = folder + "/bad one.xml"
        #expect(
            console.out[0]
                == "\(path):1:7: error version-unknown: Unknown VAST version: the version is \u{201C}4.9\u{201D}"
        )
        #expect(console.out[1] == "    → Write one of 2.0, 3.0, 4.0, 4.1, 4.2 and 4.3.")
        #expect(console.out[2].hasPrefix("\(path):2:8: warning tracker-insecure: "))
        #expect(console.out[2].contains("token=***") && !console.out.joined().contains("secret"))
        #expect(console.out[4] == "\(path): VAST, 1 error, 1 warning")
        #expect(console.out.last == "\(folder)/good.html: HTML, no issues found")
    }

    @Test("--strict counts warnings, and --ignore removes rules")
    func strictAndIgnored() async throws {
        #expect(try await self.lint("risky.html").0 == .done)
        #expect(try await self.lint("--strict", "risky.html").0 == .invalidCreative)
        #expect(try await self.lint("--strict", "--ignore", "html-link-missing", "risky.html").0 == .done)
        #expect(try await self.lint("--ignore=version-unknown, tracker-insecure", "bad one.xml").0 == .done)
        let (code, console, _) = try await self.lint("missing.xml", "good.html")
        #expect(code == .invalidCreative && console.out.count == 3)
        #expect(console.err.count == 1 && console.err[0].contains("1 unreadable input"))
    }

    @Test("an unreadable input is named once, and a URL without its secrets")
    func names() async throws {
        let (_, missing, folder) = try await self.lint("missing.xml")
        #expect(missing.out == ["\(folder)/missing.xml: can't be read: No such file or directory"])
        for address in ["http://127.0.0.1:1/x?token=SECRET5", "http://me:SECRET5@127.0.0.1/x"] {
            let console = BufferConsole()
            #expect(await YabbiPlay.run(["lint", address], console) == .invalidCreative)
            let shown = (console.out + console.err).joined(separator: "\n")
            #expect(!shown.contains("SECRET5") && shown.contains("can't be read: "), "\(shown)")
            #expect(console.out.count == 1 && !console.out[0].contains("fetched"), "\(shown)")
        }
    }

    @Test("unlisted findings are counted, and groups are sorted by severity")
    func counts() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trackers = (1...150).map { "<Impression>http://t.example.com/\($0)</Impression>" }.joined()
        let path = try #require(
            folder.write("<VAST version=\"4.2\"><Ad><InLine>\(trackers)</InLine></Ad></VAST>", "many.xml")
        )
        let console = BufferConsole()
        _ = await YabbiPlay.run(["lint", path], console)
        #expect(console.out.contains { $0.contains("50 more findings not listed (at most 100 per rule") })
        #expect(console.out.last?.hasSuffix(" infos") ?? false, "\(console.out.last ?? "")")
        // One line for all 150, with the places of the first, and the fix once.
        let group = console.out.filter { $0.contains("warning tracker-insecure") }
        #expect(group.count == 1 && group[0].hasPrefix("\(path):1:45: warning tracker-insecure ×150: "), "\(group)")
        #expect(console.out.contains { $0.contains("    also at 1:92, 1:139, ") && $0.hasSuffix(" and 139 more") })
        let ranks = console.out.compactMap { line in
            ["error", "warning", "info"].firstIndex { line.contains(": \($0) ") }
        }
        #expect(ranks == ranks.sorted())
    }

    @Test("--json prints one line for each input")
    func json() async throws {
        let (code, console, folder) = try await self.lint("--json", "bad one.xml", "missing.xml", "good.html")
        #expect(code == .invalidCreative && console.json.count == 3)
        let first = console.json[0]
        #expect(
            first["file"]?.string == folder + "/bad one.xml" && first["kind"]?.string == "vast"
                && first["error"] == .null
        )
        #expect(first["counts"] == ["error": 1, "warning": 1, "info": 0] && first["unlisted"]?.number == 0)
        let finding = try #require(first["findings"]?.array?.first)
        #expect(finding["rule"]?.string == "version-unknown" && finding["severity"]?.string == "error")
        #expect(finding["line"]?.number == 1 && finding["cure"]?.string?.isEmpty == false)
        #expect(finding["column"]?.number == 7 && finding["count"]?.number == 1 && finding["fix"] == finding["cure"])
        #expect(finding["title"]?.string == "Unknown VAST version" && finding["places"]?.array?.count == 1)
        #expect(console.json[1]["error"]?.string != nil && console.json[1]["kind"] == .null)
        #expect(console.json[2]["findings"] == [])
        // The error for an unreadable URL does not contain its password.
        for command in ["lint", "inspect"] {
            let failed = await play(command, "--json", "https://joe:geheim@127.0.0.1:1/x?token=abc").console
            #expect(!(failed.out + failed.err).joined().contains("geheim"), "\(command)")
        }
    }

    @Test("SARIF has every rule, and each finding with its rule and location")
    func sarif() async throws {
        let (code, console, folder) = try await self.lint("--sarif", "bad one.xml", "good.html", "missing.xml")
        #expect(code == .invalidCreative && console.json.count == 1)
        let log = console.json[0]
        #expect(log["version"]?.string == "2.1.0")
        let run = try #require(log["runs"]?.array?.first)
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
        #expect(rules.compactMap { $0["id"]?.string } == LintRule.all.map(\.id))
        #expect(Set(rules.compactMap { $0["defaultConfiguration"]?["level"]?.string }) == ["error", "warning", "note"])
        let citations = rules.map { $0["properties"]?["specification"]?.string }
        #expect(citations == LintRule.all.map(\.specification))
        let results = try #require(run["results"]?.array)
        #expect(results.count == 2)
        for result in results {
            let index = try #require(result["ruleIndex"]?.number)
            #expect(rules[Int(index)]["id"] == result["ruleId"])
        }
        let place = try #require(results[1]["locations"]?.array?.first?["physicalLocation"])
        #expect(place["artifactLocation"]?["uri"]?.string == "file://\(folder)/bad%20one.xml")
        #expect(place["region"]?["startLine"]?.number == 2 && place["region"]?["startColumn"]?.number == 8)
        let invocation = try #require(run["invocations"]?.array?.first)
        #expect(invocation["executionSuccessful"] == false)
        #expect(invocation["toolExecutionNotifications"]?.array?.count == 1)
    }

    @Test("the rules are listed, and one is explained")
    func rules() async throws {
        let list = await play("lint", "--rules")
        #expect(list.code == .done)
        for rule in LintRule.all { #expect(list.console.out.contains { $0.contains(" \(rule.id) ") }, "\(rule.id)") }
        let page = await play("lint", "--rules", "duration-missing")
        #expect(page.console.out.first == "duration-missing (error)" && page.console.out.count == 5)
        #expect(page.console.out.last == "  see  VAST 4.3 §3.8.1")
        let json = await play("lint", "--rules", "--json")
        #expect(json.console.json.compactMap { $0["rule"]?.string } == LintRule.all.map(\.id))
    }

    @Test(
        "invalid options are refused, and misspelt rules have a suggestion",
        arguments: [
            (["lint"], "missing argument <input>"),
            (["lint", "--rules", "duration-mising"], "did you mean duration-missing?"),
            (["lint", "--ignore", "duration-mising", "a.xml"], "did you mean duration-missing?"),
            (["lint", "--json", "--sarif", "a.xml"], "remove one of them"),
            (["lint", "--markdown", "a.xml"], "--markdown requires --rules"),
            (["lint", "--rules", "--sarif"], "--sarif can't be combined with --rules"),
        ]
    )
    func refusals(words: [String], hint: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == .usage)
        #expect(console.err.count == 1 && console.err[0].contains(hint), "\(console.err)")
    }
}
