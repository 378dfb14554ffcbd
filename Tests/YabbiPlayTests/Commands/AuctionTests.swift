import AdCore
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The auction command")
struct AuctionCommandTests {
    private func auction(_ words: String...) async -> (code: ExitCode, console: BufferConsole) {
        await play(["auction", "--clock", "virtual", "--seed", "3"] + words)
    }

    /// The rows of the table, as bidder and outcome.
    private func rows(_ console: BufferConsole) -> [String] {
        let outcomes = ["won", "lost", "no bid", "failed", "timed out", "invalid", "below the floor"]
        return console.out.drop { !$0.hasPrefix("  bidder ") }.dropFirst().map { line in
            let cells = line.split(separator: "  ", omittingEmptySubsequences: true).map { String($0).trimmed }
            return (cells.first ?? "", cells.first(where: outcomes.contains))
        }.prefix { $0.1 != nil }.map { "\($0): \($1 ?? "")" }
    }

    @Test("the highest bid wins, and the table says why the others have not")
    func table() async {
        let (code, console) = await self.auction(
            "--bid",
            "sandbox:fair",
            "--bid",
            "sandbox:high",
            "--bid",
            "sandbox:euro",
            "--bid",
            "sandbox:no-bid",
            "--bid",
            "house=provider:activeads"
        )
        #expect(code == .done)
        #expect(self.rows(console) == ["high: won", "fair: lost", "house: lost", "euro: invalid", "no-bid: no bid"])
        #expect(console.out.contains { $0.contains("there is no rate for EUR") })
        #expect(console.out.contains { $0.contains("paid  0.0024 USD") })
    }

    @Test("in JSON each bid is an event, and there is no table")
    func json() async throws {
        let (_, console) = await self.auction("--json", "--bid", "sandbox:fair", "--bid", "sandbox:low")
        let bids = console.json.filter { $0["event"]?.string == "bid" }
        #expect(bids.map { $0["bidder"]?.string } == ["fair", "low"])
        #expect(bids.map { $0["price"]?.number } == [1.5, 0.9])
        let ended = try #require(console.json.first { $0["event"]?.string == "auctionEnded" })
        #expect(ended["winner"]?.string == "fair")
        #expect(console.json.count == console.out.count)
    }

    @Test("rates, a floor and prices set by hand decide")
    func prices() async {
        let (_, rates) = await self.auction(
            "--bid",
            "sandbox:euro",
            "--bid",
            "sandbox:yen",
            "--rate",
            "EUR=1.08",
            "--rate",
            "JPY=0.0065"
        )
        #expect(self.rows(rates) == ["euro: won", "yen: lost"])
        let (_, direct) = await self.auction(
            "--bid",
            "direct=provider:activeads,price=1.6",
            "--bid",
            "sandbox:fair",
            "--bid",
            "sandbox:low",
            "--floor",
            "1"
        )
        #expect(self.rows(direct) == ["direct: won", "fair: lost", "low: below the floor"])
        let (_, first) = await self.auction("--bid", "sandbox:low,priority=1", "--bid", "sandbox:high")
        #expect(self.rows(first) == ["low: won", "high: lost"])
    }

    @Test("when nobody has an ad, the error names each bidder and its reason")
    func nobody() async {
        let (code, console) = await self.auction("--bid", "sandbox:no-bid-reason", "--bid", "sandbox:failing")
        #expect(code == .noFill)
        let error = console.err.joined()
        #expect(error.contains("no-bid-reason: ") && error.contains("nbr 6") && error.contains("failing: "), "\(error)")
    }

