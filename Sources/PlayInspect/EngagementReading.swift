import AdCore
import AdProviders
import PlayConsole
import PlayText

/// A message that smartico pushes: a popup or a mini-game, as the runtime reads it.
package struct EngagementReading {
    private enum Kind {
        case popup(PopupReading)
        case game(template: String, link: String)
    }

    private let kind: Kind
    /// The id of the engagement, or else of the message.
    private let uid: String?
    /// Whether `uid` is the engagement's own id.
    private let isNamed: Bool
    private let sent: WallTime?
    private let issues: [AdIssue]

    /// Reads a message; nil if it has no message class (`cid`).
    init?(_ bytes: [UInt8]) throws(AdError) {
        guard let json = try? AdJSON.reading(bytes).json, json["cid"] != nil,
            ["adm", "seatbid", "ads", "ad"].allSatisfy({ json[$0] == nil })
        else { return nil }
        let (offer, issues) = EngagementReading.offer(in: String(decoding: bytes, as: UTF8.self))
        guard let offer, case .page(let page) = offer.creative else {
            let text = "a smartico message without an engagement; a popup has class (cid) 110, a mini-game 707"
            throw AdError(.unreadableResponse, issues.last { $0.code != "message.unexpected" }?.message ?? text)
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

    /// The offer that a session with an identified user reads from a message.
    private static func offer(in message: String) -> (offer: Offer?, issues: [AdIssue]) {
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
            let text = "no template: the popup has no content"
            issues.append(AdIssue("engagement.noTemplate", at: .field("template_html"), text))
        } else if reading.links.isEmpty {
            let text = "no element has data-dp: the popup has no link"
            issues.append(AdIssue("engagement.noLink", at: .field("template_html"), text))
        }
        if !isNamed {
            let text = "no engagement_uid: impressions and actions can't be reported, and the popup may be shown again"
            issues.append(AdIssue("engagement.noUID", at: .field("engagement_uid"), text))
        }
        return issues
    }

    /// An id, as a string or a number; nil if it is missing or empty.
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
                "smartico popup (CLIENT_ENGAGEMENT_EVENT, cid 110)",
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
                "smartico mini-game (SAW_SHOW_SPIN_PUSH, cid 707)",
                head + [
                    .data("type", "game"), .data("cid", 707), self.identity("uuid"),
                    InspectNode("template", .json(.string(template)), [Label.line("game", game)]),
                ] + tail
            )
        }
    }

    private func node(_ link: PopupReading.Link) -> InspectNode {
        let dummy = link.isDummy ? "  (no action in the app)" : ""
        let text = "\(Style.printable(link.dp))  \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}\(dummy)"
        return .object(
            [.data("text", link.text), .data("dp", link.dp), .data("dummy", link.isDummy)],
            Label.line("link", text)
        )
    }

    private func identity(_ name: String) -> InspectNode {
        guard let uid else { return .text([Label.line(name, "missing")]) }
        let text = self.isNamed ? Style.printable(uid) : "missing; the message's uuid is \(Style.printable(uid))"
        return .text([Label.line(name, text)])
    }
}
