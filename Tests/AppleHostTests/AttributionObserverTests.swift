import AdCore
import OpenRTB
import SystemSupport
import Testing

@testable import AppleHost

@Suite("View-through impressions")
struct AttributionObserverTests {
    private static let ios17 = AttributionSystem(
        hasViewThrough: true,
        hasSourceIdentifiers: true,
        hasAdAttributionKit: true
    )
    private static let ios16 = AttributionSystem(hasViewThrough: true)

    private func network(_ campaign: SKAdNetworkImpression.Campaign = .identifier(4)) -> SKAdNetworkImpression {
        SKAdNetworkImpression(
            version: "3.0",
            network: "a.skadnetwork",
            campaign: campaign,
            advertisedApp: 1,
            sourceApp: 2,
            nonce: "n",
            timestamp: 3,
            signature: "s"
        )
    }

    private func record(_ event: AdEvent, ad: String = "a", _ attribution: InstallAttribution?) -> AdRecord {
        var record = AdRecord(at: .origin, ad: AdID(ad), provider: "openrtb", event: event)
        record.attribution = attribution
        return record
    }

    private let closed = AdEvent.closed(CloseDetails(reason: .user, rewarded: false, rule: .immediate))

    @Test("an impression lasts from the view to the close, once")
    func machine() throws {
        let attribution = try #require(InstallAttribution(self.network(), nil))
        var machine = ViewThroughMachine()
        let events: [AdEvent] = [.shown, .view(.anyPixel), .view(.anyPixel), .click, self.closed, self.closed]
        #expect(
            events.map { machine.handle(self.record($0, attribution)) }
                == [nil, .start(AdID("a"), attribution), nil, nil, .end(AdID("a")), nil]
        )
        #expect(machine.handle(self.record(.view(.anyPixel), nil)) == nil)
        #expect(machine.handle(self.record(self.closed, nil)) == nil)
    }

    @Test("one call is chosen, that of AdAttributionKit where the system has it")
    func call() throws {
        let kit = try #require(AdAttributionKitImpression(compactJWS: "a.b.c"))
        let both = try #require(InstallAttribution(self.network(), kit))
        #expect(AttributionCall(both, on: Self.ios17) == .adAttributionKit(kit))
        #expect(AttributionCall(both, on: Self.ios16) == .skAdNetwork(self.network()))
        #expect(AttributionCall(both, on: AttributionSystem()) == nil)
        let newer = try #require(InstallAttribution(self.network(.source(4)), nil))
        #expect(AttributionCall(newer, on: Self.ios16) == nil)
        #expect(AttributionCall(newer, on: Self.ios17) != nil)
        #expect(InstallAttribution(nil, nil) == nil)
    }

    @Test("the observer starts and ends the impression of each ad, and passes everything on")
    func observer() async throws {
        let attribution = try #require(InstallAttribution(self.network(), nil))
        let (calls, reported) = AsyncStream<String>.makeStream()
        let log = Log()
        let observer = AttributionObserver(next: log, system: Self.ios16) { call, end in
            reported.yield("start")
            for await _ in end {}
            reported.yield("end")
        }
        var iterator = calls.makeAsyncIterator()
        observer.observe(self.record(.view(.anyPixel), attribution))
        #expect(await iterator.next() == "start")
        observer.observe(self.record(self.closed, ad: "b", attribution))
        observer.observe(self.record(self.closed, attribution))
        #expect(await iterator.next() == "end")
        #expect(log.names.withLock(\.self) == ["view", "closed", "closed"])
    }

    @Test("an impression that still lasts ends with the observer")
    func gone() async throws {
        let attribution = try #require(InstallAttribution(self.network(), nil))
        let (calls, reported) = AsyncStream<String>.makeStream()
        var observer: AttributionObserver? = AttributionObserver(next: nil, system: Self.ios16) { _, end in
            for await _ in end {}
            reported.yield("end")
        }
        observer?.observe(self.record(.view(.anyPixel), attribution))
        observer = nil
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == "end")
    }

    @Test("requests name the networks of Info.plist, and what the system has")
    func support() {
        let info: [String: Any] = [
            "SKAdNetworkItems": [
                ["SKAdNetworkIdentifier": "cDkw7geQsH.skadnetwork"], ["SKAdNetworkIdentifier": "b.skadnetwork"],
                ["Other": 1],
            ],
            "AdNetworkIdentifiers": ["c.adattributionkit", "b.skadnetwork"],
        ]
        let networks = AttributionSupport.networks(in: info)
        #expect(networks == ["cdkw7geqsh.skadnetwork", "b.skadnetwork", "c.adattributionkit"])
        #expect(AttributionSupport.networks(in: ["SKAdNetworkItems": "x"]) == [])
        let older = AttributionSupport(sourceApp: "1", networks: networks, on: Self.ios16)
        #expect(older?.skAdNetworkVersions == ["2.2", "3.0"] && older?.adAttributionKitVersion == nil)
        let newer = AttributionSupport(sourceApp: "1", networks: networks, on: Self.ios17)
        #expect(newer?.skAdNetworkVersions == ["2.2", "3.0", "4.0"] && newer?.adAttributionKitVersion == "1.0")
        #expect(AttributionSupport(sourceApp: "com.app", networks: networks, on: Self.ios17) == nil)
        #expect(AttributionSupport(sourceApp: "1", networks: [], on: Self.ios17) == nil)
        #expect(AttributionSupport(sourceApp: "1", networks: networks, on: AttributionSystem()) == nil)
    }

    /// Keeps the names of events.
    private final class Log: AdObserver {
        let names = Locked<[String]>([])

        func observe(_ record: AdRecord) { self.names.withLock { $0.append(record.event.name) } }
    }
}
