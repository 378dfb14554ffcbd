import AdCore
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayReport
@testable import YabbiPlay

@Suite("Providers of cards, by the command")
struct CardProviderTests {
    private func play(_ words: String...) async -> (code: ExitCode, console: BufferConsole) {
        let console = BufferConsole()
        let code = await YabbiPlay.run(words + ["--clock", "virtual"], console)
        return (code, console)
    }

    @Test(
        "each is shown with what it says of itself, and its beacons arrive",
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
        // A campaign may have no link, and which ones are drawn is chance; a press on such a card is no click.
        let nowhere = console.json.count { $0["event"] == "tap" && $0["outcome"] == "nothing" }
        for name in ["click", "linkOpened"] { #expect(events.count { $0 == name } + nowhere == ads, "\(name)") }
        #expect(events.count { $0 == "beaconDelivered" } + nowhere == ads * fired.count)
        let verdicts = console.json.filter { $0["event"] == "verdict" && $0["fired"] == true }
        #expect(Set(verdicts.compactMap { $0["of"]?.string }) == Set(fired))
        let (_, spoken) = await self.play("show", "--provider", provider)
        #expect(spoken.out.contains { $0.contains("│ Sponsored") }, "whose it is stands first")
    }

    @Test("load tells the card, its rules and what else the provider says")
    func loaded() async throws {
        let (code, console) = await self.play("load", "--provider", "ceedads", "--json")
        #expect(code == .done)
        let offer = try #require(console.json.first { $0["event"] == "offer" })
        #expect(offer["kind"] == "card" && offer["card"]?["label"] == "Sponsored")
        #expect(offer["details"]?["requestId"] != nil && offer["card"]?["headline"]?.string?.isEmpty == false)
        let (_, spoken) = await self.play("load", "--provider", "activeads", "--set", "format=banner")
        #expect(spoken.out.contains { $0.contains("daily_bid") })
        #expect(spoken.out.count { $0.contains("kind          card") } == 4, "all of the carousel")
    }

    @Test(
        "what a server refuses, or has none of, ends as that",
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
    func refused(words: [String], code: ExitCode, says: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show", "--provider"] + words + ["--clock", "virtual"], console) == code)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(says) }, "\(console.err)")
    }

    @Test("a conversation that has just had a card gets no other, and nobody is asked")
    func cooldown() async {
        let (code, console) = await self.play("show", "--provider", "ceedads", "--repeat", "3", "--json")
        #expect(code == .noFill || code == .loadFailed)
        #expect(console.json.last?["filled"] == 1)
        #expect(console.err.contains { $0.contains("coolingDown") || $0.contains("got an ad recently") })
    }

    @Test(
        "what the command line says wrongly is told before anything is asked",
        arguments: [
            (["--provider", "ceedads", "--set", "contexttext=x"], "did you mean contextText?"),
            (["--provider", "ceedads", "--set", "x"], "NAME=VALUE"), (["--set", "a=b"], "not for yabbi"),
            (["--provider", "ceedads", "--set", "appId=1", "--set", "appId=2"], "given twice"),
            (["--provider", "activeads", "--unit", "u"], "has no units"),
            (["--provider", "activeads", "--set", "format=story"], "feed, banner, popup"),
            (["--provider", "activeads", "banner.html"], "no use for"),
            (["--provider", "attentionmarket", "--format", "banner"], "cards and nothing else"),
            (["--provider", "attentionmarket", "--endpoint", "http://127.0.0.1:9/functions/v1"], "--set user_message"),
        ]
    )
    func usage(words: [String], says: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show"] + words, console) == .usage)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(says) }, "\(console.err)")
    }

    @Test("a dry run prints the request of each to the letter")
    func dryRun() async throws {
        let (code, console) = await self.play("show", "--provider", "activeads", "--dry-run", "--json", "--ifa", "IFA")
        #expect(code == .done)
        let request = try #require(console.json.first)
        #expect(request["body"] == #"{"format":"feed"}"#)
        #expect(request["headers"]?["Cookie"] == nil && request["headers"]?["User-Agent"] == "yabbi")
        #expect(!request.text().contains("IFA"))
    }

    @Test("the demo holds a conversation in which the gate decides")
    func chat() async throws {
        let (code, console) = await self.play("demo", "--json", "--seed", "3")
        #expect(code == .done)
        let turns = console.json.filter { $0["event"] == "chat" }
        #expect(turns.prefix(3).allSatisfy { $0["allows"] == false })
        #expect(turns.contains { $0["allows"] == true } && turns.contains { $0["gate"] == "tooSoon" })
        let providers = Set(console.json.filter { $0["event"] == "shown" }.compactMap { $0["provider"]?.string })
        #expect(providers == ["yabbi", "openrtb", "attentionmarket", "ceedads", "activeads", "smartico"])
        let books = try #require(console.json.first { $0["event"] == "toldByPages" })
        #expect(books["impressions"] == 2 && books["actions"] == 2 && books["counted"] == 4 && books["lost"] == 0)
        #expect(console.events.contains("deepLink") && console.events.contains("publicProperties"))
        let last = try #require(console.json.last)
        #expect(last["recorded"] == last["delivered"] && last["unknown"] == 0 && last["failed"] == 0)
    }
}
