package import AdCore
import PlayConsole

/// An offer as `load` prints it: format, size, rules, creative and trackers.
package enum OfferText {
    package static func lines(_ offer: Offer, _ reading: CreativeReading) -> [String] {
        var lines = [
            "  kind          \(offer.rules.kind.name)",
            "  size          \(offer.size)",
            "  close after   \(self.close(offer))",
            "  expires after \(Int(offer.rules.effectiveLifetime.inSeconds)) s",
            "  view counted  at \(offer.rules.viewPolicy)",
        ]
        let title = reading.title.map { ", \u{201C}\(Style.printable($0))\u{201D}" } ?? ""
        lines.append("  creative      \(reading.summary)\(title)")
        if case .video(let video) = offer.creative { lines += VideoText.lines(video, offer.videoBeacons) }
        if case .card(let card) = offer.creative { lines += CardText.lines(card, width: 80).map { "    " + $0 } }
        for detail in offer.details {
            let value = Style.printable(detail.value.string ?? detail.value.text())
            lines.append("  \(detail.name)  \(value)")
        }
        if let link = reading.firstLink {
            lines.append("  click-through \(Style.printable(Redaction.address(link.text)))")
        }
        let labels = offer.beacons.map { "on \($0.event)\($0.call.isBilling ? " (billing)" : "")" }
        let width = labels.map(\.count).max() ?? 0
        for (beacon, label) in zip(offer.beacons, labels) {
            let url = Style.printable(Redaction.address(beacon.call.address.text))
            let padded = label + String(repeating: " ", count: max(0, max(width, 13) - label.count))
            lines.append("  \(padded) \(beacon.call.method.rawValue) \(url)")
        }
        return lines
    }

    /// When it can be closed: a video's end and skip offset can come before the close delay.
    private static func close(_ offer: Offer) -> String {
        let rules = offer.rules
        let delay = rules.closeDelay ?? .zero
        if rules.isRewarded { return "the end" + (delay > .zero ? "; closeTimeout is ignored for rewarded ads" : "") }
        if let video = rules.video, video.isSkippable, delay <= .zero { return "the end or a skip" }
        if let delay = rules.closeDelay { return "\(delay.seconds) s" }
        // Only YABBI's ad response has the field.
        return offer.provider == "yabbi" ? "0 s (no closeTimeout in the ad response)" : "0 s"
    }

    package static func json(_ offer: Offer, _ reading: CreativeReading, of ad: AdID, at now: Moment) -> AdJSON {
        let beacons = offer.beacons.map { beacon -> AdJSON in
            [
                "event": .string(beacon.event.rawValue),
                "method": .string(beacon.call.method.rawValue),
                "url": .string(Redaction.address(beacon.call.address.text)),
                "billing": .bool(beacon.call.isBilling),
            ]
        }
        var video = AdJSON.null
        if case .video(let creative) = offer.creative { video = VideoText.json(creative, offer.videoBeacons.all) }
        var card = AdJSON.null
        if case .card(let creative) = offer.creative { card = CardText.json(creative) }
        return [
            "t": .int(now.sinceOrigin.wholeMilliseconds),
            "ad": .string(ad.rawValue),
            "provider": .string(offer.provider.rawValue),
            "event": "offer",
            "kind": .string(offer.rules.kind.name),
            "size": .string(offer.size.description),
            "closeTimeout": offer.rules.closeDelay.map { .int($0.wholeMilliseconds) } ?? .null,
            "lifetime": .int(offer.rules.effectiveLifetime.wholeMilliseconds),
            "viewPolicy": .string(offer.rules.viewPolicy.name),
            "link": .text(reading.firstLink.map { Redaction.address($0.text) }),
            "beacons": .array(beacons),
            "video": video,
            "card": card,
            "details": .object(offer.details),
            "issues": .int(offer.issues.count + reading.issues.count),
        ]
    }
}
