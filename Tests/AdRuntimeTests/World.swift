import AdCore
import AdRuntime
import SystemSupport
import YabbiTesting

/// The services of ads with fakes for the network, the clock, the host and the opener.
struct World: Sendable {
    let clock = ManualClock()
    let transport: ScriptedTransport
    let opener: RecordingOpener
    let observer = RecordingObserver()
    let signals = HostSignalSource()
    let services: AdServices
    let loader: AdLoader<Offer>

    init(
        ledger: any BeaconLedger = MemoryLedger(),
        opens: Bool? = true,
        opener: RecordingOpener? = nil,
        store: (any URLOpener)? = nil,
        context: ContextSource = ContextSource(known: AdContext(userAgent: "Test/1.0")),
        caps: [FrequencyCap] = [],
        loadTimeout: Duration = .seconds(10),
        presentTimeout: Duration = .seconds(10),
        _ script: @escaping @Sendable (AdHTTPRequest) -> ScriptedTransport.Outcome = { _ in .status(200) }
    ) {
        let ids = Locked<UInt64>(0)
        self.transport = ScriptedTransport(clock: self.clock, script)
        self.opener = opener ?? RecordingOpener(succeeds: opens ?? false)
        self.services = AdServices(
            transport: self.transport,
            opener: store ?? (opens == nil ? SilentOpener(clock: self.clock) : self.opener),
            ledger: ledger,
            signals: self.signals,
            context: context,
            caps: caps,
            clock: self.clock,
            loadTimeout: loadTimeout,
            presentTimeout: presentTimeout,
            observer: self.observer,
            random: {
                ids.withLock { number in
                    number += 1
                    return number
                }
            }
        )
        self.loader = AdLoader(OfferProvider(endpoint: url("http://ssp.example/load")), services: self.services)
    }

    /// The targets of all requests to trackers.
    var beacons: [String] {
        self.transport.requests.filter { $0.url.host == "t.example" }.map { String($0.url.target) }
    }
}

func url(_ text: String) -> HTTPURL {
    guard let url = HTTPURL(text) else { preconditionFailure("A URL literal is invalid: \(text)") }
    return url
}

let landing: ClickThroughURL = {
    guard let link = ClickThroughURL("https://shop.example/") else { preconditionFailure("A URL literal is invalid.") }
    return link
}()

extension Offer {
    static func sample(
        _ kind: ShowRules.Kind = .interstitial,
        closeDelay: Duration? = .seconds(5),
        lifetime: Duration? = nil,
        viewPolicy: ViewabilityPolicy = .anyPixel,
        beacons: [BeaconTemplate]? = nil,
        issues: [AdIssue] = []
    ) -> Offer {
        let markup = #"<a href="https://shop.example/">Buy</a>"#
        return Offer(
            provider: "test",
            creative: .html(HTMLCreative(markup: markup, document: markup)),
            rules: ShowRules(kind, closeDelay: closeDelay, lifetime: lifetime, viewPolicy: viewPolicy),
            size: RequestedSize(width: 320, height: 480),
            beacons: beacons ?? [
                BeaconTemplate(.view, BeaconCall(.get, TrackingURL(url("http://t.example/view")), isBilling: true)),
                BeaconTemplate(.click, BeaconCall(.get, TrackingURL(url("http://t.example/click")))),
            ],
            issues: issues
        )
    }
}

/// An opener that never returns.
private struct SilentOpener: URLOpener {
    let clock: ManualClock

    func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
        await self.clock.rest(until: nil)
        return true
    }
}
