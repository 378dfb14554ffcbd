package import AdCore
package import AdLint
import AdMarkup
import AdRuntime
package import PlayText
import WebStage

/// What a report contains of one ad.
package struct ReportedAd: Sendable {
    package let id: AdID
    let provider: ProviderName
    /// The name of the placement or input.
    package let name: String
    package let title: String?
    package let offer: Offer?
    package private(set) var records: [AdRecord]
    package var verdicts: [Verdict]
    /// The findings in its markup; nil if it has no markup.
    package var lint: LintReport?
    /// What its creative did besides the events.
    package var activities: [ActivityRecord]
    /// All lines of the ad in the order of the output; empty if only the events are known.
    var lines: [EventLine]
    /// What its stage reported.
    var scene = StageCapture()
    /// Every request that was made for it, by start time.
    package var requests: [ReportRequest] = []

    package init(
        ad: AdID,
        provider: ProviderName,
        name: String,
        title: String?,
        offer: Offer?,
        records: [AdRecord],
        verdicts: [Verdict],
        lint: LintReport? = nil,
        activities: [ActivityRecord] = [],
        lines: [EventLine] = [],
        requests: [ReportRequest] = []
    ) {
        self.activities = activities
        self.lines = lines
        self.id = ad
        self.provider = provider
        self.name = name
        self.title = title
        self.offer = offer
        self.records = records
        self.verdicts = verdicts
        self.lint = lint
        self.requests = requests
    }

    /// Adds what its stage reported, and merges the creative's requests with those of the runtime.
    mutating func add(_ scene: StageCapture) {
        self.scene = scene
        self.requests = (self.requests + scene.requests).sorted { $0.start < $1.start }
    }

    /// The ad with what was printed of it so far.
    package func updated(from printer: Printer, _ verdicts: [Verdict]) -> ReportedAd {
        var ad = self
        ad.verdicts = verdicts
        ad.records = printer.records(of: self.id)
        ad.activities = printer.activities(of: self.id)
        ad.lines = printer.lines(of: self.id)
        return ad
    }

    /// The ad with other pictures over its whole time, as many as a page can hold.
    package func showing(_ strip: FilmStrip) -> ReportedAd {
        var ad = self
        ad.scene.strip = FilmStrip(.report)
        for picture in strip.all { ad.scene.strip.add(picture.bytes, at: picture.time) }
        return ad
    }

    /// The title, or else the name.
    var heading: String {
        // The title of an input file is its name; its document may have a better one.
        let title = self.title == self.name ? nil : self.title
        let heading = title ?? self.offer.flatMap { CreativeReading($0.creative).title }
        if let heading, !heading.isEmpty { return heading }
        return self.shortName == self.provider.rawValue ? "\(self.shortName) ad" : self.shortName
    }

    /// The provider, and the name if the heading does not have it.
    var origin: String {
        let isNew = self.shortName != self.provider.rawValue && self.shortName != self.heading
        return isNew ? "\(self.provider.rawValue) · \(self.shortName)" : self.provider.rawValue
    }

    /// The beginning of the name of a unit that serves the user's document; `report.html` does not print it.
    package static let documentPrefix = "source:"

    /// The code of the issue of a document that is no tag.
    package static let textIssue = "document.text"

    /// The name without the prefix of documents.
    var shortName: String {
        let prefix = ReportedAd.documentPrefix
        return self.name.hasPrefix(prefix) ? String(self.name.dropFirst(prefix.count)) : self.name
    }

    /// The screenshot that stands for the ad: one of a playing video if there is one, or else the last.
    var thumbnail: StageCapture.Picture? { self.scene.pictures.first { $0.showsVideo } ?? self.scene.pictures.last }

    /// Whether it is displayed inline with content, at the top of the screen.
    var isInline: Bool { self.offer?.rules.kind == .banner || self.offer?.rules.kind == .card }

    /// The time from its first event to its last.
    var span: (start: Moment, end: Moment)? {
        guard let first = self.records.first, let last = self.records.last else { return nil }
        return (first.at, max(last.at, first.at + .milliseconds(1)))
    }

    /// When an event first happened.
    package func time(_ event: String) -> Moment? { self.records.first { $0.event.name == event }?.at }

    /// How it was closed; nil if it was not shown.
    package var closing: CloseDetails? {
        for record in self.records.reversed() { if case .closed(let closing) = record.event { return closing } }
        return nil
    }

    /// Whether there is no ad because its load failed; false while it is being loaded.
    package var hasFailedToLoad: Bool { self.offer == nil && self.failure != nil }

    /// When a part of it was first in view.
    package var firstVisible: Moment? { self.scene.visibilityChanges.first { $0.ratio > 0 }?.at }

    /// Why it was not loaded or shown; nil if it was.
    package var failure: AdError? {
        for record in self.records {
            switch record.event {
            case .loadFailed(let error), .showFailed(let error): return error
            default: break
            }
        }
        return nil
    }

    /// The recorded beacons in the order in which they were recorded.
    var beacons: [BeaconHistory] { BeaconHistory.all(in: self.records).filter { $0.record != nil } }

    /// A detail of an event, such as the sizes of `shown`.
    package func detail(_ name: String, of event: String) -> String? {
        let member = self.records.first { $0.event.name == event }?.detail.first { $0.name == name }
        return member.flatMap { $0.value == .null ? nil : $0.value.string ?? $0.value.text() }
    }
}

/// What a stage reported of an ad: screenshots, visibility and the creative's requests.
package struct StageCapture: Sendable {
    /// A screenshot as WebP.
    package struct Picture: Sendable {
        let caption: String
        let at: Moment
        let size: Size
        let bytes: [UInt8]
        /// Whether a video was playing.
        package var showsVideo = false

        package init(caption: String, at: Moment, size: Size, bytes: [UInt8]) {
            self.caption = caption
            self.at = at
            self.size = size
            self.bytes = bytes
        }
    }

    /// The visible share of the ad from a moment on.
    struct Visibility: Sendable {
        let at: Moment
        let ratio: Double
    }

    var pictures: [Picture] = []
    /// Small pictures over its whole time.
    var strip = FilmStrip(.report)
    /// How many screenshots were dropped because of the limits of ``ReportRecorder``.
    var omittedPictures = 0
    var visibilityChanges: [Visibility] = []
    /// The real time since the start of the run when its stage started; the times of its requests are relative to it.
    var startedAt = Duration.zero
    /// The requests of the creative.
    var requests: [ReportRequest] = []
}

/// The figures of a report, counted from the events of all ads.
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
    /// Ads that were shown and had no visible content.
    private(set) var blank = 0

    init(_ ads: [ReportedAd]) {
        self.ads = ads.count
        for event in ads.lazy.flatMap(\.records).map(\.event) {
            switch event {
            case .shown: self.shown += 1
            case .view: self.views += 1
            case .click: self.clicks += 1
            case .blocked: self.blocked += 1
            case .loadFailed, .showFailed: self.failures += 1
            case .diagnostic(.blank): self.blank += 1
            default: break
            }
        }
        for beacon in ads.lazy.flatMap(\.beacons) {
            self.recorded += 1
            switch beacon.outcome {
            case .delivered: self.delivered += 1
            case .unconfirmed: self.unconfirmed += 1
            case .dead: self.dead += 1
            case .pending, .withheld: break
            }
        }
    }
}
