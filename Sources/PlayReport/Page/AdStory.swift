package import AdCore
package import AdLint
import AdMarkup
import AdRuntime
package import ChromiumStage

/// Everything that a report tells of one ad.
package struct AdStory: Sendable {
    let ad: AdID
    let provider: ProviderName
    /// What was asked for, and what it is called.
    let name: String
    let title: String?
    let offer: Offer?
    let records: [AdRecord]
    var verdicts: [Verdict]
    /// What is wrong with its markup; nil where there was none to look at.
    var lint: LintReport?
    /// What was seen of it.
    var scene = AdScene()
    /// Every request that was made for it, in the order of their beginnings.
    var requests: [ReportRequest] = []

    package init(
        ad: AdID,
        provider: ProviderName,
        name: String,
        title: String?,
        offer: Offer?,
        records: [AdRecord],
        verdicts: [Verdict],
        lint: LintReport? = nil,
        requests: [ReportRequest] = []
    ) {
        self.ad = ad
        self.provider = provider
        self.name = name
        self.title = title
        self.offer = offer
        self.records = records
        self.verdicts = verdicts
        self.lint = lint
        self.requests = requests
    }

    /// Takes what was seen of it, and the requests of the creative among those of the runtime.
    mutating func add(_ scene: AdScene, speed: Double) {
        self.scene = scene
        let began = scene.began ?? self.span?.start ?? .origin
        let own = scene.requests.map { request in
            ReportRequest(
                purpose: request.kind,
                isCreatives: true,
                method: request.method,
                url: request.url,
                start: began + request.start * speed,
                length: request.length * speed,
                outcome: request.outcome
            )
        }
        self.requests = (self.requests + own).sorted { $0.start < $1.start }
    }

    /// What people call it.
    var heading: String {
        // A file that was given has no title but its name; its document may have one.
        let given = self.title == self.name ? nil : self.title
        let own = given ?? self.offer.flatMap { CreativeReading($0.creative).title }
        if let own, !own.isEmpty { return own }
        return self.shortName == self.provider.rawValue ? "An ad of \(self.shortName)" : self.shortName
    }

    /// Whose it is and what it is called there; nothing twice.
    var origin: String {
        let isNew = self.shortName != self.provider.rawValue && self.shortName != self.heading
        return isNew ? "\(self.provider.rawValue) · \(self.shortName)" : self.provider.rawValue
    }

    /// The name without the mark of what came from a file.
    private var shortName: String {
        let mark = "source:"
        return self.name.hasPrefix(mark) ? String(self.name.dropFirst(mark.count)) : self.name
    }

    /// The picture that shows best what it is: a video's own rather than what is left behind it.
    var face: AdScene.Picture? { self.scene.pictures.first { $0.showsVideo } ?? self.scene.pictures.last }

    /// Whether it stands among other things, and only the upper part of the screen is about it.
    var isBesideContent: Bool { self.offer?.rules.kind == .banner || self.offer?.rules.kind == .card }

    /// The time from its first event to its last.
    var span: (start: Moment, end: Moment)? {
        guard let first = self.records.first, let last = self.records.last else { return nil }
        return (first.at, max(last.at, first.at + .milliseconds(1)))
    }

    /// When something happened first.
    func time(_ event: String) -> Moment? { self.records.first { $0.event.name == event }?.at }

    /// How it ended; nil where it never was on screen.
    var closing: CloseDetails? {
        for record in self.records.reversed() { if case .closed(let closing) = record.event { return closing } }
        return nil
    }

    /// Why there was nothing to see; nil where there was.
    var failure: AdError? {
        for record in self.records {
            switch record.event {
            case .loadFailed(let error), .showFailed(let error): return error
            default: break
            }
        }
        return nil
    }

    /// The detail of an event, as in the sizes of `shown`.
    func detail(_ name: String, of event: String) -> String? {
        let member = self.records.first { $0.event.name == event }?.detail.first { $0.name == name }
        return member.flatMap { $0.value == .null ? nil : $0.value.string ?? $0.value.text() }
    }
}

