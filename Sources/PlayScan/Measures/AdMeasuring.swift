import AdCore
import AdLint
import AdRuntime
package import PlayReport
import PlayText
import WebStage

/// What a scan knows of a creative besides its report.
package struct ScanObservation: Sendable {
    /// When its document was loaded, since the start of the run; nil if it was not.
    package var loaded: Duration?
    /// How many times as fast as real time the ads' clock ran.
    package var speed = 1.0
    /// The size of its markup, in bytes.
    package var markup = 0
    /// What became of the click-through URL; nil if none was followed.
    package var landing: LandingPage?
    /// Why there is no ad at all; nil if one was loaded.
    package var failure: String?

    package init() {}
}

/// The end of a click-through URL.
package enum LandingPage: Hashable, Sendable {
    case reached(status: Int, host: String, hops: [String])
    case failed(String)
}

/// Takes the measures of a creative from its report.
package struct AdMeasuring {
    private let ad: ReportedAd
    private let observation: ScanObservation
    private var measures = CreativeMeasures()

    /// The greatest number of texts of a list, and their length.
    private static let limits = (count: 200, length: 300)

    /// The measures of a creative; of one that was never an ad, only the failure.
    package static func measures(of ad: ReportedAd?, _ observation: ScanObservation) -> CreativeMeasures {
        guard let ad else {
            var measures = CreativeMeasures()
            measures["failure"] = .list([observation.failure ?? "the scan was interrupted"])
            return measures
        }
        var measuring = AdMeasuring(ad: ad, observation: observation)
        measuring.takeOutcome()
        measuring.takeRequests()
        measuring.takeTimes()
        measuring.takeActivities()
        measuring.takeAttempts()
        measuring.takeClicks()
        measuring.takeTrackers()
        measuring.takeVideo()
        measuring.takeBridges()
        measuring.takeMarkup()
        return measuring.measures
    }

    private init(ad: ReportedAd, observation: ScanObservation) {
        self.ad = ad
        self.observation = observation
    }

    // MARK: Helpers

    /// A list without repetitions, within the limits.
    private static func list(_ texts: [String]) -> MeasureValue {
        var seen: Set<String> = []
        let unique = texts.map { $0.excerpt(limits.length) }.filter { seen.insert($0).inserted }
        return .list(Array(unique.prefix(limits.count)))
    }

    private static func milliseconds(_ duration: Duration) -> MeasureValue {
        .number(Double(duration.wholeMilliseconds))
    }

    private func members(of name: String) -> [[AdJSON.Member]] {
        self.ad.activities.filter { $0.row.name == name }.map { Array($0.row.members) }
    }

    // MARK: Outcome

    private mutating func takeOutcome() {
        var failures = [self.observation.failure, self.ad.failure?.description].compactMap(\.self)
        if failures.isEmpty, self.ad.time("shown") == nil { failures = ["it was not shown"] }
        self.measures["failure"] = Self.list(Array(failures.prefix(1)))
        let issues = self.ad.records.compactMap { record -> AdIssue? in
            if case .issue(let issue) = record.event { issue } else { nil }
        }
        let ends = issues.filter { StageEvent.CrashCause(rawValue: $0.code) != nil }.map(\.message)
        self.measures["ended"] = Self.list(ends)
        guard self.ad.time("shown") != nil else { return }
        self.measures["blank"] = .flag(self.ad.records.contains { $0.event.blank != nil })
        self.measures["size"] = self.ad.detail("rendered", of: "shown").map { .word($0) }
    }

    // MARK: Requests

    private mutating func takeRequests() {
        let own = self.ad.requests.filter { [.creative, .media].contains($0.purpose) }
        let boundary = self.observation.loaded ?? .seconds(1_000_000)
        var (total, initial) = (self.observation.markup, self.observation.markup)
        var byType: [String: Int] = ["bytes.document": self.observation.markup]
        var (failed, mixed, certificates): ([String], [String], [String]) = ([], [], [])
        var redirects = 0
        for request in own {
            redirects += request.redirects.count
            switch request.outcome {
            case .answered(let status, _, let bytes):
                total += max(0, bytes)
                if request.start <= boundary { initial += max(0, bytes) }
                byType[Self.measure(ofKind: request.kind, request.purpose), default: 0] += max(0, bytes)
                if (300...399).contains(status), status != 304 { redirects += 1 }
                if status >= 400 { failed.append("\(request.url): status \(status)") }
            case .failed(.cancelled), .failed(.blockedByStage): break
            case .failed(.refused(.mixedContent)): mixed.append(request.url)
            case .failed(.refused(let rule)): failed.append("\(request.url): blocked by \(rule.name)")
            case .failed(.other(let reason)):
                let text = "\(request.url): \(reason)"
                if Self.isOfCertificate(reason) { certificates.append(text) } else { failed.append(text) }
            }
        }
        self.measures["bytes.total"] = .number(Double(total))
        self.measures["bytes.initial"] = .number(Double(initial))
        self.measures["bytes.later"] = .number(Double(total - initial))
        for name in ["document", "script", "style", "image", "media", "font", "other"].map({ "bytes.\($0)" }) {
            self.measures[name] = .number(Double(byType[name] ?? 0))
        }
        self.measures["requests.total"] = .number(Double(own.count))
        self.measures["requests.initial"] = .number(Double(own.count { $0.start <= boundary }))
        self.measures["requests.redirects"] = .number(Double(redirects))
        self.measures["requests.insecure"] = Self.list(own.map(\.url).filter(Self.isInsecure))
        self.measures["requests.mixed"] = Self.list(mixed)
        self.measures["requests.certificates"] = Self.list(certificates)
        // Policies look for single hosts, so that more of them are kept than of other texts.
        self.measures["hosts"] = .list(Array(Set(own.compactMap { HTTPURL($0.url)?.host }).sorted().prefix(2_000)))
        // A missing file of a bundle has no request.
        let listed = self.ad.records.compactMap { record -> String? in
            guard case .diagnostic(.requestFailed(let request)) = record.event else { return nil }
            let isKnown = (failed + certificates + mixed).contains { $0.hasPrefix(request.url) }
            return isKnown ? nil : "\(request.url): \(request.reason)"
        }
        self.measures["requests.failed"] = Self.list(failed + listed)
    }

    private static func measure(ofKind kind: String?, _ purpose: RequestPurpose) -> String {
        if purpose == .media { return "bytes.media" }
        switch kind {
        case "Document": return "bytes.document"
        case "Script", "XHR", "Fetch", "EventSource", "WebSocket": return "bytes.script"
        case "Stylesheet": return "bytes.style"
        case "Image": return "bytes.image"
        case "Media", "TextTrack": return "bytes.media"
        case "Font": return "bytes.font"
        default: return "bytes.other"
        }
    }

    /// Whether a URL is http; nothing of this computer crosses a network.
    private static func isInsecure(_ url: String) -> Bool {
        url.utf8.startsIgnoringCase("http://") && HTTPURL(url)?.isLoopback != true
    }

    private static func isOfCertificate(_ reason: String) -> Bool {
        let words = ["ERR_CERT", "ERR_SSL", "CERTIFICATE", "certificate", "TLS", "SSL"]
        return words.contains { reason.contains($0) }
    }

    // MARK: Times and resources

    private mutating func takeTimes() {
        self.measures["time.load"] = self.observation.loaded.map(Self.milliseconds)
        guard let shown = self.ad.time("shown") else { return }
        guard let seen = self.ad.firstVisible, let loaded = self.observation.loaded else { return }
        // The real time since the document was loaded; events have the times of the ads' clock.
        self.measures["time.visible"] = Self.milliseconds(loaded + max(.zero, seen - shown) / self.observation.speed)
    }

    private mutating func takeActivities() {
        var (tasks, autoplay, sounds): ([Double], [String], [String]) = ([], [], [])
        var calls: [String: [String]] = ["fingerprint": [], "storage": [], "permission": [], "worker": []]
        var (warnings, stalls) = (0.0, 0.0)
        for record in self.ad.activities {
            let row = record.row
            let value = { (name: String) in row.members.first { $0.name == name }?.value }
            switch row.name {
            case "painted" where self.measures["time.paint"] == nil:
                self.measures["time.paint"] = value("ms")?.number.map { .number($0) }
            case "longTask": tasks.append(value("ms")?.number ?? 0)
            case "mediaStall": stalls += value("ms")?.number ?? 0
            case "scriptCall": calls[value("purpose")?.string ?? "", default: []].append(value("name")?.string ?? "")
            case "mediaStart" where value("afterGesture") != true:
                let element = value("element")?.string ?? "media"
                if value("audible") == true { sounds.append(element) }
                if element != MediaStart.Element.webAudio.rawValue { autoplay.append(element) }
            case "console": if value("level")?.string == "warning" { warnings += 1 }
            case "use": self.takeUse(value)
            default: break
            }
        }
        guard self.ad.time("shown") != nil else { return }
        self.measures["longtasks.count"] = .number(Double(tasks.count))
        self.measures["longtasks.longest"] = .number(tasks.max() ?? 0)
        self.measures["longtasks.total"] = .number(tasks.reduce(0, +))
        self.measures["sound.atStart"] = Self.list(sounds)
        self.measures["media.autoplay"] = Self.list(autoplay)
        self.measures["fingerprinting"] = Self.list(calls["fingerprint"] ?? [])
        self.measures["storage"] = Self.list(calls["storage"] ?? [])
        self.measures["permissions"] = Self.list(calls["permission"] ?? [])
        self.measures["workers"] = Self.list(calls["worker"] ?? [])
        self.measures["console.warnings"] = .number(warnings)
        if self.isVideo { self.measures["video.stalls"] = .number(stalls) }
    }

    private mutating func takeUse(_ value: (String) -> AdJSON?) {
        for name in ["cpu", "memory", "nodes"] { self.measures[name] = value(name)?.number.map { .number($0) } }
        for (name, member) in [("animation.end", "animationEnd"), ("animation.lastChange", "lastChange")] {
            self.measures[name] = value(member)?.number.map { .number($0) }
        }
        for (name, member) in [("animation.endless", "endless"), ("animation.unfinished", "changing")] {
            self.measures[name] = value(member)?.bool.map { .flag($0) }
        }
        self.measures["cookies"] = value("cookies")?.array.map { Self.list($0.compactMap(\.string)) }
    }

    // MARK: Behavior

    private mutating func takeAttempts() {
        guard self.ad.time("shown") != nil else { return }
        var attempts: [BlockedAttempt.Kind: [String]] = [:]
        var (errors, expansions) = ([String](), [String]())
        for record in self.ad.records {
            switch record.event {
            // Has a measure of its own.
            case .blocked(let attempt) where Self.isUnaskedExpansion(attempt): expansions.append(attempt.detail)
            case .blocked(let attempt): attempts[attempt.kind, default: []].append(attempt.detail)
            case .diagnostic(.scriptError(let error)): errors.append(DiagnosticText.text(error))
            default: break
            }
        }
        let names: [(BlockedAttempt.Kind, String)] = [
            (.navigation, "redirect"), (.popup, "popup"), (.click, "click"), (.download, "download"),
            (.dialog, "dialog"), (.other, "other"),
        ]
        for (kind, name) in names { self.measures["blocked.\(name)"] = Self.list(attempts[kind] ?? []) }
        self.measures["scripts.errors"] = Self.list(errors)
        // Both lists are limited: many other calls might hide one in the first, other attempts in the second.
        let calls = self.mraidReplies.filter { Self.isUnasked($0.reason) }.map { "mraid.\($0.call)" }
        self.measures["expansion.unasked"] = Self.list(calls + expansions.map { String($0.prefix { $0 != "(" }) })
    }

    /// Whether the reason of a refused call is that of `MRAIDExpansionPolicy`.
    private static func isUnasked(_ reason: String) -> Bool { reason.hasSuffix(MRAIDExpansionPolicy.refusal) }

    /// Whether an attempt is a refused call; the texts of other attempts are the creative's own.
    private static func isUnaskedExpansion(_ attempt: BlockedAttempt) -> Bool {
        attempt.kind == .other
            && ["expand", "resize"].contains { attempt.detail == "mraid.\($0)() \(MRAIDExpansionPolicy.refusal)" }
    }

    // MARK: Clicks

    private mutating func takeClicks() {
        let taps = self.ad.records.compactMap { record -> Tap? in
            if case .tap(let tap) = record.event { tap } else { nil }
        }
        // One that the busy browser did not deliver was repeated.
        self.measures["tap"] = taps.last.map { .word($0.outcome.name) }
        switch taps.last?.outcome {
        case .creative(let text), .nothing(let text):
            self.measures["tap.reason"] = .word(text.excerpt(Self.limits.length))
        case .click, .link, nil: break
        }
        switch self.observation.landing {
        case .reached(let status, let host, let hops):
            self.measures["click.status"] = .number(Double(status))
            self.measures["click.host"] = .word(host)
            self.measures["click.redirects"] = .number(Double(max(0, hops.count - 1)))
            self.measures["click.insecure"] = Self.list(hops.filter(Self.isInsecure))
            self.measures["click.failed"] = Self.list(status >= 400 ? ["status \(status) of \(host)"] : [])
        case .failed(let reason): self.measures["click.failed"] = Self.list([reason])
        case nil: break
        }
    }

    // MARK: Trackers

    private mutating func takeTrackers() {
        let rows = self.ad.trackerRows
        self.measures["trackers.insecure"] = Self.list(rows.map(\.url).filter(Self.isInsecure))
        self.measures["trackers.fired"] = .number(Double(rows.count { $0.isFired }))
        self.measures["trackers.failed"] = Self.list(
            rows.filter { $0.isFired && $0.rating == .bad || $0.isFired && $0.rating == .warn }
                .map { "\($0.event): \($0.reason)" }
        )
        guard self.ad.time("shown") != nil else { return }
        self.measures["trackers.missing"] = Self.list(
            rows.filter { !$0.isFired && $0.rating == .warn && Self.isExpected($0) }.map { "\($0.event): \($0.reason)" }
        )
    }

    /// Whether a tracker fires without an input of the user; those of fallback ads do not.
    private static func isExpected(_ row: TrackerRow) -> Bool {
        let name = row.event.split(separator: "/").last.map(String.init) ?? ""
        let expected: Set<String> = [
            "view", "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "viewable",
            "loaded",
        ]
        let isFallback = row.reason == "the ad was not played"
        return !row.url.isEmpty && !isFallback && (expected.contains(name) || name.hasPrefix("progress-"))
    }

    // MARK: Video

    private var isVideo: Bool { if case .video? = self.ad.offer?.creative { true } else { false } }

    private mutating func takeVideo() {
        guard self.isVideo, case .video(let video)? = self.ad.offer?.creative else { return }
        self.measures["video.wrappers"] = .number(Double(self.ad.requests.count { $0.purpose == .wrapper }))
        self.measures["video.duration"] = video.rules.duration.map { .number($0.inSeconds) }
        guard self.ad.time("shown") != nil else { return }
        var furthest: [Int: Int] = [:]
        var issues: [String] = []
        for record in self.ad.records {
            switch record.event {
            case .quartile(let percent, let spot): furthest[spot] = max(furthest[spot] ?? 0, percent)
            case .issue(let issue) where issue.code.hasPrefix("video."): issues.append(issue.message)
            default: break
            }
        }
        for members in self.members(of: "captions") {
            let texts = members.first { $0.name == "issues" }?.value.array?.compactMap(\.string) ?? []
            issues += texts.map { "captions: \($0)" }
        }
        // A nonlinear ad does not play.
        let isLinear = if case .overlay? = video.spots.first?.content { false } else { true }
        // Of a pod the spot that was played least; a fallback ad may be in the place of a spot.
        let isWhole = furthest.count >= video.spots.count - video.fallbackCount
        let least = isWhole ? furthest.values.min() ?? 0 : 0
        if isLinear { self.measures["video.played"] = .number(Double(least)) }
        self.measures["video.issues"] = Self.list(issues)
    }

    // MARK: Bridges

    private var mraidReplies: [(call: String, reason: String)] {
        self.members(of: "mraid").compactMap { members in
            let arguments = members.first { $0.name == "arguments" }?.value
            guard arguments?["outcome"] == "refused" else { return nil }
            return (arguments?["call"]?.string ?? "?", arguments?["reason"]?.string ?? "")
        }
    }

    private mutating func takeBridges() {
        let measured = self.ad.verdicts.filter { !$0.isOfTracker }
        if !measured.isEmpty {
            self.measures["omid.measured"] = .number(Double(measured.count { $0.outcome == .measured }))
            self.measures["omid.missed"] = Self.list(
                measured.filter { $0.outcome != .measured }.map { "\($0.event.dropFirst("omid/".count)): \($0.reason)" }
            )
        }
        func count(_ name: String, _ direction: String? = nil) -> Double? {
            let all = self.members(of: name).filter { members in
                direction.map { wanted in members.first { $0.name == "direction" }?.value.string == wanted } ?? true
            }
            return all.isEmpty ? nil : Double(all.count)
        }
        self.measures["mraid.calls"] = count("mraid", "in").map { .number($0) }
        if self.measures["mraid.calls"] != nil {
            self.measures["mraid.refused"] = Self.list(
                self.mraidReplies.filter { !Self.isUnasked($0.reason) }
                    .map { "mraid.\($0.call): \($0.reason)" }
            )
        }
        self.measures["simid.messages"] = count("simid").map { .number($0) }
        self.measures["vpaid.messages"] = count("vpaid").map { .number($0) }
        let errors = ["simid", "vpaid"].flatMap { name in
            self.members(of: name).compactMap { members -> String? in
                guard let type = members.first(where: { $0.name == "type" })?.value.string,
                    type.asciiLowercased.contains("error")
                else { return nil }
                let arguments = members.first { $0.name == "arguments" }?.value ?? .null
                return "\(name) \(type)" + (arguments == .null ? "" : ": \(arguments.text())")
            }
        }
        if self.measures["simid.messages"] != nil || self.measures["vpaid.messages"] != nil {
            self.measures["interactive.errors"] = Self.list(errors)
        }
    }

    // MARK: Markup

    private mutating func takeMarkup() {
        guard let lint = self.ad.lint else { return }
        self.measures["lint.errors"] = .number(Double(lint.count(.error)))
        self.measures["lint.warnings"] = .number(Double(lint.count(.warning)))
    }
}
