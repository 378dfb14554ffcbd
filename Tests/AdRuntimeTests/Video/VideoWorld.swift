import AdCore
import AdMarkup
import SystemSupport
import YabbiTesting

@testable import AdRuntime

/// A provider whose placement is its list of proposals.
struct ProposingProvider: AdProvider {
    let name: ProviderName = "test"

    func request(for placement: [Proposal], in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, url("http://ssp.example/load"))
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: [Proposal],
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        OfferBatch(placement)
    }
}

/// The services of video ads with fakes; `documents` are by the targets of their URLs on `vast.example`.
struct VideoWorld {
    let clock = ManualClock()
    let transport: ScriptedTransport
    let observer = RecordingObserver()
    let services: AdServices
    let loader: AdLoader<[Proposal]>
    let presenter = RecordingPresenter()

    init(
        _ documents: [String: ScriptedTransport.Outcome] = [:],
        policy: VideoPolicy = VideoPolicy(),
        opener: any URLOpener = RecordingOpener(),
        context: ContextSource = ContextSource(known: AdContext(userAgent: "Test/1.0")),
        ledger: any BeaconLedger = MemoryLedger()
    ) {
        let ids = Locked<UInt64>(0)
        self.transport = ScriptedTransport(clock: self.clock) { request in
            guard request.url.host == "vast.example" else { return .status(200) }
            return documents[String(request.url.target)] ?? .status(404)
        }
        self.services = AdServices(
            transport: self.transport,
            opener: opener,
            ledger: ledger,
            signals: HostSignalSource(),
            context: context,
            clock: self.clock,
            video: policy,
            observer: self.observer,
            random: {
                ids.withLock { number in
                    number += 1
                    return number
                }
            }
        )
        self.loader = AdLoader(ProposingProvider(), services: self.services)
    }

    /// The targets of all requests to trackers.
    var trackerCalls: [String] {
        self.transport.requests.filter { $0.url.host == "t.example" }.map { String($0.url.target) }
    }

    /// The targets of all requests for documents.
    var documentRequests: [String] {
        self.transport.requests.filter { $0.url.host == "vast.example" }.map { String($0.url.target) }
    }
}

extension ScriptedTransport.Outcome {
    static func xml(_ text: String) -> ScriptedTransport.Outcome {
        .response(status: 200, headers: ["Content-Type": "application/xml"], body: Array(text.utf8))
    }
}

extension Proposal {
    static func video(
        _ markup: String,
        isRewarded: Bool = false,
        closeDelay: Duration? = nil,
        context: AdContext = AdContext(userAgent: "Test/1.0"),
        guarantee: DeliveryGuarantee = .atMostOnce
    ) -> Proposal {
        let view = BeaconTemplate(.view, BeaconCall(.get, TrackingURL(url("http://t.example/view")), isBilling: true))
        let click = BeaconTemplate(.click, BeaconCall(.get, TrackingURL(url("http://t.example/click"))))
        return .video(
            VideoProposal(
                provider: "test",
                markup: markup,
                isRewarded: isRewarded,
                closeDelay: closeDelay,
                beacons: [view, click],
                context: context,
                appBundle: "com.example.test",
                guarantee: guarantee
            )
        )
    }
}

/// Short VAST documents.
enum Tag {
    static func vast(_ ads: String...) -> String { "<VAST version=\"4.2\">\(ads.joined())</VAST>" }

    static func inline(
        _ id: String = "a",
        sequence: Int? = nil,
        linear: String = "",
        body: String = "",
        type: String = "video/mp4",
        extra: String = ""
    ) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine><AdSystem>S</AdSystem><AdTitle>\(id)</AdTitle>
        <Impression>http://t.example/\(id)/impression</Impression><Error>http://t.example/\(id)/error?[ERRORCODE]</Error>\(body)
        <Creatives><Creative><Linear><Duration>00:00:08</Duration>\(linear)
        <MediaFiles><MediaFile delivery="progressive" type="\(type)" width="640" height="360">http://m.example/\(id).mp4
        </MediaFile></MediaFiles></Linear></Creative>\(extra)</Creatives></InLine></Ad>
        """
    }

    static func wrapper(_ id: String = "w", to target: String, attributes: String = "", body: String = "") -> String {
        """
        <Ad id="\(id)"><Wrapper \(attributes)><AdSystem>S</AdSystem><VASTAdTagURI>http://vast.example\(target)</VASTAdTagURI>
        <Impression>http://t.example/\(id)/impression</Impression><Error>http://t.example/\(id)/error?[ERRORCODE]</Error>\(body)
        </Wrapper></Ad>
        """
    }

    static func tracking(_ id: String, _ events: String...) -> String {
        let list = events.map { "<Tracking event=\"\($0)\">http://t.example/\(id)/\($0)</Tracking>" }
        return "<TrackingEvents>\(list.joined())</TrackingEvents>"
    }
}
