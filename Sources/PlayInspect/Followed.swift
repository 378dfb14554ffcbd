import AdCore
import AdMarkup
import PlayConsole
import PlayReport

/// The result of following wrappers: the requests, the plan, and the trackers, each with the document that it comes from.
package struct Followed {
    private let resolution: VASTResolution
    private let planning: VideoPlanning
    /// What was told of the document itself already.
    private let known: Set<AdIssue>
    /// The address that a break names, where it does not bring its ads.
    private let tag: URLTemplate?
    /// The error URLs that are called.
    private let errorPings: [VASTErrorPing]
    /// Addresses of trackers that can't be called, and why.
    private let uncallable: [AdIssue]

    init(_ resolution: VASTResolution, _ adBreak: VMAPBreak?, known: [AdIssue] = []) {
        self.known = Set(known)
        if case .tag(let template, _) = adBreak?.source?.content { self.tag = template } else { self.tag = nil }
        self.resolution = resolution
        self.planning = VideoPlan.make(of: resolution, for: adBreak, values: Follower.values)
        let (pings, uncallable) = Followed.sorted(self.planning.pings)
        self.errorPings = pings
        self.uncallable = uncallable + Followed.uncallable((try? self.planning.result.get())?.beacons ?? [])
    }

    /// How many trackers that can't be called are listed: a document may have thousands.
    private static let mostUncallable = 100

    /// An issue for each tracker of the plan that can't be called.
    private static func uncallable(_ beacons: [VideoBeacon]) -> [AdIssue] {
        let issues = beacons.lazy.compactMap { beacon -> AdIssue? in
            guard let fault = Follower.values.address(beacon.url).fault else { return nil }
            let address = Redaction.address(beacon.url.text.excerpt(200))
            return AdIssue("vast.tracker.noURL", at: .whole, "\(beacon.event) is not told to \(address): \(fault)")
        }
        return Array(issues.prefix(self.mostUncallable))
    }

    /// The pings that can be sent, and an issue for each address that can't be called.
    private static func sorted(_ pings: [VASTErrorPing]) -> (callable: [VASTErrorPing], uncallable: [AdIssue]) {
        var callable: [VASTErrorPing] = []
        var issues: [AdIssue] = []
        for ping in pings {
            guard let fault = Follower.values.address(ping.url).fault else {
                callable.append(ping)
                continue
            }
            let address = Redaction.address(ping.url.text)
            let text = "\(address): \(fault); error \(ping.code) is not reported there"
            issues.append(AdIssue("vast.tracker.noURL", at: .whole, text))
        }
        return (callable, issues)
    }

    var leadsNowhere: Bool { if case .failure = self.planning.result { true } else { false } }

    private var ads: [(ad: VASTResolvedAd, isStandIn: Bool)] {
        self.resolution.pod.map { ($0, false) } + self.resolution.standIns.map { ($0, true) }
    }

    // MARK: JSON

    var json: AdJSON {
        var failure = AdJSON.null
        if case .failure(let error) = self.planning.result {
            failure = [
                "code": .int(Int64(error.code)), "message": .string(error.message),
                "line": error.line.map { .int(Int64($0)) } ?? .null, "wrapper": .int(Int64(error.wrapperDepth)),
            ]
        }
        return [
            "tag": .text(self.tag?.text),
            "hops": .array(self.resolution.hops.map(self.json)),
            "ads": .array(self.ads.map { self.json($0.ad, isStandIn: $0.isStandIn) }),
            "plan": (try? self.planning.result.get()).map { VideoText.json($0.creative, $0.beacons) } ?? .null,
            "errorsTold": .array(
                self.errorPings.map {
                    ["url": .string($0.url.text), "code": .int(Int64($0.code)), "wrapper": .int(Int64($0.depth))]
                }
            ),
            "issues": VASTJSON.issues(self.planning.issues + self.uncallable),
            "error": failure,
        ]
    }

    private func json(_ hop: VASTHop) -> AdJSON {
        [
            "wrapper": .int(Int64(hop.depth)), "ad": .text(hop.adID), "url": .string(hop.url.text),
            "ads": hop.ads.map { .int(Int64($0)) } ?? .null,
            "error": hop.failure.map { ["code": .int(Int64($0.code)), "message": .string($0.message)] } ?? .null,
        ]
    }

    private func json(_ ad: VASTResolvedAd, isStandIn: Bool) -> AdJSON {
        [
            "standIn": .bool(isStandIn), "sequence": ad.sequence.map { .int(Int64($0)) } ?? .null,
            "chain": .array(ad.layers.map { ["id": .text($0.id), "adSystem": .text($0.system?.name)] }),
        ]
    }

    // MARK: Text

    func lines(_ style: Style) -> [String] {
        var lines = ["  " + style.bold("followed")]
        for hop in self.resolution.hops {
            let indent = String(repeating: "  ", count: hop.depth)
            let outcome =
                hop.failure.map { style.red("error \($0.code)") + " " + Style.printable($0.message, upTo: 300) }
                ?? (hop.ads.map { $0 == 1 ? "1 ad" : "\($0) ads" } ?? "not requested")
            lines.append("  \(indent)\(hop.depth). \(VASTText.shown(hop.url))  \(outcome)")
        }
        if let tag { lines.insert("    AdTagURI  \(VASTText.shown(tag))", at: 1) }
        if self.resolution.hops.isEmpty, self.tag == nil { lines.append("    no wrapper to follow") }
        for (ad, isStandIn) in self.ads {
            let names = ad.layers.map { layer in
                let system = layer.system.map { " by \(Style.printable($0.name, upTo: 40))" } ?? ""
                return "\(Style.printable(layer.id ?? "an ad", upTo: 40))\(system)"
            }
            lines.append("    \(isStandIn ? "fallback ad" : "ad")  \(names.joined(separator: " → "))")
        }
        switch self.planning.result {
        case .success(let plan):
            lines.append("  " + style.bold("played"))
            lines += VideoText.spots(plan.creative).map { "  " + $0 }
            lines.append("  " + style.bold("trackers"))
            lines += self.trackers(plan)
        case .failure(let error):
            lines.append(
                "  \(style.red("nothing to play, error \(error.code)"))  \(Style.printable(error.message, upTo: 400))"
            )
        }
        lines += self.errorPings.map {
            "    error \($0.code): tracker  \(VASTText.shown($0.url))  (\(self.origin($0.depth)))"
        }
        return lines
            + VASTText.issues(
                self.planning.issues.filter { !self.known.contains($0) } + self.uncallable,
                style
            )
    }

    /// Each tracker with its event and the document that it comes from.
    private func trackers(_ plan: VideoPlan) -> [String] {
        plan.beacons.map { beacon in
            let path = TrackingEvent(beacon.event, spot: beacon.spot, part: beacon.part).path
            let name = Style.printable("\(path)/\(beacon.event)", upTo: 60)
            let padded = name + String(repeating: " ", count: max(1, 44 - name.count))
            let fault = Follower.values.address(beacon.url).fault.map { "; not called: \($0)" } ?? ""
            return "    \(padded)\(VASTText.shown(beacon.url))  (\(self.origin(beacon.depth))\(fault))"
        }
    }

    private func origin(_ depth: Int) -> String {
        if depth > 0 { return "from wrapper \(depth)" }
        return self.tag == nil ? "the input" : "the break's tag"
    }
}
