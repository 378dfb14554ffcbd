import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The built-in server's videos, from load to close")
struct VideoUnitTests {
    /// Plays a unit, and returns what was called at VAST's trackers as `who/event`, each as often as it was.
    private func told(
        _ unit: String,
        _ words: String...,
        provider: String = "yabbi"
    ) async -> (code: ExitCode, told: [String], console: BufferConsole) {
        let console = BufferConsole()
        let common = ["show", "--unit", unit, "--provider", provider, "--clock", "virtual", "--seed", "1", "--json"]
        let code = await YabbiPlay.run(common + words, console)
        let told = console.json.compactMap { line -> String? in
            guard line["event"]?.string == "beaconRecorded", let url = line["url"]?.string,
                let range = url.firstRange(of: "/t/vast/\(unit)/")
            else { return nil }
            return String(url[range.upperBound...])
        }
        return (code, told, console)
    }

    private let quartiles = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    @Test(
        "inline: everything is told once, the view and the impressions at the first frame",
        arguments: ["yabbi", "openrtb"]
    )
    func inline(provider: String) async throws {
        let (code, told, console) = await self.told("video-inline", "--do", "click@1s", provider: provider)
        #expect(code == .done)
        for event in self.quartiles + ["loaded", "viewable", "progress-3s", "progress-90p", "click"] {
            #expect(
                told.count(where: {
                    $0.hasPrefix("inline/\(event)") && ($0.count == event.count + 7 || $0.contains("?"))
                }) == 1,
                "\(event): \(told)"
            )
        }
        #expect(told.count(where: { $0.hasPrefix("inline/impression") }) == 2)
        #expect(told.contains("icon/view") && told.contains("companion/creativeView"))
        #expect(told.contains("inline/verificationNotExecuted?reason=2"))
        let events = console.json
        let start = try #require(events.first { $0["event"]?.string == "quartile" && $0["q"]?.number == 0 })
        let view = try #require(events.first { $0["event"]?.string == "view" })
        let impression = try #require(events.first { $0["key"]?.string?.contains("/impression/") == true })
        #expect(start["t"] == view["t"] && view["t"] == impression["t"])
        let loaded = try #require(events.first { $0["event"]?.string == "loaded" })
        #expect(loaded["skipOffset"]?.number == 5000 && loaded["duration"]?.number == 15000)
    }

    @Test("skipped: at its offset and not before, to the end card, and what comes later is not told")
    func skip() async {
        let (code, told, console) = await self.told("video-inline", "--do", "skip@2s,skip@7s")
        #expect(code == .done)
        #expect(console.events.count(where: { $0 == "skipped" }) == 1)
        #expect(console.json.contains { $0["event"]?.string == "ignored" && $0["input"]?.string == "skip" })
        #expect(told.contains { $0.hasPrefix("inline/skip") } && told.contains("companion/creativeView"))
        #expect(!told.contains("inline/midpoint") && !told.contains("inline/complete"))
    }

    @Test("wrapped three times: each layer is told what it asked for, once")
    func wrapper() async {
        let (code, told, _) = await self.told("video-wrapper")
        #expect(code == .done)
        for who in ["wrapper-1", "wrapper-2", "wrapper-3", "inline"] {
            #expect(told.count(where: { $0 == "\(who)/impression" }) == 1)
            #expect(told.count(where: { $0 == "\(who)/start" }) == 1)
            #expect(told.count(where: { $0 == "\(who)/complete" }) == 1)
        }
        #expect(!told.contains { $0.contains("/error") })
    }

    @Test("a pod: in the order of its numbers, and nothing of the one in reserve")
    func pod() async throws {
        let (code, told, _) = await self.told("video-pod")
        #expect(code == .done)
        let first = try #require(told.firstIndex(of: "ad-1/complete"))
        let second = try #require(told.firstIndex(of: "ad-2/start"))
        #expect(first < second && told.contains("ad-2/complete"))
        #expect(told.filter { $0.hasPrefix("spare/") }.allSatisfy { $0 == "spare/notUsed" })
    }

    @Test("a pod with a gap: the video that is not there is told of by 401, and one in reserve is played")
    func gap() async {
        let (code, told, _) = await self.told("video-pod-gap")
        #expect(code == .done)
        #expect(told.filter { $0.hasPrefix("ad-2/") } == ["ad-2/error?code=401"])
        for event in self.quartiles + ["impression"] { #expect(told.contains("spare/\(event)")) }
    }

    @Test("rewarded: the reward comes before the close, which comes when the video is over")
    func rewarded() async throws {
        let (code, told, console) = await self.told("video-rewarded", "--do", "close@3s,skip@6s")
        #expect(code == .done && told.contains("inline/complete"))
        let events = console.events
        let reward = try #require(events.firstIndex(of: "rewarded"))
        #expect(try #require(events.firstIndex(of: "closeAvailable")) > reward)
        let closed = try #require(console.json.first { $0["event"]?.string == "closed" })
        #expect(
            closed["rewarded"] == .bool(true) && closed["t"]?.number == 10000 && closed["rule"]?.string == "endCard"
        )
    }

    @Test("an overlay: shown, clicked, closed, with its companion behind it")
    func overlay() async {
        let (code, told, _) = await self.told("video-overlay", "--do", "click@1s,click@6s")
        #expect(code == .done)
        for event in [
            "inline/impression", "inline/creativeView", "inline/click", "companion/creativeView",
        ] {
            #expect(told.contains(event), "\(event): \(told)")
        }
    }

    @Test("a plan: the break before the content, with its own beginning and end")
    func plan() async {
        let (code, told, console) = await self.told("video-vmap")
        #expect(code == .done)
        #expect(told.contains("preroll-break/breakStart") && told.contains("preroll-break/breakEnd"))
        #expect(console.json.contains { $0["code"]?.string == "vmap.break.chosen" })
        #expect(told.contains("preroll/complete") && !told.contains { $0.hasPrefix("midroll") })
    }

    @Test(
        "what can't be played is told of by its code, to everybody on the way, and costs nobody a view",
        arguments: [
            ("vast-empty", ExitCode.noFill, ["response/error?code=303"]),
            ("vast-cycle", .loadFailed, ["wrapper-1/error?code=302"]),
            ("vast-endless", .loadFailed, (1...6).map { "wrapper-\($0)/error?code=302" }),
            ("vast-wrapper-404", .loadFailed, ["wrapper-1/error?code=301"]),
            ("vast-html", .loadFailed, ["wrapper-1/error?code=101"]),
            ("vast-vpaid", .loadFailed, ["inline/error?code=901"]),
            ("vast-unsupported", .loadFailed, ["inline/error?code=403"]),
            ("vast-media-404", .showFailed, ["inline/error?code=401"]),
        ]
    )
    func faults(unit: String, code: ExitCode, expected: [String]) async {
        for provider in ["yabbi", "openrtb"] {
            let (ended, told, console) = await self.told(unit, provider: provider)
            #expect(ended == code)
            #expect(told.filter { !$0.contains("notUsed") } == expected)
            #expect(!console.events.contains("view"))
            #expect(
                console.events.count(where: { $0 == "beaconRecorded" })
                    == console.events.count(where: { $0 == "beaconDelivered" })
            )
        }
    }

    @Test("a server that hangs costs its share of the load's time, and is told of by 301")
    func slow() async {
        let (code, told, _) = await self.told("vast-slow", "--timeout", "1")
        #expect(code == .loadFailed && told == ["wrapper-1/error?code=301"])
    }

    @Test("a document that breaks off keeps the ads before the break")
    func broken() async {
        let (code, told, _) = await self.told("vast-broken")
        #expect(code == .done && told.contains("whole/complete"))
        #expect(told.filter { $0.hasPrefix("cut/") } == ["cut/error?code=101"])
    }

    @Test("what a scripted user does to a player is told")
    func script() async {
        let (_, told, _) = await self.told("video-rewarded", "--do", "mute@1s,pause@2s,resume@4s,unmute@5s")
        for event in ["mute", "unmute", "pause", "resume"] {
            #expect(told.count(where: { $0 == "inline/\(event)" }) == 1)
        }
        let (_, covered, _) = await self.told("video-rewarded", "--do", "cover@1s,uncover@9s")
        #expect(
            covered.contains("inline/pause") && covered.contains("inline/resume"),
            "nobody can see it under a cover"
        )
    }

    @Test("errors that were told on the way to an offer have their verdict, also where there was none")
    func loadErrors() async throws {
        let (_, _, console) = await self.told("vast-endless")
        let verdict = try #require(console.json.first { $0["of"]?.string == "load/error" })
        #expect(verdict["reason"]?.string == "6 times; delivered")
    }

    @Test("without an impression nobody asks whether the video was viewable, and the reason says that")
    func unseen() async throws {
        let (_, told, console) = await self.told("video-inline", "--do", "cover@0s")
        #expect(!told.contains { $0.contains("iewable") } && !told.contains { $0.contains("impression") })
        for name in ["viewable", "notViewable", "viewUndetermined"] {
            let verdict = try #require(console.json.first { $0["of"]?.string == "spot-1/\(name)" })
            #expect(verdict["fired"] == .bool(false))
        }
    }

    @Test("at the end each tracker has its verdict: fired, or why not")
    func verdicts() async throws {
        let (_, _, console) = await self.told("video-inline")
        let verdicts = console.json.filter { $0["event"]?.string == "verdict" }
        func verdict(_ name: String) -> AdJSON? { verdicts.first { $0["of"]?.string == name } }
        #expect(verdict("spot-1/complete")?["fired"] == .bool(true))
        #expect(verdict("spot-1/skip")?["reason"]?.string == "the user did not skip it")
        #expect(verdict("spot-1/error")?["reason"]?.string == "nothing failed")
        #expect(verdict("spot-1/impression")?["reason"]?.string == "2 times; delivered")
    }
}
