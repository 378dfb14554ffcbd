import AdCore
import AdProviders
import AdRuntime
import LibC
import SandboxSSP
import Testing
import YabbiTesting

@testable import YabbiAds

@Suite("Smartico client", .serialized, .timeLimit(.minutes(1)))
struct SmarticoClientTests {
    private let message = SmarticoPushMessage(userID: "u-7", engagementUID: "e-1", messageID: 42, action: "open")

    @Test("each report about a push notification is sent once, and is delivered in the ledger")
    func reports() async throws {
        let fixture = try SmarticoFixture()
        for report in SmarticoPushReport.allCases {
            for _ in 0..<2 { try await fixture.smartico.report(report, of: self.message) }
        }
        await fixture.services.beacons.waitUntilDelivered(within: .seconds(10))
        let bill = fixture.sandbox.bill()
        #expect(bill.billed == 4 && bill.repeats == 0 && bill.refused == 0 && bill.views == 1 && bill.clicks == 1)
        let entries = try await fixture.services.beacons.entries()
        #expect(entries.map(\.state) == Array(repeating: .delivered, count: 4))
    }

    @Test("a push token is registered by POST or GET", arguments: [SmarticoApp.Registration.post, .get])
    func register(by registration: SmarticoApp.Registration) async throws {
        let fixture = try SmarticoFixture()
        try await fixture.smartico.registerPushToken("t-1", platform: .iOS, userID: "u-7", by: registration)
        await fixture.services.beacons.waitUntilDelivered(within: .seconds(10))
        let hits = fixture.sandbox.hits()
        #expect(hits.count == 1 && hits.first?.isCounted == true)
        #expect(hits.first?.method == (registration == .post ? "POST" : "GET"))
        let entries = try await fixture.services.beacons.entries()
        #expect(entries.map(\.state) == [.delivered])
    }

    @Test("a report that the server refuses by errCode is dead, with the server's reason")
    func refused() async throws {
        let fixture = try SmarticoFixture()
        let odd = SmarticoPushMessage(userID: "u-7", engagementUID: "e-1", messageID: .max)
        try await fixture.smartico.report(.impression, of: odd)
        await fixture.services.beacons.waitUntilDelivered(within: .seconds(10))
        let entries = try await fixture.services.beacons.entries()
        guard case .dead(let reason)? = entries.first?.state else {
            Issue.record("\(entries)")
            return
        }
        #expect(reason.contains("errCode") && fixture.sandbox.bill().billed == 0)
    }

    @Test("an empty push token is refused before anything is sent")
    func empty() async throws {
        let fixture = try SmarticoFixture()
        let error = await failure { () async throws(AdError) in
            try await fixture.smartico.registerPushToken(" ", platform: .iOS, userID: "u-7")
        }
        #expect(error?.code == .invalidRequest && fixture.sandbox.hits().isEmpty)
    }

    @Test("releasing the client closes the connection and its ads")
    func letGo() async throws {
        let clock = ManualClock()
        let sockets = ScriptedSockets()
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: NoOpener(),
            clock: clock
        )
        let popup: Ad
        do {
            let smartico = Smartico(try SmarticoFixture.app(port: 1), services: services, sockets: sockets)
            var ads = smartico.ads.makeAsyncIterator()
            smartico.logIn(userID: "u-7")
            let connection = try #require(sockets.last)
            connection.report(.opened)
            connection.report(.text(#"{"cid":4,"products":[100]}"#))
            connection.report(.text(#"{"cid":6,"native_app_popup_url":"http://live.example/popup"}"#))
            connection.report(.text(#"{"cid":110,"engagement_uid":"e-1"}"#))
            popup = try #require(await ads.next())
            try await popup.show(on: ScriptedPage())
        }
        await clock.settle()
        #expect(sockets.last?.isClosed == true && !popup.isShowing && clock.alarms == 0)
    }

    @Test("a transport without sockets is reported as disconnected")
    func noSockets() async throws {
        let clock = ManualClock()
        let services = AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: NoOpener(),
            clock: clock
        )
        let smartico = Smartico(try SmarticoFixture.app(port: 1), services: services)
        var sessionEvents = SessionEventWaiter(smartico)
        smartico.connect()
        #expect(await sessionEvents.disconnected()?.message.contains("can't open sockets") == true)
    }

    @Test(
        "minutesBehindUTC has the sign of getTimezoneOffset in JavaScript, with daylight saving time",
        arguments: [
            // New York in January and July, Moscow, Delhi, Kiribati, UTC-12 and UTC.
            ("EST5EDT,M3.2.0,M11.1.0", 1_673_784_000, 300), ("EST5EDT,M3.2.0,M11.1.0", 1_689_422_400, 240),
            ("MSK-3", 1_689_422_400, -180), ("IST-5:30", 1_689_422_400, -330), ("<+14>-14", 1_689_422_400, -840),
            ("<-12>12", 1_689_422_400, 720), ("UTC0", 1_689_422_400, 0),
        ]
    )
    func localTime(zone: String, seconds: Int64, minutes: Int) {
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", zone, 1)
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        #expect(LocalTime.minutesBehindUTC(at: WallTime(milliseconds: seconds * 1000)) == minutes)
    }
}