    @Test("hostile prices are invalid, and the honest bid wins")
    func hostile() async {
        let names = ["nan", "negative", "huge", "free", "broken", "win-loop"]
        let (code, console) = await play(
            ["auction", "--clock", "virtual"] + (names + ["low"]).flatMap { ["--bid", "sandbox:\($0)"] }
        )
        #expect(code == .done)
        #expect(
            self.rows(console) == [
                "low: won", "broken: failed", "free: invalid", "huge: invalid", "nan: invalid", "negative: invalid",
                "win-loop: lost",
            ]
        )
    }

    @Test("of a thousand seats the highest bid wins, and the table is short")
    func crowd() async {
        // Simulated time does not shorten the real request, whose response is large.
        let (code, console) = await self.auction("--bid", "sandbox:crowd", "--bid-timeout", "9")
        #expect(code == .done)
        #expect(console.out.contains { $0.contains("crowd has the ad at 1 USD") })
        #expect(console.out.contains { $0.contains("and 70 more") })
    }

    @Test("a stored impression of a Prebid Server is an auction's bidder")
    func prebid() async {
        let (code, console) = await self.auction("--bid", "pbs=sandbox:prebid,stored=stored-banner")
        #expect(code == .done)
        #expect(self.rows(console) == ["pbs: won", "pbs: lost"])
        #expect(console.out.contains { $0.contains("/t/prebid/imp?ad=2&bidder=high") })
    }

    @Test(
        "a bidder of the built-in server has a placement without being given one",
        arguments: [
            "provider:yabbi", "provider:openrtb", "sandbox:prebid",
        ]
    )
    func defaults(bidder: String) async {
        for format in ["banner", "interstitial"] {
            let (code, console) = await self.auction("--bid", "a=\(bidder)", "--format", format)
            #expect(code == .done, "\(bidder), \(format): \(console.err)")
        }
    }

    @Test("a bidder that does not respond costs the time for bids, also in simulated time")
    func silent() async {
        let start = ContinuousClock.now
        let (code, console) = await self.auction(
            "--bid",
            "sandbox:silent",
            "--bid",
            "sandbox:low",
            "--bid-timeout",
            "0.2"
        )
        #expect(code == .done)
        #expect(self.rows(console) == ["low: won", "silent: timed out"])
        #expect(ContinuousClock.now - start < .timeout(5))
    }

    @Test("the notices are listed at the end with what became of them")
    func notices() async {
        let (_, console) = await self.auction("--bid", "sandbox:high", "--bid", "sandbox:fair", "--bid", "sandbox:low")
        let end = console.out.joined(separator: "\n")
        #expect(
            end.contains("fired      win  recorded; delivered") && end.contains("loss  2 recorded; 2 delivered"),
            "\(end)"
        )
    }

    @Test("a replay of an auction has the same table")
    func replay() async throws {
        let trace = try #require(TemporaryFolder()).path + "/auction.trace"
        let (_, console) = await self.auction("--bid", "sandbox:high", "--bid", "sandbox:fair", "--trace", trace)
        let (code, replayed) = await play(["replay", trace])
        #expect(code == .done, "\(replayed.err)")
        #expect(self.rows(replayed) == self.rows(console))
    }

    @Test("a wrapper that leads to nothing is replaced by the next bid")
    func unplayable() async {
        let (code, console) = await self.auction(
            "--bid",
            "sandbox:unplayable",
            "--bid",
            "sandbox:video",
            "--format",
            "interstitial"
        )
        #expect(code == .done)
        #expect(self.rows(console) == ["video: won", "unplayable: lost"])
    }

    @Test("without bidders some of the built-in server compete")
    func examples() {
        #expect(BidderOption.examples.map(\.name) == ["high", "fair", "euro", "no-bid", "slow", "house"])
    }

    @Test(
        "a bidder is read with its name, its server and its settings",
        arguments: [
            ("sandbox:high", "high"), ("a=sandbox:high", "a"), ("https://x.example/a,b?c=d", "x.example"),
            ("b=https://x.example/?a=1,2,price=1.5EUR,priority=-2", "b"), ("provider:yabbi", "yabbi"),
        ]
    )
    func bidders(text: String, name: String) throws {
        #expect(try BidderOption(parsing: text, of: "--bid").name == name)
    }

    @Test("the settings after a URL are not part of it")
    func settings() throws {
        let bidder = try BidderOption(
            parsing: "b=https://x.example/?a=1,2,price=1.5EUR,priority=-2,timeout=0.5,unit=u,stored=s,floor=0.2",
            of: "--bid"
        )
        guard case .url(let url) = bidder.server else {
            Testing.Issue.record("it is not a URL")
            return
        }
        #expect(url.text == "https://x.example/?a=1,2")
        #expect(bidder.price == AdPrice(1.5, try #require(AdCurrency("EUR"))) && bidder.priority == -2)
        #expect(bidder.timeout == .milliseconds(500) && bidder.unit == "u" && bidder.stored == "s")
        #expect(bidder.floor == AdPrice(0.2))
    }

    @Test("a time limit has a unit or is seconds", arguments: ["300ms", "0.3s", "0.3"])
    func timeout(text: String) throws {
        #expect(try BidderOption(parsing: "sandbox:high,timeout=\(text)", of: "--bid").timeout == .milliseconds(300))
    }

    @Test(
        "wrong input is a usage error that says what is expected",
        arguments: [
            (["--bid", "sandbox:hihg"], "did you mean high?"), (["--bid", "nothing"], "sandbox:<bidder>"),
            (["--bid", "provider:smartico"], "yabbi, openrtb"), (["--bid", "a=sandbox:high,price=NaN"], "a price"),
            (["--bid", "sandbox:high,priority=9999"], "an integer"), (["--floor", "-1"], "a price"),
            (["--floor", "1e308"], "a price"), (["--bid", "sandbox:high,timeout=0ms"], "300ms"),
            (["--rate", "EUR"], "EUR=1.08"), (["--rate", "EUR=0"], "EUR=1.08"),
            (["--rate", "EUR=1", "--rate", "EUR=2"], "twice"), (["--floor", "1EUR"], "add the rate"),
            (["--bid", "sandbox:high", "--bid", "sandbox:high"], "two bidders are named high"),
            (["--bid", "sandbox:high,prio=3"], "the keys price, floor, priority, timeout, unit"),
        ]
    )
    func usage(words: [String], expected: String) async {
        let (code, console) = await play(["auction", "--clock", "virtual"] + words)
        #expect(code != .done)
        #expect(console.err.joined().contains(expected), "\(console.err)")
    }
}
