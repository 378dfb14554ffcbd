import AdCore
import AdProviders
import AdRuntime
import LibC
import SandboxSSP
import Testing
import YabbiTesting

@testable import YabbiAds

@Suite("Smartico's door", .serialized, .timeLimit(.minutes(1)))
struct SmarticoDoorTests {
    private let message = SmarticoPushMessage(userID: "u-7", engagementUID: "e-1", messageID: 42, action: "open")

    @Test("what becomes of a push notification is told once, and stands in the ledger as delivered")
    func reports() async throws {
        let world = try LiveWorld()
        for report in SmarticoPushReport.allCases {
            for _ in 0..<2 { try await world.smartico.report(report, of: self.message) }
        }
        await world.services.beacons.waitUntilDelivered(within: .seconds(10))
        let bill = world.sandbox.bill()
        #expect(bill.billed == 4 && bill.repeats == 0 && bill.refused == 0 && bill.views == 1 && bill.clicks == 1)
        let entries = try await world.services.beacons.entries()
        #expect(entries.map(\.state) == Array(repeating: .delivered, count: 4))
    }

    @Test("a push token is registered by POST and by GET", arguments: [SmarticoApp.Registration.post, .get])
    func register(by registration: SmarticoApp.Registration) async throws {
        let world = try LiveWorld()
        try await world.smartico.registerPushToken("t-1", platform: .iOS, userID: "u-7", by: registration)
        await world.services.beacons.waitUntilDelivered(within: .seconds(10))
        let hits = world.sandbox.hits()
        #expect(hits.count == 1 && hits.first?.isCounted == true)
        #expect(hits.first?.method == (registration == .post ? "POST" : "GET"))
        let entries = try await world.services.beacons.entries()
        #expect(entries.map(\.state) == [.delivered])
    }

    @Test("what the server refuses by its errCode is given up, with what it says")
    func refused() async throws {
        let world = try LiveWorld()
        let odd = SmarticoPushMessage(userID: "u-7", engagementUID: "e-1", messageID: .max)
        try await world.smartico.report(.impression, of: odd)
        await world.services.beacons.waitUntilDelivered(within: .seconds(10))
        let entries = try await world.services.beacons.entries()
        guard case .dead(let reason)? = entries.first?.state else {
            Issue.record("\(entries)")
            return
        }
        #expect(reason.contains("errCode") && world.sandbox.bill().billed == 0)
    }

    @Test("what can't be right is refused before anything is sent")
    func empty() async throws {
        let world = try LiveWorld()
        let error = await failure { () async throws(AdError) in
            try await world.smartico.registerPushToken(" ", platform: .iOS, userID: "u-7")
        }
        #expect(error?.code == .invalidRequest && world.sandbox.hits().isEmpty)
    }

    @Test("letting go of it closes the connection, and takes what is on screen away")
    func letGo() async throws {
        let clock = ManualClock()
        let sockets = ScriptedSockets()
        let services = AdServices(transport: ScriptedTransport(clock: clock) { _ in .status(200) }, clock: clock)
        let popup: Ad
        do {
            let smartico = Smartico(try LiveWorld.app(port: 1), services: services, sockets: sockets)
            var ads = smartico.ads.makeAsyncIterator()
            smartico.logIn(userID: "u-7")
            let connection = try #require(sockets.last)
            connection.report(.opened)
            connection.report(.text(#"{"cid":4,"products":[100]}"#))
            connection.report(.text(#"{"cid":6,"native_app_popup_url":"http://live.example/popup"}"#))
            connection.report(.text(#"{"cid":110,"engagement_uid":"e-1"}"#))
            popup = try #require(await ads.next())
            try await popup.show(on: LivePage())
        }
        await clock.settle()
        #expect(sockets.last?.isClosed == true && !popup.isShowing && clock.alarms == 0)
    }

    @Test("a transport that opens no sockets is said to be one")
    func noSockets() async throws {
        let clock = ManualClock()
        let services = AdServices(transport: ScriptedTransport(clock: clock) { _ in .status(200) }, clock: clock)
        let smartico = Smartico(try LiveWorld.app(port: 1), services: services)
        var ear = LiveEar(smartico)
        smartico.connect()
        #expect(await ear.disconnected()?.message.contains("opens no sockets") == true)
    }

    @Test(
        "local time lies behind UTC as a browser tells it, summer time included",
        arguments: [
            // New York in January and in July, Moscow, Delhi, Kiribati, and nowhere.
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
