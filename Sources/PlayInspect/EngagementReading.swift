import AdCore
import AdLint
import AdProviders
import PlayConsole
import PlayText

/// A message that smartico pushes: a popup or a mini-game, as the runtime reads it.
package struct EngagementReading {
    private enum Kind {
        /// The id is the engagement's own; nil if the message has none.
        case popup(PopupReading, engagement: String?)
        case game(template: String, link: String)
    }

    private let kind: Kind
    /// The id of the engagement, or else of the message.
    private let uid: String?
    private let sent: WallTime?
    private let issues: [AdIssue]

    /// Reads a message; nil if the document is none.
    init?(_ bytes: [UInt8]) throws(AdError) {
        guard let json = try? AdJSON.reading(bytes).json, AdResponseFormat(json) == .smarticoMessage else { return nil }
        let page = try SmarticoPushedPage(parsing: String(decoding: bytes, as: UTF8.self))
        switch page.kind {
        case .popup(let engagement):
            let html = json["template_html"]?.string
            let popup = PopupReading(html ?? "")
            self.kind = .popup(popup, engagement: engagement)
            self.issues =
                page.issues
                + EngagementReading.issues(of: popup, hasTemplate: html != nil, isNamed: engagement != nil)
        case .game(let template, let link):
            self.kind = .game(template: template, link: link)
            self.issues = page.issues
        }
        self.uid = page.uid
        self.sent = json["ts"]?.number.flatMap { Int64(exactly: $0) }.map(WallTime.init(milliseconds:))
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

    func node(of input: String) -> InspectNode {
        let head: [InspectNode] = [
            .data("kind", "engagement"), .data("provider", SmarticoSession.provider.rawValue), .data("uid", self.uid),
            .data("sent", self.sent.map { .int($0.milliseconds) } ?? AdJSON.null),
        ]
        let tail: [InspectNode] = [.issues(self.issues), .data("error", .null)]
        switch self.kind {
        case .popup(let reading, let engagement):
            let lines = reading.lines.map { Label.line("text", Style.printable($0)) }
            return .input(
                input,
                "smartico popup (CLIENT_ENGAGEMENT_EVENT, cid 110)",
                head + [
                    .data("type", "popup"), .data("cid", 110), self.identity("engagement_uid", engagement),
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
                    .data("type", "game"), .data("cid", 707), self.identity("uuid", self.uid),
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

    /// The line of an id, which a popup may lack though its message has one.
    private func identity(_ name: String, _ own: String?) -> InspectNode {
        guard let uid else { return .text([Label.line(name, "missing")]) }
        let text = own != nil ? Style.printable(uid) : "missing; the message's uuid is \(Style.printable(uid))"
        return .text([Label.line(name, text)])
    }
}
