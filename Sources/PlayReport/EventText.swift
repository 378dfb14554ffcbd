import AdCore
import AdProviders
package import AdRuntime
package import PlayConsole
import YabbiAds

/// One event as one line for people.
package struct EventText: Sendable {
    let style: Style
    /// Whether links are opened for real.
    let opensLinks: Bool
    /// Whether a line says whose it is, because several ads may be on screen.
    let tagsAds: Bool

    package init(style: Style, opensLinks: Bool = false, tagsAds: Bool = false) {
        self.style = style
        self.opensLinks = opensLinks
        self.tagsAds = tagsAds
    }

    package func line(_ record: AdRecord) -> String {
        let time = EventText.time(record.at.sinceOrigin)
        return "\(self.style.dim(time))  \(self.tag(record.ad))\(self.words(record))"
    }

    func line(_ notice: IgnoredInput) -> String {
        let time = EventText.time(notice.at.sinceOrigin)
        return
            "\(self.style.dim(time))  \(self.tag(notice.ad))\(self.style.dim("ignored: \(notice.input) (\(notice.reason))"))"
    }

    /// The beginning of an ad's id, as in `[6f3a] `; nothing where there is one ad at a time.
    func tag(_ ad: AdID) -> String { self.tagsAds ? self.style.dim("[\(ad.rawValue.prefix(4))]") + " " : "" }

    /// A time as in `  1.250 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        let fraction = String(milliseconds % 1000)
        let text = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }

    /// A detail with its unit: times are milliseconds for programs.
    private static func words(_ member: AdJSON.Member) -> String {
        if member.name == "containerRule" {
            return "by " + (member.value.string.flatMap(ContainerSize.Rule.init)?.words ?? member.value.text())
        }
        guard ["closeTimeout", "lifetime", "duration"].contains(member.name), let value = member.value.number else {
            return "\(member.name) \(member.value.string ?? member.value.text())"
        }
        return "\(member.name) \(AdJSON.double(value / 1000).text()) s"
    }

    private func words(_ tap: Tap) -> String {
        var place = ""
        if let at = tap.place {
            place = "  at \(Int(at.x.rounded())),\(Int(at.y.rounded()))"
            if let target = at.target { place += " on \(Style.printable(target, upTo: 80))" }
        }
        switch tap.outcome {
        case .click(let link), .link(let link):
            return "tap\(place)  → \(Style.printable(Redaction.address(link.text), upTo: 200))"
        case .creative(let did): return "tap\(place)  handled by the creative: \(Style.printable(did, upTo: 200))"
        case .nothing(let reason):
            return self.style.yellow("tap") + "\(place)  led nowhere: \(Style.printable(reason, upTo: 400))"
        }
    }

    private func words(_ diagnostic: CreativeDiagnostic) -> String {
        switch diagnostic {
        case .requestFailed(let request):
            return self.style.yellow("request failed")
                + "  \(Style.printable(DiagnosticText.words(request), upTo: 400))"
        case .scriptError(let error):
            return self.style.yellow("script error") + "  \(Style.printable(DiagnosticText.words(error), upTo: 400))"
        case .blank(let blank):
            return self.style.red("blank") + "  \(Style.printable(DiagnosticText.words(blank), upTo: 600))"
        }
    }

    private func words(_ record: AdRecord) -> String {
        let detail = record.detail.filter { $0.value != .null }.map(EventText.words).joined(separator: ", ")
        switch record.event {
        case .loadStarted:
            let isPushed = record.provider == SmarticoSession.provider
            return isPushed ? "\(record.provider) has something to show" : "asking \(record.provider) for an ad"
        case .loaded: return self.style.bold("loaded") + "  \(detail)"
        case .loadFailed(let error):
            return self.style.red("load failed") + "  \(Style.printable(error.description, upTo: 400))"
        case .shown: return self.style.bold("shown") + "  \(detail)"
        case .showFailed(let error):
            return self.style.red("show failed") + "  \(Style.printable(error.description, upTo: 400))"
        case .view(let policy): return self.style.green("view") + "  counted (\(policy))"
        case .click: return self.style.green("click") + "  counted"
        case .linkOpened(let link, let outcome):
            let text = Style.printable(Redaction.address(link.text))
            switch outcome {
            case .opened(.systemBrowser): return "link opened  \(text)"
            case .opened(.inApp): return "link opened  \(text)  (in the app)"
            case .notOpened: break
            }
            let reason = self.opensLinks ? "could not be opened" : "not opened; --open opens it"
            return "link  \(text)  (\(reason))"
        case .tap(let tap): return self.words(tap)
        case .diagnostic(let diagnostic): return self.words(diagnostic)
        case .blocked(let attempt):
            return self.style.yellow("blocked") + "  \(attempt.kind.rawValue): \(Style.printable(attempt.detail))"
        case .closeAvailable(let rule): return "can be closed  (\(rule.rawValue))"
        case .quartile(let percent, let spot): return "played \(percent) %" + (spot > 0 ? "  of spot \(spot + 1)" : "")
        case .skipAvailable: return "can be skipped"
        case .skipped: return "skipped"
        case .rewarded: return self.style.green("reward earned")
        case .closed(let closing):
            let reward = closing.rewarded ? ", rewarded" : ""
            let who = closing.reason == .stageGone ? "taken away" : "by \(closing.reason.rawValue)"
            return self.style.bold("closed") + "  \(who) (\(closing.rule.rawValue))\(reward)"
        case .expired: return self.style.yellow("expired")
        case .issue(let issue): return self.style.yellow("issue") + "  \(Style.printable(issue.description, upTo: 400))"
        case .beaconRecorded(let key, let address):
            return "beacon recorded  \(key.event)  \(Style.printable(Redaction.address(address.text)))"
        case .beaconDelivered(let key, let attempts):
            return "beacon delivered  \(key.event)" + (attempts > 1 ? "  at attempt \(attempts)" : "")
        case .beaconUnconfirmed(let key, let reason):
            return self.style.yellow("beacon unconfirmed") + "  \(key.event): \(Style.printable(reason))"
        case .beaconDead(let key, let reason):
            return self.style.red("beacon dead") + "  \(key.event): \(Style.printable(reason))"
        }
    }
}
