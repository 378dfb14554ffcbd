import AdCore
import PlaySupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Shows with a scripted user")
struct ScriptedShowTests {
    @Test("two clicks are one click, two links, and a record before the first link")
    func twoClicks() async throws {
        let (code, console) = await play(
            "show",
            "--unit",
            "banner-300x250",
            "--clock",
            "virtual",
            "--json",
            "--do",
            "click@1s,click@1.5s,close@6s"
        )
        #expect(code == .done)
        let events = console.events
        #expect(events.filter { $0 == "click" }.count == 1)
        #expect(events.filter { $0 == "linkOpened" }.count == 2)
        let record = try #require(console.json.firstIndex { $0["key"]?.string?.contains("/click/") ?? false })
        let link = try #require(console.json.firstIndex { $0["event"]?.string == "linkOpened" })
        #expect(record < link)
    }

    @Test("the applied close delay is the requested one")
    func closeDelay() async throws {
        let (_, console) = await play("show", "--unit", "banner-300x250", "--clock", "virtual", "--json")
        func time(_ event: String) -> Double? { console.json.first { $0["event"]?.string == event }?["t"]?.number }
        let shown = try #require(time("shown"))
        let available = try #require(time("closeAvailable"))
        #expect(available - shown == 2000)
    }

    @Test("an early close is ignored with a reason, and the ad is closed later")
    func tooEarly() async {
        let (code, console) = await play(
            "show",
            "--unit",
            "banner-300x250",
            "--clock",
            "virtual",
            "--json",
            "--do",
            "close@1s"
        )
        #expect(code == .done)
        #expect(
            console.json.contains { $0["event"]?.string == "ignored" && $0["input"]?.string == "close by the user" }
        )
        #expect(console.events.contains("closed"))
    }

    @Test(
        "with a seed all runs print the same lines, except for the port",
        arguments: [
            (["show", "--unit", "banner-320x50", "--do", "click@1s"], 40),
            (["show", "--unit", "banner-300x250", "--do", "click@1s,click@1s,close@6s"], 20),
            (["show", "--unit", "banner-300x250", "--provider", "openrtb", "--do", "close@2s"], 20),
            (["show", "--unit", "video-inline", "--do", "click@1s,skip@6s"], 20),
            (["show", "--unit", "video-pod-gap"], 20),
            (["demo"], 6),
        ]
    )
    func seed(words: [String], runs: Int) async {
        var all: Set<[String]> = []
        for _ in 0..<runs {
            let console = BufferConsole()
            _ = await YabbiPlay.run(words + ["--clock", "virtual", "--seed", "7", "--json"], console)
            all.insert(
                console.out.map {
                    $0.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT")
                        .replacing(/127\.0\.0\.1%3A[0-9]+/, with: "127.0.0.1%3APORT")
                }
            )
        }
        #expect(all.count == 1, "\(all.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"))")
        #expect(all.first?.isEmpty == false)
    }

    @Test("a step that closes the ad is the only close")
    func closedOnce() async {
        for _ in 0..<10 {
            let (_, console) = await play(
                "show",
                "--unit",
                "banner-300x250",
                "--clock",
                "virtual",
                "--json",
                "--do",
                "close@6s"
            )
            #expect(!console.events.contains("ignored"))
            #expect(console.json.first { $0["event"]?.string == "closed" }?["t"]?.number == 6000)
        }
    }

    @Test("steps at 0s that set the surroundings apply before the reveal")
    func atTheReveal() async {
        let (_, covered) = await play("show", "--unit", "banner-320x50", "--clock", "virtual", "--do", "cover@0s")
        #expect(covered.out.contains { $0.contains("not fired") && $0.contains("view  the ad was never in view") })
        let (_, scrolled) = await play("show", "--unit", "banner-320x50", "--clock", "virtual", "--do", "scroll 50@0s")
        #expect(scrolled.out.contains { $0.contains("not fired") && $0.contains("view  the ad was never in view") })
        let (_, lifted) = await play(
            "show",
            "--unit",
            "banner-300x250",
            "--clock",
            "virtual",
            "--json",
            "--do",
            "background@0s,foreground@5s"
        )
        func time(_ event: String) -> Double? { lifted.json.first { $0["event"]?.string == event }?["t"]?.number }
        #expect(time("view") == 5000)
        #expect(time("closeAvailable") == 7000, "the close delay counts time in view")
    }

    @Test("a covered app is uncovered for the next run's ad")
    func freshRounds() async {
        let (_, console) = await play(
            "show",
            "--unit",
            "banner-320x50",
            "--clock",
            "virtual",
            "--json",
            "--repeat",
            "3",
            "--do",
            "cover@1s"
        )
        #expect(console.events.count { $0 == "view" } == 3)
    }

    @Test("an ad out of view has the reason why its view did not count")
    func notSeen() async {
        let (code, console) = await play(
            "show",
            "--unit",
            "banner-320x50",
            "--clock",
            "virtual",
            "--do",
            "background@0s"
        )
        #expect(code == .done)
        let reason = "the ad was never in view while the app was in the foreground"
        #expect(console.out.contains("  not fired  view  \(reason)"), "\(console.out)")
        #expect(console.out.contains("  not fired  click  the user did not click"))
        let (_, failed) = await play("show", "--unit", "nofill")
        #expect(failed.out.contains { $0.contains("not fired") && $0.contains("there was no ad") })
    }
}