/// What was seen of an ad on its stage.
package struct AdScene: Sendable {
    /// A picture in the format WebP.
    package struct Picture: Sendable {
        let caption: String
        let at: Moment
        let size: Size
        let bytes: [UInt8]
        /// Whether it shows a video while that plays.
        package var showsVideo = false

        package init(caption: String, at: Moment, size: Size, bytes: [UInt8]) {
            self.caption = caption
            self.at = at
            self.size = size
            self.bytes = bytes
        }
    }

    /// How much of it could be seen from a moment on.
    struct Sight: Sendable {
        let at: Moment
        let ratio: Double
    }

    var pictures: [Picture] = []
    /// How many were made and are not here, because they would have been too many or too large.
    var picturesLeftOut = 0
    var sights: [Sight] = []
    /// When its stage began to work: requests are counted from here.
    var began: Moment?
    var requests: [StageRequest] = []
}

/// A request that was made for an ad: by the runtime, or by the creative.
package struct ReportRequest: Sendable {
    /// What it was for, as in `Ad request` or `Image`.
    let purpose: String
    /// Whether the creative made it.
    let isCreatives: Bool
    let method: String
    /// The address without its secrets.
    let url: String
    let start: Moment
    let length: Duration
    let outcome: StageRequest.Outcome

    package init(
        purpose: String,
        isCreatives: Bool,
        method: String,
        url: String,
        start: Moment,
        length: Duration,
        outcome: StageRequest.Outcome
    ) {
        self.purpose = purpose
        self.isCreatives = isCreatives
        self.method = method
        self.url = url
        self.start = start
        self.length = length
        self.outcome = outcome
    }
}

/// What became of one beacon.
struct BeaconStory: Hashable, Sendable {
    /// How it ended.
    enum Fate: Hashable, Sendable {
        case delivered(attempts: Int)
        case unconfirmed(String)
        case dead(String)
        /// The outcome is not known yet.
        case pending
    }

    let key: String
    let event: String
    let url: String
    let recorded: Moment
    var settled: Moment?
    var fate = Fate.pending

    /// The beacons of an ad in the order in which they were recorded.
    static func all(in records: [AdRecord]) -> [BeaconStory] {
        var stories: [BeaconStory] = []
        var places: [BeaconKey: Int] = [:]
        // A fast server's answer may be told of before its beacon is.
        var early: [BeaconKey: (fate: Fate, at: Moment)] = [:]
        for record in records {
            switch record.event {
            case .beaconRecorded(let key, let address):
                places[key] = stories.count
                stories.append(
                    BeaconStory(
                        key: key.text,
                        event: key.event.rawValue,
                        url: Redaction.address(address.text),
                        recorded: record.at
                    )
                )
                if let (fate, moment) = early.removeValue(forKey: key) { settle(key, fate, at: moment) }
            case .beaconDelivered(let key, let attempts):
                settle(key, .delivered(attempts: attempts), at: record.at)
            case .beaconUnconfirmed(let key, let reason): settle(key, .unconfirmed(reason), at: record.at)
            case .beaconDead(let key, let reason): settle(key, .dead(reason), at: record.at)
            default: break
            }
        }
        return stories

        func settle(_ key: BeaconKey, _ fate: Fate, at moment: Moment) {
            guard let place = places[key] else { return early[key] = (fate, moment) }
            stories[place].fate = fate
            stories[place].settled = max(moment, stories[place].recorded)
        }
    }
}

/// What a report counts: the same that a trace of the run tells event by event.
struct ReportFigures: Hashable, Sendable {
    private(set) var ads = 0
    private(set) var shown = 0
    private(set) var views = 0
    private(set) var clicks = 0
    private(set) var recorded = 0
    private(set) var delivered = 0
    private(set) var unconfirmed = 0
    private(set) var dead = 0
    private(set) var blocked = 0
    private(set) var failures = 0
    /// Ads that were on screen and of which nothing could be seen.
    private(set) var blank = 0

    init(_ stories: [AdStory]) {
        self.ads = stories.count
        for event in stories.lazy.flatMap(\.records).map(\.event) {
            switch event {
            case .shown: self.shown += 1
            case .view: self.views += 1
            case .click: self.clicks += 1
            case .beaconRecorded: self.recorded += 1
            case .beaconDelivered: self.delivered += 1
            case .beaconUnconfirmed: self.unconfirmed += 1
            case .beaconDead: self.dead += 1
            case .blocked: self.blocked += 1
            case .loadFailed, .showFailed: self.failures += 1
            case .diagnostic(.blank): self.blank += 1
            default: break
            }
        }
    }
}
