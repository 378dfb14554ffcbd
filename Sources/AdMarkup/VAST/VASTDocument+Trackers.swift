package import AdCore

/// A tracker as a document names it: of an ad that was not loaded, no more is known.
package struct NamedTracker: Hashable, Sendable {
    /// The element or event, as in `impression` or `start`.
    package let event: String
    package let url: URLTemplate

    init(_ event: String, _ url: URLTemplate) {
        self.event = event
        self.url = url
    }

    /// All trackers of a VAST or VMAP document; none if it is neither.
    package static func all(in bytes: [UInt8]) -> [NamedTracker] {
        switch MarkupKind(sniffing: bytes) {
        case .vast: (try? VASTDocument(parsing: bytes))?.trackers ?? []
        case .vmap:
            ((try? VMAPDocument(parsing: bytes))?.breaks ?? []).flatMap { adBreak in
                adBreak.tracking.map(\.named) + (adBreak.source?.document?.trackers ?? [])
            }
        default: []
        }
    }
}

extension VMAPSource {
    fileprivate var document: VASTDocument? { if case .vast(let document) = self.content { document } else { nil } }
}

extension VASTDocument {
    /// All trackers of all ads, in the order of the sections of VAST 4.3; of an ad that could not be parsed, those of
    /// errors.
    package var trackers: [NamedTracker] {
        (self.errorURLs + self.broken.flatMap(\.errors)).map { NamedTracker("error", $0) }
            + self.ads.flatMap(\.trackers)
    }
}

extension VASTAd {
    fileprivate var trackers: [NamedTracker] {
        let viewable = self.viewable.flatMap { viewable in
            viewable.viewable.map { NamedTracker("viewable", $0) }
                + viewable.notViewable.map { NamedTracker("notViewable", $0) }
                + viewable.undetermined.map { NamedTracker("viewUndetermined", $0) }
        }
        return self.impressions.map { NamedTracker("impression", $0.url) } + viewable
            + self.errors.map { NamedTracker("error", $0) } + self.creatives.flatMap(\.body.trackers)
            + self.verifications.flatMap(\.tracking).map(\.named)
    }
}

extension VASTTracking {
    fileprivate var named: NamedTracker { NamedTracker(self.event, self.url) }
}

extension VASTCreative.Body {
    fileprivate var trackers: [NamedTracker] {
        switch self {
        case .linear(let linear):
            linear.tracking.map(\.named) + linear.clickTracking.map { NamedTracker("clickTracking", $0) }
                + linear.customClickTracking.map { NamedTracker("customClick", $0) }
                + linear.icons.flatMap { icon in
                    icon.views.map { NamedTracker("iconView", $0) }
                        + icon.clicks.tracking.map { NamedTracker("iconClick", $0) }
                }
        case .nonLinear(let list):
            list.tracking.map(\.named)
                + list.items.flatMap(\.clicks.tracking).map { NamedTracker("clickTracking", $0) }
        case .companions(let companions):
            companions.items.flatMap { companion in
                companion.tracking.map(\.named)
                    + companion.clicks.tracking.map { NamedTracker("companionClick", $0) }
            }
        }
    }
}
