import AdCore

/// What a server of engagements pushes, as `inspect` prints it: a popup or a mini-game.
struct EngagementReading {
    /// What is pushed.
    private enum Kind {
        case popup(PopupReading)
        case game(template: String)
    }

    private let kind: Kind
    private let uid: String?
    private let sent: WallTime?
    private let issues: [Issue]

    /// Reads a message by its class; nil where it is none of these two.
    init?(_ bytes: [UInt8]) throws(AdError) {
        guard let answer = try? JSON.reading(bytes), let cid = answer.json["cid"]?.number else { return nil }
        let json = answer.json
        switch cid {
        case 110: (self.kind, self.issues) = EngagementReading.popup(json, answer.repairs)
        case 707:
            guard let template = EngagementReading.text(json["saw_template_id"]) else {
                let words = "a mini-game was pushed (cid 707), and no saw_template_id says which"
                throw AdError(.unreadableAnswer, words)
            }
            (self.kind, self.issues) = (.game(template: template), answer.repairs)
        default: return nil
        }
        self.uid = EngagementReading.text(json["engagement_uid"] ?? json["uuid"])
        self.sent = json["ts"]?.number.flatMap { Int64(exactly: $0) }.map(WallTime.init(milliseconds:))
    }

    private static func popup(_ json: JSON, _ repairs: [Issue]) -> (Kind, [Issue]) {
        var issues = repairs
        let html = json["template_html"]?.string
        let reading = PopupReading(html ?? "")
        if html == nil {
            let words = "there is no template, and the page has nothing to show"
            issues.append(Issue("engagement.noTemplate", at: .field("template_html"), words))
        } else if reading.links.isEmpty {
            let words = "no element has data-dp, and the popup leads nowhere"
            issues.append(Issue("engagement.noLink", at: .field("template_html"), words))
        }
        if json["engagement_uid"] == nil {
            let words = "without it the same popup is not known again, and may be shown twice"
            issues.append(Issue("engagement.noUID", at: .field("engagement_uid"), words))
        }
        return (.popup(reading), issues)
    }

    private static func text(_ json: JSON?) -> String? {
        json?.string ?? json?.number.map { JSON.double($0).text() }
    }

    var json: JSON {
        let head: [JSON.Member] = [
            .init("kind", "engagement"), .init("provider", "smartico"), .init("uid", .text(self.uid)),
            .init("sent", self.sent.map { .int($0.milliseconds) } ?? .null),
        ]
        let tail: [JSON.Member] = [.init("issues", VASTJSON.issues(self.issues)), .init("error", .null)]
        switch self.kind {
        case .popup(let reading):
            let links = reading.links.map { link -> JSON in
                ["text": .string(link.text), "dp": .string(link.dp), "dummy": .bool(link.isDummy)]
            }
            let body: [JSON.Member] = [
                .init("type", "popup"), .init("cid", 110),
                .init("text", .array(reading.lines.map { .string($0) })), .init("links", .array(links)),
            ]
            return .object(head + body + tail)
        case .game(let template):
            let body: [JSON.Member] = [
                .init("type", "game"), .init("cid", 707), .init("template", .string(template)),
            ]
            return .object(head + body + tail)
        }
    }

    func lines(of input: String, _ style: Style) -> [String] {
        var lines = [style.bold(Style.printable(input))]
        switch self.kind {
        case .popup(let reading):
            lines[0] += "  a popup that smartico pushes (CLIENT_ENGAGEMENT_EVENT, cid 110)"
            lines += self.identity("engagement_uid")
            lines += reading.lines.map { "  text  \(Style.printable($0))" }
            lines += reading.links.map { link in
                let dummy = link.isDummy ? style.dim("  (an app does nothing)") : ""
                return
                    "  link  \(Style.printable(link.dp))  \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}\(dummy)"
            }
        case .game(let template):
            lines[0] += "  a mini-game that smartico pushes (SAW_SHOW_SPIN_PUSH, cid 707)"
            lines += self.identity("uuid")
            lines.append("  game  \(Style.printable(template)), opened at dp:gf_saw&id=\(Style.printable(template))")
        }
        return lines + VASTText.issues(self.issues, style)
    }

    private func identity(_ name: String) -> [String] {
        [self.uid.map { "  \(name)  \(Style.printable($0))" } ?? "  no \(name)"]
    }
}
