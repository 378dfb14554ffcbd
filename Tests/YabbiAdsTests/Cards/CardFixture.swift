import AdCore
import AdRuntime
import CurlTransport
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

/// A sandbox with card providers, and services that use it over real sockets with a complete context.
final class CardFixture: Sendable {
    let sandbox: Sandbox
    let services: AdServices
    let opener = RecordingOpener()
    let observer = RecordingObserver()
    let hostSignals = HostSignalSource()

    /// Values of the context that only YABBI's server may get.
    static let secrets = ["IFA-0b7d3a54", "Phone 12", "55.7558", "37.6173", "TCF-string", "DBABTA~1YNN", "1YNN"]

    init(seed: UInt64 = 1) throws {
        var configuration = Sandbox.Configuration()
        configuration.seed = seed
        configuration.catalogue = try CreativeCatalogue([CreativeEntry(name: "banner", markup: "<p>Hello</p>")])
        self.sandbox = try Sandbox.start(configuration)
        let known = AdContext(
            ifa: CardFixture.secrets[0],
            userAgent: "Mozilla/5.0 (Phone 12)",
            location: AdContext.Location(latitude: 55.7558, longitude: 37.6173, precision: 12.5),
            // The GDPR does not apply, and nobody opted out: nothing has to be left out.
            consent: AdContext.Consent(gdprApplies: false, tcf: "TCF-string", gpp: "DBABTA~1YNN", usPrivacy: "1YNN")
        )
        self.services = try AdServices.standard(
            opener: self.opener,
            signals: self.hostSignals,
            context: ContextSource(known: known),
            observer: self.observer
        )
    }

    deinit { self.sandbox.stop() }

    /// A URL of the sandbox.
    func url(_ path: String) throws -> HTTPURL { try #require(self.sandbox.url(path)) }

    /// The requests to a path, after all beacons are delivered.
    func deliveredHits(at path: String) async -> [Sandbox.Hit] {
        await self.services.beacons.waitUntilDelivered(within: .seconds(10))
        return self.sandbox.hits().filter { $0.path == path }
    }

    /// Shows an ad on a fully visible place, and waits for its impression.
    func show(_ ad: Ad) async throws -> (place: CardPlace, adEvents: AdEventWaiter) {
        let place = CardPlace()
        var adEvents = AdEventWaiter(ad)
        try await ad.show(on: place)
        place.setVisibleRatio(1)
        #expect(await adEvents.waitFor("view"))
        return (place, adEvents)
    }

    /// The state of the beacon with a key.
    func state(of key: String) async throws -> LedgerEntry.State? {
        await self.services.beacons.waitUntilDelivered(within: .seconds(10))
        return try await self.services.beacons.entries().first { $0.beacon.key.text == key }?.state
    }
}

/// Waits for the events of an ad, in order.
struct AdEventWaiter {
    private var events: AsyncStream<AdEvent>.AsyncIterator

    init(_ ad: Ad) { self.events = ad.events.makeAsyncIterator() }

    /// Waits for an event; false if the ad ends without it.
    mutating func waitFor(_ name: String) async -> Bool {
        while let event = await self.events.next() { if event.name == name { return true } }
        return false
    }
}

extension Sandbox.Hit {
    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The headers without the accepted encodings, which depend on the platform's libcurl.
    var headersToCompare: [String: String] { self.headers.filter { $0.key != "accept-encoding" } }

    /// The headers of every card request, and additional ones.
    func expectedHeaders(_ more: [String: String] = [:], on sandbox: Sandbox) -> [String: String] {
        [
            "host": "127.0.0.1:\(sandbox.port)", "content-type": "application/json", "accept": "application/json",
            "user-agent": "yabbi", "content-length": "\(self.body.count)",
        ].merging(more) { $1 }
    }

    /// The whole request as one text.
    var allText: String {
        ([self.method, self.path, self.query, self.text] + self.headers.map { "\($0.key): \($0.value)" })
            .joined(separator: "\n")
    }
}

/// The error that a closure throws; nil if it throws none.
func failure<Value>(_ body: () async throws(AdError) -> Value) async -> AdError? {
    do throws(AdError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension Ad {
    /// The creative, if it is a card.
    var card: CardCreative? {
        guard case .card(let card)? = self.offer?.creative else { return nil }
        return card
    }

    /// The offer's detail with a name.
    func detail(_ name: String) -> String? { self.offer?.details.last { $0.name == name }?.value.string }
}
