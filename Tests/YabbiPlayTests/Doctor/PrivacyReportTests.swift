import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("What doctor says of consent signals")
struct PrivacyReportTests {
    private static let tcf = "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA"

    /// The words after a term of the text output.
    private func text(_ console: BufferConsole, _ term: String) -> String? {
        console.out.first { $0.hasPrefix(term) }.map { String($0.dropFirst(term.count)).trimmed }
    }

    @Test(
        "each signal withholds what the table says, in text and JSON alike",
        arguments: [
            (["--usp", "1YYN"], "withheld: US opt-out", "may be sent"),
            (["--usp", "1YNN"], "may be sent", "may be sent"),
            (["--coppa"], "withheld: child", "withheld: child"),
            (["--limit-ad-tracking"], "withheld: ad tracking limited", "withheld: ad tracking limited"),
            (["--gdpr", "1"], "withheld: GDPR without purpose 1", "withheld: GDPR without purpose 1"),
            (["--tcf", tcf, "--gdpr", "0"], "may be sent", "may be sent"),
            (["--usp", "nonsense"], "withheld: consent unreadable", "withheld: consent unreadable"),
            (["--gpp", "DBABLA~BVVqAAAAAWA.!!!"], "withheld: consent unreadable", "withheld: consent unreadable"),
            (
                ["--tcf", String(repeating: "C", count: 1_048_576)], "withheld: consent unreadable",
                "withheld: consent unreadable"
            ), ([], "may be sent", "may be sent"),
        ]
    )
    func decisions(words: [String], identifier: String, coarse: String) async throws {
        let (code, console) = await play(["doctor", "--privacy"] + words)
        #expect(code == .done)
        #expect(self.text(console, "advertising identifier") == identifier)
        #expect(self.text(console, "coarse location") == coarse)
        #expect(console.out.allSatisfy { $0.utf8.count < 1_000 })
        let (_, json) = await play(["doctor", "--privacy", "--json"] + words)
        let data = try #require(json.json.first?["data"]?.array)
        for (name, text) in [("advertisingID", identifier), ("coarseLocation", coarse)] {
            let entry = data.first { $0["data"]?.string == name }
            #expect(entry?["allowed"] == .bool(text == "may be sent"), "\(name)")
        }
    }

    @Test("whether the GDPR applies is a signal of its own")
    func gdpr() async {
        let (_, outside) = await play(["doctor", "--privacy", "--tcf", Self.tcf, "--gdpr", "0"])
        #expect(self.text(outside, "GDPR") == "does not apply: a TCF string is not read")
        #expect(self.text(outside, "TCF") == nil)
        let (_, inside) = await play(["doctor", "--privacy", "--tcf", Self.tcf, "--gdpr", "1"])
        #expect(self.text(inside, "GDPR") == "applies" && self.text(inside, "TCF")?.contains("purposes") == true)
    }

    @Test(
        "wrong input is a usage error that names the option",
        arguments: [
            (["--privacy", "--gdpr", "2"], "--gdpr"), (["--usp", "1YYN"], "--usp requires --privacy"),
            (["--privacy", "--gpp-sid", "7"], "--gpp-sid requires --gpp"),
            (["--privacy", "--gpp", "DBAA", "--gpp-sid", "x"], "--gpp-sid"),
        ]
    )
    func usage(words: [String], expected: String) async {
        let (code, console) = await play(["doctor"] + words)
        #expect(code == .usage)
        #expect(console.err.joined().contains(expected), "\(console.err)")
    }
}
