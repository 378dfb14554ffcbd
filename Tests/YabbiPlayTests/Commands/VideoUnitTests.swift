import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The built-in server's videos, from load to close")
struct VideoUnitTests {
    /// Plays a unit, and returns the VAST trackers that fired, each as `ad/event`.
    private func play(
        _ unit: String,
        _ words: String...,
        provider: String = "yabbi"
    ) async -> (code: ExitCode, fired: [String], console: BufferConsole) {
        let console = BufferConsole()
        let common = ["show", "--unit", unit, "--provider", provider, "--clock", "virtual", "--seed", "1", "--json"]
        let code = await YabbiPlay.run(common + words, console)
        let fired = console.json.compactMap { line -> String? in
            guard line["event"]?.string == "beaconRecorded", let url = line["url"]?.string,
                let range = url.firstRange(of: "/t/vast/\(unit)/")
            else { return nil }
            return String(url[range.upperBound...])
        }
        return (code, fired, console)
    }

    private let quartiles = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    @Test(
        "inline: each tracker fires once, view and impressions with the first frame",
        arguments: ["yabbi", "openrtb"]
    )
    func inline(provider: String) async throws {
        let (code, fired, console) = await self.play("video-inline", "--do", "click@1s", provider: provider)
        #expect(code == .done)
        for event in self.quartiles + ["loaded", "viewable", "progress-3s", "progress-90p", "click"] {
            #expect(
                fired.count(where: {
                    $0.hasPrefix("inline/\(event)") && ($0.count == event.count + 7 || $0.contains("?"))
                }) == 1,
                "\(event): \(fired)"
            )
        }
        #expect(fired.count(where: { $0.hasPrefix("inline/impression") }) == 2)
        #expect(fired.contains("icon/view") && fired.contains("companion/creativeView"))
        #expect(fired.contains("inline/verificationNotExecuted?reason=2"))
        let events = console.json
        let start = try #require(events.first { $0["event"]?.string == "quartile" && $0["q"]?.number == 0 })
        let view = try #require(events.first { $0["event"]?.string == "view" })
        let impression = try #require(events.first { $0["key"]?.string?.contains("/impression/") == true })
        #expect(start["t"] == view["t"] && view["t"] == impression["t"])
        let loaded = try #require(events.first { $0["event"]?.string == "loaded" })
        #expect(loaded["skipOffset"]?.number == 5000 && loaded["duration"]?.number == 15000)
    }

    @Test("skip: only from its offset, then the end card, and no later quartiles")
    func skip() async {
        let (code, fired, console) = await self.play("video-inline", "--do", "skip@2s,skip@7s")
        #expect(code == .done)
        #expect(console.events.count(where: { $0 == "skipped" }) == 1)
        #expect(console.json.contains { $0["event"]?.string == "ignored" && $0["input"]?.string == "skip" })
        #expect(fired.contains { $0.hasPrefix("inline/skip") } && fired.contains("companion/creativeView"))
        #expect(!fired.contains("inline/midpoint") && !fired.contains("inline/complete"))
    }

    @Test("three wrappers: the trackers of each level fire once")
    func wrapper() async {
        let (code, fired, _) = await self.play("video-wrapper")
        #expect(code == .done)
        for ad in ["wrapper-1", "wrapper-2", "wrapper-3", "inline"] {
            #expect(fired.count(where: { $0 == "\(ad)/impression" }) == 1)
            #expect(fired.count(where: { $0 == "\(ad)/start" }) == 1)
            #expect(fired.count(where: { $0 == "\(ad)/complete" }) == 1)
        }
        #expect(!fired.contains { $0.contains("/error") })
    }

    @Test("a pod: ads play in sequence, and fallback ads are not used")
    func pod() async throws {
        let (code, fired, _) = await self.play("video-pod")
        #expect(code == .done)
        let first = try #require(fired.firstIndex(of: "ad-1/complete"))
        let second = try #require(fired.firstIndex(of: "ad-2/start"))
        #expect(first < second && fired.contains("ad-2/complete"))
        #expect(fired.filter { $0.hasPrefix("spare/") }.allSatisfy { $0 == "spare/notUsed" })
    }

    @Test("a pod with a gap: a missing media file is reported as 401, and a fallback ad plays")
    func gap() async {
        let (code, fired, _) = await self.play("video-pod-gap")
        #expect(code == .done)
        #expect(fired.filter { $0.hasPrefix("ad-2/") } == ["ad-2/error?code=401"])
        for event in self.quartiles + ["impression"] { #expect(fired.contains("spare/\(event)")) }
    }

    @Test("rewarded: the reward comes before the close, which comes at the end of the video")
    func rewarded() async throws {
        let (code, fired, console) = await self.play("video-rewarded", "--do", "close@3s,skip@6s")
        #expect(code == .done && fired.contains("inline/complete"))
        let events = console.events
        let reward = try #require(events.firstIndex(of: "rewarded"))
        #expect(try #require(events.firstIndex(of: "closeAvailable")) > reward)
        let closed = try #require(console.json.first { $0["event"]?.string == "closed" })
        #expect(
            closed["rewarded"] == .bool(true) && closed["t"]?.number == 10000 && closed["rule"]?.string == "endCard"
        )
    }

    @Test("an overlay: shown, clicked, closed, with its companion")
    func overlay() async {
        let (code, fired, _) = await self.play("video-overlay", "--do", "click@1s,click@6s")
        #expect(code == .done)
        for event in [
            "inline/impression", "inline/creativeView", "inline/click", "companion/creativeView",
        ] {
            #expect(fired.contains(event), "\(event): \(fired)")
        }
    }

    @Test("VMAP: the preroll break has its break start and end")
    func plan() async {
        let (code, fired, console) = await self.play("video-vmap")
        #expect(code == .done)
        #expect(fired.contains("preroll-break/breakStart") && fired.contains("preroll-break/breakEnd"))
        #expect(console.json.contains { $0["code"]?.string == "vmap.break.chosen" })
        #expect(fired.contains("preroll/complete") && !fired.contains { $0.hasPrefix("midroll") })
    }

    @Test(
        "an unplayable video fires the error URLs of the whole chain with its code, and no view",
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
            let (ended, fired, console) = await self.play(unit, provider: provider)
            #expect(ended == code)
            #expect(fired.filter { !$0.contains("notUsed") } == expected)
            #expect(!console.events.contains("view"))
            #expect(
                console.events.count(where: { $0 == "beaconRecorded" })
                    == console.events.count(where: { $0 == "beaconDelivered" })
            )
        }
    }

    @Test("a wrapper timeout leaves time for the rest of the load, and is reported as 301")
    func slow() async {
        let (code, fired, _) = await self.play("vast-slow", "--timeout", "1")
        #expect(code == .loadFailed && fired == ["wrapper-1/error?code=301"])
    }

    @Test("a truncated document keeps the ads before the break")
    func broken() async {
        let (code, fired, _) = await self.play("vast-broken")
        #expect(code == .done && fired.contains("whole/complete"))
        #expect(fired.filter { $0.hasPrefix("cut/") } == ["cut/error?code=101"])
    }

    @Test("actions of a scripted user on a player fire their trackers")
    func script() async {
        let (_, fired, _) = await self.play("video-rewarded", "--do", "mute@1s,pause@2s,resume@4s,unmute@5s")
        for event in ["mute", "unmute", "pause", "resume"] {
            #expect(fired.count(where: { $0 == "inline/\(event)" }) == 1)
        }
        let (_, covered, _) = await self.play("video-rewarded", "--do", "cover@1s,uncover@9s")
        #expect(
            covered.contains("inline/pause") && covered.contains("inline/resume"),
            "a covered video is paused"
        )
    }

    @Test("error trackers fired during the load have a verdict, also without an offer")
    func loadErrors() async throws {
        let (_, _, console) = await self.play("vast-endless")
        let verdict = try #require(console.json.first { $0["of"]?.string == "load/error" })
        #expect(verdict["reason"]?.string == "6 of 6 URLs delivered")
    }

    @Test("without an impression no viewability tracker fires")
    func unseen() async throws {
        let (_, fired, console) = await self.play("video-inline", "--do", "cover@0s")
        #expect(!fired.contains { $0.contains("iewable") } && !fired.contains { $0.contains("impression") })
        for name in ["viewable", "notViewable", "viewUndetermined"] {
            let verdict = try #require(console.json.first { $0["of"]?.string == "spot-1/\(name)" })
            #expect(verdict["fired"] == .bool(false))
        }
    }

    @Test("at the end each tracker has a verdict: fired, or why not")
    func verdicts() async throws {
        let (_, _, console) = await self.play("video-inline")
        let verdicts = console.json.filter { $0["event"]?.string == "verdict" }
        func verdict(_ name: String) -> AdJSON? { verdicts.first { $0["of"]?.string == name } }
        #expect(verdict("spot-1/complete")?["fired"] == .bool(true))
        #expect(verdict("spot-1/skip")?["reason"]?.string == "not skipped")
        #expect(verdict("spot-1/error")?["reason"]?.string == "no error occurred")
        #expect(verdict("spot-1/impression")?["reason"]?.string == "2 of 2 URLs delivered")
    }
}
