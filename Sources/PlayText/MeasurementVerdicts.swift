import AdCore
import PlayConsole

/// A verdict per vendor that measures the ad with OMID: what its script was told.
struct MeasurementVerdicts {
    /// What the script of one vendor was told.
    private struct Measurement {
        var counts: [String: Int] = [:]
        /// The visible share at the impression, in percent.
        var share: Double?

        func count(_ event: String) -> Int { self.counts[event, default: 0] }

        /// As in "session, impression at 100 %, 4 quartiles, 2 geometry changes".
        var text: String {
            var parts = self.count("sessionStart") > 0 ? ["session"] : ["no session: it registers no observer"]
            if self.count("impression") > 0 {
                let share = self.share.map { " at \(AdJSON.double(($0 * 10).rounded() / 10).text()) %" } ?? ""
                parts.append("impression\(share)")
            } else {
                parts.append("no impression")
            }
            let quartiles = MeasurementVerdicts.quartiles.count { self.count($0) > 0 }
            if quartiles > 0 { parts.append(Quantity.text(quartiles, "quartile")) }
            if self.count("geometryChange") > 0 {
                parts.append(Quantity.text(self.count("geometryChange"), "geometry change"))
            }
            for (event, name) in MeasurementVerdicts.names where self.count(event) > 0 {
                parts.append(self.count(event) > 1 ? "\(name) \(self.count(event)) times" : name)
            }
            return parts.joined(separator: ", ")
        }
    }

    private static let quartiles = ["firstQuartile", "midpoint", "thirdQuartile", "complete"]
    private static let names = [
        ("pause", "paused"), ("skipped", "skipped"), ("volumeChange", "volume changed"), ("bufferStart", "buffered"),
        ("adUserInteraction", "clicked"), ("sessionError", "error"), ("sessionFinish", "session finished"),
    ]

    let list: [Verdict]

    /// The vendors of the ad's video and those that scripts in an HTML creative name, in the order of their appearance.
    init(_ events: [AdEvent], _ offer: Offer?, _ activities: [ActivityRecord]) {
        var vendors: [String] = []
        var measurements: [String: Measurement] = [:]
        for row in activities.map(\.row) where row.name == BridgeMessage.Name.omid.rawValue {
            let member = { (name: String) in row.members.first { $0.name == name }?.value }
            guard let vendor = member("arguments")?["vendor"]?.string, let type = member("type")?.string else {
                continue
            }
            if measurements[vendor] == nil { vendors.append(vendor) }
            guard member("direction") == "out" else {
                measurements[vendor, default: Measurement()].counts["call", default: 0] += 1
                continue
            }
            measurements[vendor, default: Measurement()].counts[type, default: 0] += 1
            if type == "impression" {
                let view = member("arguments")?["data"]?["adView"]
                measurements[vendor]?.share = view?["percentageInView"]?.number
            }
        }
        let failures = events.compactMap { event -> String? in
            if case .issue(let issue) = event, issue.code == "video.verification" { issue.message } else { nil }
        }
        self.list =
            vendors.map { vendor in
                let measurement = measurements[vendor] ?? Measurement()
                let isMeasured = measurement.count("sessionStart") > 0 && measurement.count("impression") > 0
                return Verdict(event: "omid/\(vendor)", isMeasured ? .measured : .notMeasured, reason: measurement.text)
            }
            + MeasurementVerdicts.silent(offer, besides: Set(vendors), events, failures)
    }

    /// The vendors of the video that were told nothing.
    private static func silent(
        _ offer: Offer?,
        besides known: Set<String>,
        _ events: [AdEvent],
        _ failures: [String]
    ) -> [Verdict] {
        guard case .video(let video)? = offer?.creative else { return [] }
        var seen = known
        let all = video.spots.flatMap { Array($0.verifications.enumerated()) }
        return all.compactMap { number, verification in
            let vendor = verification.vendor ?? "vendor \(number + 1)"
            guard seen.insert(vendor).inserted else { return nil }
            let failure = failures.first { $0.contains(" \(vendor) ") }
            let reason =
                failure
                ?? (events.contains(.shown)
                    ? "its script was told nothing: it registers no listener, or the stage runs no scripts"
                    : "the ad was not shown")
            return Verdict(event: "omid/\(vendor)", .notMeasured, reason: reason)
        }
    }
}
