import AdCore
import AdProviders
import PlayConsole
import PlayReport
import YabbiAds

/// What a server of engagements pushes, as `inspect` prints it: a popup or a mini-game, as the runtime takes it.
package struct EngagementReading {
    /// What is pushed.
    private enum Kind {
        case popup(PopupReading)
        case game(template: String, link: String)
    }

    private let kind: Kind
    /// The name by which it is known again.
    private let uid: String?
    /// Whether it has a name of its own, besides that of its message.
    private let isNamed: Bool
    private let sent: WallTime?
    private let issues: [AdIssue]

    /// Reads a message that has a class; nil where it has none.
    init?(_ bytes: [UInt8]) throws(AdError) {
        guard let json = try? AdJSON.reading(bytes).json, json["cid"] != nil,
            ["adm", "seatbid", "ads", "ad"].allSatisfy({ json[$0] == nil })
        else { return nil }
        let (offer, issues) = EngagementReading.heard(String(decoding: bytes, as: UTF8.self))
        guard let offer, case .page(let page) = offer.creative else {
            let known = "it is a message of smartico's that shows nothing; a popup has the class (cid) 110, a game 707"
            throw AdError(.unreadableAnswer, issues.last { $0.code != "message.unexpected" }?.message ?? known)
        }
        let details = AdJSON.object(offer.details)
        if let template = details["saw_template_id"]?.string {
            self.kind = .game(template: template, link: page.deepLink ?? "dp:gf")
            self.uid = EngagementReading.name(json["uuid"])
            self.isNamed = true
            self.issues = issues
        } else {
            let html = json["template_html"]?.string
            let reading = PopupReading(html ?? "")
            self.kind = .popup(reading)
            self.uid = details["engagement_uid"]?.string
            self.isNamed = EngagementReading.name(json["engagement_uid"]) != nil
            self.issues =
                issues + EngagementReading.issues(of: reading, hasTemplate: html != nil, isNamed: self.isNamed)
        }
        self.sent = json["ts"]?.number.flatMap { Int64(exactly: $0) }.map(WallTime.init(milliseconds:))
    }

    /// What a session makes of a message that has just introduced an app and a user.
    private static func heard(_ message: String) -> (offer: Offer?, issues: [AdIssue]) {
        guard let socket = SocketURL("ws://inspect.invalid/") else { preconditionFailure("A literal is no address.") }
        let app = SmarticoApp(
            labelKey: "inspect",
            brandKey: nil,
            id: "inspect",
            version: CommandVersion.number,
            deviceID: "inspect",
            socket: socket
        )
        let pages: AdJSON = [
            "cid": 6, "native_app_popup_url": "http://inspect.invalid/popup",
            "native_app_gf_url": "http://inspect.invalid/gf",
        ]
        let before: [EngagementInput<SmarticoCommand>] = [
            .command(.logIn(SmarticoUser(id: "inspect"))), .socket(.opened), .socket(.text(#"{"cid":4}"#)),
            .socket(.text(pages.text())),
        ]
        var session = SmarticoSession(app)
        var random = SplitMix(seed: 1)
        let time = EngagementTime(now: .origin, wall: WallTime(milliseconds: 0), minutesBehindUTC: 0)
        for input in before { _ = session.handle(input, at: time, random: &random) }
        var offer: Offer?
        var issues: [AdIssue] = []
        for action in session.handle(.socket(.text(message)), at: time, random: &random) {
            switch action {
            case .offer(_, let offered): offer = offered
            case .issue(let issue): issues.append(issue)
            default: break
            }
        }
        return (offer, issues)
    }

    private static func issues(of reading: PopupReading, hasTemplate: Bool, isNamed: Bool) -> [AdIssue] {
        var issues: [AdIssue] = []
        if !hasTemplate {
            let words = "there is no template, and the page has nothing to show"
            issues.append(AdIssue("engagement.noTemplate", at: .field("template_html"), words))
        } else if reading.links.isEmpty {
            let words = "no element has data-dp, and the popup leads nowhere"
            issues.append(AdIssue("engagement.noLink", at: .field("template_html"), words))
        }
        if !isNamed {
            let words = "without it no page can say what was seen, and another message brings the same popup again"
            issues.append(AdIssue("engagement.noUID", at: .field("engagement_uid"), words))
        }
        return issues
    }

    /// A name, as text or as a number; nil where there is none.
    private static func name(_ json: AdJSON?) -> String? {
        let name = json?.string ?? json?.number.map { AdJSON.double($0).text() }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    func node(of input: String) -> InspectNode {
        let head: [InspectNode] = [
            .data("kind", "engagement"), .data("provider", "smartico"), .data("uid", self.uid),
            .data("sent", self.sent.map { .int($0.milliseconds) } ?? AdJSON.null),
        ]
        let tail: [InspectNode] = [.issues(self.issues), .data("error", .null)]
        switch self.kind {
        case .popup(let reading):
            let lines = reading.lines.map { Label.line("text", Style.printable($0)) }
            return .input(
                input,
                "a popup that smartico pushes (CLIENT_ENGAGEMENT_EVENT, cid 110)",
                head + [
                    .data("type", "popup"), .data("cid", 110), self.identity("engagement_uid"),
                    InspectNode("text", .json(.array(reading.lines.map { .string($0) })), lines),
                    .objects("links", reading.links.map(self.node)),
                ] + tail
            )
        case .game(let template, let link):
            let game = "\(Style.printable(template)), opened at \(Style.printable(link))"
            return .input(
                input,
                "a mini-game that smartico pushes (SAW_SHOW_SPIN_PUSH, cid 707)",
                head + [
                    .data("type", "game"), .data("cid", 707), self.identity("uuid"),
                    InspectNode("template", .json(.string(template)), [Label.line("game", game)]),
                ] + tail
            )
        }
    }

    private func node(_ link: PopupReading.Link) -> InspectNode {
        let dummy = link.isDummy ? "  (an app does nothing)" : ""
        let text = "\(Style.printable(link.dp))  \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}\(dummy)"
        return .object(
            [.data("text", link.text), .data("dp", link.dp), .data("dummy", link.isDummy)],
            Label.line("link", text)
        )
    }

    private func identity(_ name: String) -> InspectNode {
        guard let uid else { return .text([.plain("no \(name)")]) }
        let text = self.isNamed ? Style.printable(uid) : "none; its uuid is \(Style.printable(uid))"
        return .text([Label.line(name, text)])
    }
}
