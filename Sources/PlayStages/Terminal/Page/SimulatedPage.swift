import AdCore
import PlayConsole
import PlayReport

/// A provider's page without a browser: it says to the app what the real page says, in the same order.
///
/// A plain value: the page's HTML, what the app says and clicks go in, and what a stage reports comes out. Nothing of the
/// page runs; what it would tell its server by itself is told only where its own script names the class of the message.
struct SimulatedPage: Sendable {
    /// What is to be done next.
    enum Output: Equatable, Sendable {
        /// The page says something to the app, or could be shown.
        case report(StageEvent)
        /// A line to print.
        case say(String)
        /// A message for the reconciliation.
        case news(PageMessage)
    }

    /// What the page is, by its address.
    private enum Kind: Equatable {
        case popup
        case widget(link: String)
        case game(id: String, link: String)
    }

    private let kind: Kind
    private let host: String
    private var known = PageSource("")
    private var popup: (uid: String?, reading: PopupReading)?
    /// The messages that were sent: each is sent once.
    private var sent: Set<String> = []

    init(_ page: PageCreative) {
        self.host = page.address.host
        let path = page.address.target.prefix { $0 != "?" && $0 != "#" }
        let link = page.deepLink
        guard link != nil || path.split(separator: "/").last?.contains("gf") ?? false else {
            self.kind = .popup
            return
        }
        // "dp:gf_saw&id=5&standalone=true": a section, and what it is to know.
        let parts = (link ?? "dp:gf").split(separator: "&")
        if parts.first == "dp:gf_saw", parts.contains("standalone=true") {
            let id = parts.first { $0.hasPrefix("id=") }?.dropFirst(3) ?? "?"
            self.kind = .game(id: String(id), link: link ?? "")
        } else {
            self.kind = .widget(link: link ?? "dp:gf")
        }
    }

    // MARK: What happens

    /// The page's HTML is there.
    mutating func loaded(_ html: String) -> [Output] {
        self.known = PageSource(html)
        let begin: [Output] = [
            .news(.simulated(host: self.host, bytes: html.utf8.count)), .report(.ready), self.message(["bcid": 1]),
        ]
        switch self.kind {
        case .popup: return begin
        case .game: return begin + [self.message(["bcid": 5])]
        case .widget:
            let properties = self.known.properties.map { self.message(.object([.init("bcid", 7)] + $0)) }
            return begin + [self.message(["bcid": 5])] + [properties].compactMap(\.self)
        }
    }

    /// The app says something to the page.
    mutating func post(_ text: String) -> [Output] {
        guard let json = try? AdJSON(parsing: text), json["bcid"]?.number == 3 else {
            return [.say("the page got a message that it does not know")]
        }
        let uid = json["engagement_uid"]?.string
        self.popup = (uid, PopupReading(json["template_html"]?.string ?? ""))
        return [self.message(["bcid": 5])] + self.track(.impression, self.known.impression, of: uid)
    }

    /// The user clicks what there is to click.
    mutating func click() -> [Output] {
        switch self.kind {
        case .popup:
            guard let popup, let link = popup.reading.firstLink else {
                return [.say("click: there is nothing to click in the popup")]
            }
            let words = "clicks \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}  \(Style.printable(link.dp))"
            return [.say(words)] + self.track(.action, self.known.action, of: popup.uid)
                + [self.message(["bcid": 4, "dp": .string(link.dp)])]
        case .game(let id, _):
            guard self.sent.insert("spin").inserted else { return [.say("click: the wheel was spun already")] }
            guard let cid = self.known.spin else {
                return [.say("click: the message for a spin is not known, and none is sent")]
            }
            let number = Int(id).map { AdJSON.int($0) } ?? .string(id)
            return [
                .say("spins the wheel"), .news(.told(PageServerMessage(.spin, cid: cid, uid: nil))),
                self.message(["bcid": 6, "cid": .int(cid), "saw_template_id": number]),
            ]
        case .widget:
            guard let game = self.known.game else {
                return [.say("click: what the page has to click is not known")]
            }
            return [
                .say("clicks \u{201C}Play the mission's game\u{201D}"),
                self.message(.object([.init("bcid", 8)] + game)),
            ]
        }
    }

    // MARK: What is seen

    /// What can be seen, in lines.
    func lines(width: Int) -> [String] {
        let columns = max(10, min(60, width - 4))
        switch self.kind {
        case .popup:
            var lines = ["popup"]
            for line in self.popup?.reading.lines ?? [] { lines += CardText.wrapped(line, to: columns, most: 4) }
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

    private mutating func track(_ what: PageServerMessage.What, _ cid: Int?, of uid: String?) -> [Output] {
        guard let uid, !uid.isEmpty else { return [] }
        guard let cid else {
            return [.say("the message for the \(what.rawValue) is not known, and none is sent")]
        }
        guard self.sent.insert("\(what)/\(uid)").inserted else { return [] }
        return [
            .news(.told(PageServerMessage(what, cid: cid, uid: uid))),
            self.message(["bcid": 6, "cid": .int(cid), "engagement_uid": .string(uid)]),
        ]
    }

    private func message(_ json: AdJSON) -> Output { .report(.message(json.text())) }
}
