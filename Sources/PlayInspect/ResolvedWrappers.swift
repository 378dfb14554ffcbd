import AdCore
import AdMarkup
import PlayConsole
import PlayText

/// The result of following wrappers: the requests, the plan, and the trackers, each with the document of its origin.
package struct ResolvedWrappers {
    private let resolution: VASTResolution
    private let planning: VideoPlanning
    /// The issues of the document itself, which are listed with it.
    private let known: Set<AdIssue>
    /// The break's AdTagURI, if it has one (VMAP 1.0.1).
    private let tag: URLTemplate?
    /// The error URLs that are called.
    private let errorURLs: [VASTErrorCall]
    /// The trackers whose URLs can't be called.
    private let uncallable: [AdIssue]

    init(_ resolution: VASTResolution, _ adBreak: VMAPBreak?, known: [AdIssue] = []) {
        self.known = Set(known)
        if case .tag(let template, _) = adBreak?.source?.content { self.tag = template } else { self.tag = nil }
        self.resolution = resolution
        self.planning = VideoPlan.make(of: resolution, for: adBreak, values: Follower.values)
        let (callable, uncallable) = ResolvedWrappers.sorted(self.planning.errorCalls)
        self.errorURLs = callable
        self.uncallable = uncallable + ResolvedWrappers.uncallable((try? self.planning.result.get())?.beacons ?? [])
    }

    /// How many trackers that can't be called are listed.
    private static let maxUncallable = 100

    /// The reason why a URL of a bundled creative can't be called outside the built-in server; empty for other URLs.
    private static func note(on url: URLTemplate) -> String {
        url.text.hasPrefix("${SANDBOX}") ? "; only the built-in server replaces ${SANDBOX}" : ""
    }

    /// An issue for each tracker of the plan that can't be called.
    private static func uncallable(_ beacons: [VideoTracker]) -> [AdIssue] {
        let issues = beacons.lazy.compactMap { beacon -> AdIssue? in
            guard let problem = Follower.values.address(beacon.url).uncallableReason else { return nil }
            let address = Redaction.address(beacon.url.text.excerpt(200))
            let text = "the \(beacon.event) tracker \(address) is not called: \(problem)\(self.note(on: beacon.url))"
            return AdIssue("vast.tracker.noURL", at: .whole, text)
        }
        return Array(issues.prefix(self.maxUncallable))
    }

    /// The error URLs that can be called, and an issue for each of the others.
    private static func sorted(_ errorCalls: [VASTErrorCall]) -> (callable: [VASTErrorCall], uncallable: [AdIssue]) {
        var callable: [VASTErrorCall] = []
        var issues: [AdIssue] = []
        for errorCall in errorCalls {
            guard let problem = Follower.values.address(errorCall.url).uncallableReason else {
                callable.append(errorCall)
                continue
            }
            let address = Redaction.address(errorCall.url.text)
            let reason = problem + self.note(on: errorCall.url)
            let text = "the error URL \(address) is not called with code \(errorCall.code): \(reason)"
            issues.append(AdIssue("vast.tracker.noURL", at: .whole, text))
        }
        return (callable, issues)
    }

    var isFailure: Bool { if case .failure = self.planning.result { true } else { false } }

    private var ads: [(ad: VASTResolvedAd, isFallback: Bool)] {
        self.resolution.pod.map { ($0, false) } + self.resolution.fallbackAds.map { ($0, true) }
    }

    // MARK: Nodes

    var node: InspectNode {
        var tag: [StyledText] = self.tag.map { [Label.line("AdTagURI", $0.printable)] } ?? []
        if self.resolution.hops.isEmpty, self.tag == nil { tag = [.plain("no wrapper to follow")] }
        // The issues of the document itself are listed with the document.
        let issues = self.planning.issues + self.uncallable
        let shown = self.planning.issues.filter { !self.known.contains($0) } + self.uncallable
        return InspectNode(
            "followed",
            .object([
                InspectNode("tag", .json(.text(self.tag?.text)), tag),
                .objects("hops", self.resolution.hops.map(self.node)),
                .objects("ads", self.ads.map { self.node($0.ad, isFallback: $0.isFallback) }),
                self.plan,
                .objects("errorsTold", self.errorURLs.map(self.node)),
                .data("issues", InspectNode.issues(issues).json), InspectNode(nil, InspectNode.issues(shown).value),
                self.failure,
            ]),
            [.bold("wrapper chain")]
        )
    }

    private func node(_ hop: VASTHop) -> InspectNode {
        let indent = String(repeating: "  ", count: max(0, hop.depth - 1))
        let head = "\(indent)\(hop.depth). \(hop.url.printable)  "
        let ads = hop.ads.map { Quantity.text($0, "ad") } ?? "not requested"
        let error = hop.failure.map { failure in
            let note = failure.message.contains("can't be called") ? ResolvedWrappers.note(on: hop.url) : ""
            return StyledText.red("error \(failure.code)", " \(Style.printable(failure.message, upTo: 300))\(note)")
        }
        return .object(
            [
                .data("wrapper", hop.depth), .data("ad", hop.adID), .data("url", hop.url.text),
                .data("ads", hop.ads),
                .data(
                    "error",
                    hop.failure.map { ["code": .int(Int64($0.code)), "message": .string($0.message)] } ?? AdJSON.null
                ),
            ],
            .plain(head) + (error ?? .plain(ads))
        )
    }

    private func node(_ ad: VASTResolvedAd, isFallback: Bool) -> InspectNode {
        let names = ad.layers.map { layer in
            let system = layer.system.map { " by \(Style.printable($0.name, upTo: 40))" } ?? ""
            return "\(Style.printable(layer.id ?? "ad without an id", upTo: 40))\(system)"
        }
        return .object(
            [
                .data("standIn", isFallback), .data("sequence", ad.sequence),
                .data("chain", .array(ad.layers.map { ["id": .text($0.id), "adSystem": .text($0.system?.name)] })),
            ],
            Label.line(isFallback ? "fallback ad" : "ad", names.joined(separator: " → "))
        )
    }

    /// The spots and the trackers.
    private var plan: InspectNode {
        guard case .success(let plan) = self.planning.result else { return .data("plan", .null) }
        let spots = VideoText.spots(plan.creative).map { StyledText.plain($0) }
        return InspectNode(
            "plan",
            .json(VideoText.json(plan.creative, plan.beacons)),
            [.bold("plan")] + spots + [.bold("trackers")] + plan.beacons.map(self.line)
        )
    }

    private var failure: InspectNode {
        guard case .failure(let error) = self.planning.result else { return .data("error", .null) }
        return InspectNode(
            "error",
            .json([
                "code": .int(Int64(error.code)), "message": .string(error.message),
                "line": error.line.map { .int(Int64($0)) } ?? .null, "wrapper": .int(Int64(error.wrapperDepth)),
            ]),
            [.red("no ad, error \(error.code)", "  \(Style.printable(error.message, upTo: 400))")]
        )
    }

    private func node(_ errorCall: VASTErrorCall) -> InspectNode {
        .object(
            [.data("url", errorCall.url.text), .data("code", errorCall.code), .data("wrapper", errorCall.depth)],
            .plain(
                "would call for error \(errorCall.code): \(errorCall.url.printable) (\(self.origin(errorCall.depth)))"
            )
        )
    }

    /// A tracker with its event and the document that it comes from.
    private func line(_ beacon: VideoTracker) -> StyledText {
        let path = TrackingEvent(beacon.event, spot: beacon.spot, part: beacon.part).path
        let name = Style.printable("\(path)/\(beacon.event)", upTo: 60)
        let padded = name + String(repeating: " ", count: max(1, 44 - name.count))
        let problem = Follower.values.address(beacon.url).uncallableReason.map {
            "; not called: \($0)\(ResolvedWrappers.note(on: beacon.url))"
        }
        return .plain("  \(padded)\(beacon.url.printable)  (\(self.origin(beacon.depth))\(problem ?? ""))")
    }

    private func origin(_ depth: Int) -> String {
        if depth > 0 { return "from wrapper \(depth)" }
        return self.tag == nil ? "from the input" : "from the break's tag"
    }
}
