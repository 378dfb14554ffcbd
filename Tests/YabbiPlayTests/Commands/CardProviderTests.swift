import AdCore
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Card providers")
struct CardProviderTests {
    private func play(_ words: String...) async -> (code: ExitCode, console: BufferConsole) {
        let console = BufferConsole()
        let code = await YabbiPlay.run(words + ["--clock", "virtual"], console)
        return (code, console)
    }

    @Test(
        "each card is shown with its disclosure, and its beacons are delivered",
        arguments: [
            ("attentionmarket", ["click"], 1), ("ceedads", ["view", "click"], 1), ("activeads", ["click"], 3),
        ]
    )
    func shown(provider: String, fired: [String], ads: Int) async throws {
        let (code, console) = await self.play("show", "--provider", provider, "--json", "--do", "click@1s")
        #expect(code == .done, "\(console.err)")
        let events = console.json.compactMap { $0["event"]?.string }
        for name in ["loaded", "shown", "view", "tap", "closed"] {
            #expect(events.count { $0 == name } == ads, "\(name)")
        }
        // A random campaign may have no link. A tap on its card is not a click.
        let withoutLink = console.json.count { $0["event"] == "tap" && $0["outcome"] == "nothing" }
        for name in ["click", "linkOpened"] { #expect(events.count { $0 == name } + withoutLink == ads, "\(name)") }
        #expect(events.count { $0 == "beaconDelivered" } + withoutLink == ads * fired.count)
        let verdicts = console.json.filter { $0["event"] == "verdict" && $0["fired"] == true }
        #expect(Set(verdicts.compactMap { $0["of"]?.string }) == Set(fired))
        let (_, text) = await self.play("show", "--provider", provider)
        #expect(text.out.contains { $0.contains("│ Sponsored") }, "the disclosure is the first line")
    }

    @Test("load prints the card, its rules and the provider's details")
    func loaded() async throws {
        let (code, console) = await self.play("load", "--provider", "ceedads", "--json")
        #expect(code == .done)
        let offer = try #require(console.json.first { $0["event"] == "offer" })
        #expect(offer["kind"] == "card" && offer["card"]?["label"] == "Sponsored")
        #expect(offer["details"]?["requestId"] != nil && offer["card"]?["headline"]?.string?.isEmpty == false)
        let (_, text) = await self.play("load", "--provider", "activeads", "--set", "format=banner")
        #expect(text.out.contains { $0.contains("daily_bid") })
        #expect(text.out.count { $0.contains("kind          card") } == 4, "all of the carousel")
    }

    @Test(
        "a refusal is a failed load, and an empty response is no fill",
        arguments: [
            (["attentionmarket", "--set", "user_message=nofill"], ExitCode.noFill, "no ad"),
            (["attentionmarket", "--set", "api_key=wrong"], .loadFailed, "X-Agent-ID"),
            (["attentionmarket", "--set", "user_message=html"], .loadFailed, "HTML"),
            (["attentionmarket", "--set", "user_message=evil"], .loadFailed, "no click-through URL"),
            (["attentionmarket", "--set", "user_message=error"], .loadFailed, "status 500"),
            (["ceedads", "--set", "contextText=notok"], .loadFailed, "ok: false"),
            (["ceedads", "--set", "appId=other"], .loadFailed, "appId"),
            (["ceedads", "--set", "contextText=a birthday party"], .loadFailed, "hologram"),
        ]
    )
    func refused(words: [String], code: ExitCode, message: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show", "--provider"] + words + ["--clock", "virtual"], console) == code)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(message) }, "\(console.err)")
    }

    @Test("a conversation in its cooldown gets no card, and no request is sent")
    func cooldown() async {
        let (code, console) = await self.play("show", "--provider", "ceedads", "--repeat", "3", "--json")
        #expect(code == .noFill || code == .loadFailed)
        #expect(console.json.last?["filled"] == 1)
        #expect(console.err.contains { $0.contains("coolingDown") || $0.contains("got an ad recently") })
    }

    @Test(
        "an invalid option of a card provider is refused before a request is sent",
        arguments: [
            (["--provider", "ceedads", "--set", "contexttext=x"], "did you mean contextText?"),
            (["--provider", "ceedads", "--set", "x"], "<name>=<value>"),
            (["--set", "a=b"], "not for --provider yabbi"),
            (["--provider", "ceedads", "--set", "appId=1", "--set", "appId=2"], "given twice"),
            (["--provider", "activeads", "--unit", "u"], "--unit is not for --provider activeads"),
            (["--provider", "activeads", "--set", "format=story"], "feed, banner, popup"),
            (["--provider", "activeads", "banner.html"], "takes no source"),
            (["--provider", "attentionmarket", "--format", "banner"], "--format is not for --provider"),
            (["--provider", "attentionmarket", "--endpoint", "http://127.0.0.1:9/functions/v1"], "--set user_message"),
        ]
    )
    func usage(words: [String], hint: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show"] + words, console) == .usage)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(hint) }, "\(console.err)")
    }

    @Test("a dry run prints each provider's exact request")
    func dryRun() async throws {
        let (code, console) = await self.play("show", "--provider", "activeads", "--dry-run", "--json")
        #expect(code == .done)
        let request = try #require(console.json.first)
        #expect(request["body"] == #"{"format":"feed"}"#)
        #expect(request["headers"]?["Cookie"] == nil && request["headers"]?["User-Agent"] == "yabbi")
        let (ofApp, _) = await self.play("show", "--provider", "activeads", "--dry-run", "--json", "--ifa", "IFA")
        #expect(ofApp == .usage, "the request has no advertising identifier")
    }

    @Test("the demo plays a conversation with the placement gate")
    func chat() async throws {
        let (code, console) = await self.play("demo", "--json", "--seed", "3")
        #expect(code == .done)
        let turns = console.json.filter { $0["event"] == "chat" }
        #expect(turns.prefix(3).allSatisfy { $0["allows"] == false })
        #expect(turns.contains { $0["allows"] == true } && turns.contains { $0["gate"] == "tooSoon" })
        let providers = Set(console.json.filter { $0["event"] == "shown" }.compactMap { $0["provider"]?.string })
        #expect(providers == ["yabbi", "openrtb", "attentionmarket", "ceedads", "activeads", "smartico"])
        let pages = try #require(console.json.first { $0["event"] == "toldByPages" })
        #expect(pages["impressions"] == 2 && pages["actions"] == 2 && pages["counted"] == 4 && pages["lost"] == 0)
        #expect(console.events.contains("deepLink") && console.events.contains("publicProperties"))
        let last = try #require(console.json.last)
        #expect(last["recorded"] == last["delivered"] && last["unknown"] == 0 && last["failed"] == 0)
    }
}
