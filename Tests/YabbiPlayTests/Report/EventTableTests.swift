import AdCore
import AdRuntime
import PlaySupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("The list of events")
struct EventTableTests {
    /// One sample of each event of an ad.
    private func samples() throws -> [AdEvent] {
        let url = BeaconAddress("http://t.example/")
        let link = try #require(ClickThroughURL("https://shop.example/"))
        let key = BeaconKey(ad: AdID(bits: 1), event: .view)
        let error = AdError(.noFill, "there is none")
        let closing = CloseDetails(reason: .user, rewarded: false, rule: .immediate)
        return [
            .loadStarted, .loaded, .loadFailed(error), .shown, .showFailed(error), .view(.anyPixel), .click,
            .linkOpened(link, .opened(.systemBrowser)), .blocked(BlockedAttempt(.popup, "?")),
            .closeAvailable(.immediate),
            .skipAvailable, .skipped, .rewarded, .closed(closing), .expired, .issue(AdIssue("a.b", at: .whole, "?")),
            .beaconRecorded(key, url), .beaconDelivered(key, attempts: 1), .beaconUnconfirmed(key, reason: "?"),
            .beaconDead(key, reason: "?"), .quartile(25, spot: 0), .tap(Tap(.link(link))),
            .diagnostic(.requestFailed(FailedRequest(url: "https://e.example/", reason: "status 404"))),
            .diagnostic(.scriptError(ScriptError("Uncaught x"))), .diagnostic(.blank(BlankCreative())),
        ]
    }

    /// Numbers the events, so that a new event does not compile without a number, nor pass without a sample.
    private func number(_ event: AdEvent) -> Int {
        switch event {
        case .loadStarted: 0
        case .loaded: 1
        case .loadFailed: 2
        case .shown: 3
        case .showFailed: 4
        case .view: 5
        case .click: 6
        case .linkOpened: 7
        case .blocked: 8
        case .closeAvailable: 9
        case .skipAvailable: 10
        case .skipped: 11
        case .rewarded: 12
        case .closed: 13
        case .expired: 14
        case .issue: 15
        case .beaconRecorded: 16
        case .beaconDelivered: 17
        case .beaconUnconfirmed: 18
        case .beaconDead: 19
        case .quartile: 20
        case .tap: 21
        case .diagnostic(.requestFailed): 22
        case .diagnostic(.scriptError): 23
        case .diagnostic(.blank): 24
        }
    }

    private func names(_ line: String) throws -> [String] {
        guard case .object(let members) = try AdJSON(parsing: line) else { return [] }
        return members.map(\.name)
    }

    @Test("the table has every event of an ad, with its printed fields")
    func events() throws {
        let samples = try self.samples()
        #expect(samples.map(self.number) == Array(0..<samples.count))
        for event in samples {
            let row = try #require(EventTable.ofAds.first { $0.name == event.name }, "\(event.name) is missing")
            // These two have additional fields of the offer and the sizes.
            if event == .loaded || event == .shown { continue }
            let record = AdRecord(at: .origin, ad: AdID(bits: 1), provider: "yabbi", event: event)
            #expect(try self.names(EventLine(record).json) == ["t", "ad", "provider", "event"] + row.fields)
        }
    }

    @Test(
        "the table has every line that a run prints",
        arguments: [
            ["show", "--unit", "banner-300x250", "--clock", "virtual", "--do", "click@1s,close@1s"],
            ["load", "--unit", "banner-320x50"], ["load", "--unit", "nofill"],
            ["load", "--unit", "banner-320x50", "--dry-run"], ["load", "--unit", "banner-320x50", "--repeat", "2"],
            ["demo"], ["show", "--provider", "smartico", "--do", "click@1ms"],
            ["show", "--provider", "smartico", "--set", "push=widget", "--do", "click@1ms"],
            ["show", "--provider", "smartico", "--set", "ext_user_id=u-binary-popup"],
            ["show", "--provider", "smartico", "--set", "label_key=wrong"],
            ["show", "--provider", "smartico", "--dry-run"],
            ["watch", "--for", "0.2", "--do", "click@1ms"],
        ]
    )
    func lines(arguments: [String]) async throws {
        let console = BufferConsole()
        _ = await YabbiPlay.run(arguments + ["--json"], console)
        try #require(!console.out.isEmpty)
        for line in console.out {
            let names = try self.names(line)
            let event = try #require(try AdJSON(parsing: line)["event"]?.string)
            if let row = EventTable.ofAds.first(where: { $0.name == event }) {
                #expect(names == ["t", "ad", "provider", "event"] + row.fields)
            } else if let row = EventTable.ofSessions.first(where: { $0.name == event }) {
                #expect(names == ["t", "provider", "event"] + row.fields)
            } else {
                let row = try #require(EventTable.ofRuns.first { $0.name == event }, "\(event) is missing")
                #expect(names == ["event"] + row.fields)
            }
        }
    }

    @Test("the table is a topic of the help")
    func topic() throws {
        let text = try Help.text("events")
        for row in EventTable.ofAds + EventTable.ofSessions + EventTable.ofRuns {
            for word in [row.name] + row.fields { #expect(text.contains(word)) }
        }
    }
}
