import AdCore
import AdRuntime
import CurlTransport
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

/// A server of cards and services that speak to it over real sockets, with a context that knows all of the user.
final class CardWorld: Sendable {
    let sandbox: Sandbox
    let services: AdServices
    let opener = RecordingOpener()
    let observer = RecordingObserver()
    let board = HostSignalSource()

    /// What nobody but YABBI's server is told.
    static let secrets = ["IFA-0b7d3a54", "Phone 12", "55.7558", "37.6173", "TCF-string", "GPP-string", "1YNN"]

    init(seed: UInt64 = 1) throws {
        var configuration = Sandbox.Configuration()
        configuration.seed = seed
        configuration.catalogue = try CreativeCatalogue([CreativeEntry(name: "banner", markup: "<p>Hello</p>")])
        self.sandbox = try Sandbox.start(configuration)
        let known = AdContext(
            ifa: CardWorld.secrets[0],
            userAgent: "Mozilla/5.0 (Phone 12)",
            location: AdContext.Location(latitude: 55.7558, longitude: 37.6173, precision: 12.5),
            consent: AdContext.Consent(tcf: "TCF-string", gpp: "GPP-string", usPrivacy: "1YNN")
        )
        self.services = try AdServices.standard(
            opener: self.opener,
            signals: self.board,
            context: ContextSource(known: known),
            observer: self.observer
        )
    }

    deinit { self.sandbox.stop() }

    /// An address of the server.
    func url(_ path: String) throws -> HTTPURL { try #require(self.sandbox.url(path)) }

    /// What arrived at a path, once every beacon has.
    func arrived(at path: String) async -> [Sandbox.Hit] {
        await self.services.beacons.waitUntilDelivered(within: .seconds(10))
        return self.sandbox.hits().filter { $0.path == path }
    }

    /// Shows an ad where an app draws by itself, wholly visible, and returns when its view was counted.
    func show(_ ad: Ad) async throws -> (place: CardPlace, ear: AdEar) {
        let place = CardPlace()
        var ear = AdEar(ad)
        try await ad.show(on: place)
        place.setVisibleRatio(1)
        #expect(await ear.hears("view"))
        return (place, ear)
    }

    /// How the beacons of a key stand.
    func state(of key: String) async throws -> LedgerEntry.State? {
        await self.services.beacons.waitUntilDelivered(within: .seconds(10))
        return try await self.services.beacons.entries().first { $0.beacon.key.text == key }?.state
    }
}

/// Hears what happens to an ad, one event after the other.
struct AdEar {
    private var events: AsyncStream<AdEvent>.AsyncIterator

    init(_ ad: Ad) { self.events = ad.events.makeAsyncIterator() }

    /// Waits for an event; false where the ad ends without it.
    mutating func hears(_ name: String) async -> Bool {
        while let event = await self.events.next() { if event.name == name { return true } }
        return false
    }
}

extension Sandbox.Hit {
    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The headers but for the encodings, which are those of the platform's libcurl, and the same for everybody.
    var fields: [String: String] { self.headers.filter { $0.key != "accept-encoding" } }

    /// What every card's call has, and what this one has besides.
    func neutral(_ more: [String: String] = [:], on sandbox: Sandbox) -> [String: String] {
        [
            "host": "127.0.0.1:\(sandbox.port)", "content-type": "application/json", "accept": "application/json",
            "user-agent": "yabbi", "content-length": "\(self.body.count)",
        ].merging(more) { $1 }
    }

    /// Everything that came, as one text.
    var all: String {
        ([self.method, self.path, self.query, self.text] + self.headers.map { "\($0.key): \($0.value)" })
            .joined(separator: "\n")
    }
}

/// What went wrong; nil where nothing did.
func failure<Value>(_ body: () async throws(AdError) -> Value) async -> AdError? {
    do throws(AdError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension Ad {
    /// Its card.
    var card: CardCreative? {
        guard case .card(let card)? = self.offer?.creative else { return nil }
        return card
    }

    /// What its provider says of it under a name.
    func detail(_ name: String) -> String? { self.offer?.details.last { $0.name == name }?.value.string }
}
