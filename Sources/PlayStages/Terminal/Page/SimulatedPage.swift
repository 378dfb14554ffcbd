import AdCore
import PlayConsole
import PlayText

/// The machine of a provider's page without a browser: sends the app the messages of the real page, in the same order.
///
/// No script of the page runs. A message to the page's server is sent only if the page's script declares its class.
struct SimulatedPage: Sendable {
    enum Action: Equatable, Sendable {
        /// A message to the app, or readiness.
        case report(StageEvent)
        case print(String)
        /// Records a message for the reconciliation.
        case record(PageMessage)
    }

    /// The kind of page, by its URL.
    private enum Kind: Equatable {
        case popup
        case widget(link: String)
        case game(id: String, link: String)
    }

    private let kind: Kind
    private let host: String
    private var source = PageSource("")
    private var popup: (uid: String?, reading: PopupReading)?
    /// The messages that were sent.
    ///
    /// Each is sent once.
    private var sent: Set<String> = []

    init(_ page: PageCreative) {
        self.host = page.address.host
        let path = page.address.target.prefix { $0 != "?" && $0 != "#" }
        let link = page.deepLink
        guard link != nil || path.split(separator: "/").last?.contains("gf") ?? false else {
            self.kind = .popup
            return
        }
        // "dp:gf_saw&id=5&standalone=true": a section and its parameters.
        let parts = (link ?? "dp:gf").split(separator: "&")
        if parts.first == "dp:gf_saw", parts.contains("standalone=true") {
            let id = parts.first { $0.hasPrefix("id=") }?.dropFirst(3) ?? "?"
            self.kind = .game(id: String(id), link: link ?? "")
        } else {
            self.kind = .widget(link: link ?? "dp:gf")
        }
    }

    // MARK: Inputs

    /// Handles the page's HTML.
    mutating func loaded(_ html: String) -> [Action] {
        self.source = PageSource(html)
        let start: [Action] = [
            .record(.simulated(host: self.host, bytes: html.utf8.count)), .report(.ready), self.message(["bcid": 1]),
        ]
        switch self.kind {
        case .popup: return start
        case .game: return start + [self.message(["bcid": 5])]
        case .widget:
            let properties = self.source.properties.map { self.message(.object([.init("bcid", 7)] + $0)) }
            return start + [self.message(["bcid": 5])] + [properties].compactMap(\.self)
        }
    }

    /// Handles a message from the app.
    mutating func post(_ text: String) -> [Action] {
        guard let json = try? AdJSON(parsing: text), json["bcid"]?.number == 3 else {
            return [.print("the page received an unknown message")]
        }
        let uid = json["engagement_uid"]?.string
        self.popup = (uid, PopupReading(json["template_html"]?.string ?? ""))
        return [self.message(["bcid": 5])] + self.track(.impression, self.source.impression, of: uid)
    }

    /// Handles a click of the user.
    mutating func click() -> [Action] {
        switch self.kind {
        case .popup:
            guard let popup, let link = popup.reading.firstLink else {
                return [.print("click: the popup has no deep link")]
            }
            let line = "clicks \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}  \(Style.printable(link.dp))"
            return [.print(line)] + self.track(.action, self.source.action, of: popup.uid)
                + [self.message(["bcid": 4, "dp": .string(link.dp)])]
        case .game(let id, _):
            guard self.sent.insert("spin").inserted else { return [.print("click: the wheel was already spun")] }
            guard let cid = self.source.spin else {
                return [.print("click: the page declares no message for a spin; none is sent")]
            }
            let number = Int(id).map { AdJSON.int($0) } ?? .string(id)
            return [
                .print("spins the wheel"), .record(.sent(PageServerMessage(.spin, cid: cid, uid: nil))),
                self.message(["bcid": 6, "cid": .int(cid), "saw_template_id": number]),
            ]
        case .widget:
            guard let game = self.source.game else {
                return [.print("click: the page declares no game")]
            }
            return [
                .print("clicks \u{201C}Play the mission's game\u{201D}"),
                self.message(.object([.init("bcid", 8)] + game)),
            ]
        }
    }

    // MARK: Display

    /// The visible content.
    func lines(width: Int) -> [String] {
        let columns = max(10, min(60, width - 4))
        switch self.kind {
        case .popup:
            var lines = ["popup"]
            for line in self.popup?.reading.lines ?? [] { lines += CardText.wrapped(line, to: columns, maxLines: 4) }
            for link in self.popup?.reading.links ?? [] {
                lines.append("[ \(Style.printable(link.text, upTo: 60)) ]  \(Style.printable(link.dp, upTo: 80))")
            }
            return lines
        case .game(let id, let link):
            return ["mini-game \(Style.printable(id, upTo: 20))", "opened at \(Style.printable(link))", "[ Spin ]"]
        case .widget(let link): return ["gamification", "opened at \(Style.printable(link))"]
        }
    }

    // MARK: Messages

    private mutating func track(_ what: PageServerMessage.What, _ cid: Int?, of uid: String?) -> [Action] {
        guard let uid, !uid.isEmpty else { return [] }
        guard let cid else {
            return [.print("the page declares no message for the \(what.rawValue); none is sent")]
        }
        guard self.sent.insert("\(what)/\(uid)").inserted else { return [] }
        return [
            .record(.sent(PageServerMessage(what, cid: cid, uid: uid))),
            self.message(["bcid": 6, "cid": .int(cid), "engagement_uid": .string(uid)]),
        ]
    }

    private func message(_ json: AdJSON) -> Action { .report(.message(json.text())) }
}
