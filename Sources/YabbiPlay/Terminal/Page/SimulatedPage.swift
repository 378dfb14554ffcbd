import AdCore

/// A provider's page without a browser: it says to the app what the real page says, in the same order.
///
/// A plain value: the page's HTML, what the app says and clicks go in, and what a stage reports comes out. Nothing of the
/// page runs; what it would tell its server by itself is told only where its own script names the class of the message.
struct SimulatedPage: Sendable {
    /// What is to be done next.
    enum Output: Equatable, Sendable {
        /// The page says something to the app, or could be shown.
        case report(StageEvent)
        /// A line for whoever looks on.
        case say(String)
        /// The message that follows tells the server something.
        case told(PageTold)
    }

    /// What the page is, by its address.
    private enum Kind: Equatable {
        case popup
        case widget(link: String)
        case game(id: String, link: String)
    }

    /// The numbers that the page's script gives to its own messages; nil where it names none.
    private struct Classes {
        var impression: Int?
        var action: Int?
        var spin: Int?
        var tellsProperties = false
        var opensGames = false
    }

    private let kind: Kind
    private let host: String
    private let origin: String
    private var classes = Classes()
    private var popup: (uid: String?, reading: PopupReading)?
    /// What was told before: each is told once.
    private var told: Set<String> = []

    init(_ page: PageCreative) {
        self.host = page.address.host
        // As a browser says it: without the scheme's own port.
        self.origin = String(page.address.text.dropLast(page.address.target.count))
        let target = page.address.target.prefix { $0 != "#" }
        let path = target.prefix { $0 != "?" }
        let link = SimulatedPage.deepLink(in: target.drop { $0 != "?" }.dropFirst())
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

    private static func deepLink(in query: Substring) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("dp=") }.map { PercentEncoding.decoded($0.dropFirst(3)) }
    }

    // MARK: What happens

    /// The page's HTML is there.
    mutating func loaded(_ html: String) -> [Output] {
        self.classes = Classes(
            impression: SimulatedPage.number(of: "IMPRESSION", in: html),
            action: SimulatedPage.number(of: "ACTION", in: html),
            spin: SimulatedPage.number(of: "SPIN", in: html),
            tellsProperties: html.contains("SEND_PUBLIC_PROPS"),
            opensGames: html.contains("SEND_GAME_OPENING")
        )
        let words =
            "a page of \(Style.printable(self.host)), \(html.utf8.count) bytes, is simulated: nothing of it runs"
        let begin: [Output] = [.say(words), .report(.ready), self.message(["bcid": 1])]
        switch self.kind {
        case .popup: return begin
        case .game: return begin + [self.message(["bcid": 5])]
        case .widget:
            guard self.classes.tellsProperties else { return begin + [self.message(["bcid": 5])] }
            let properties: JSON = ["bcid": 7, "ach_points_balance": 1250, "ach_level_current": "Sprout 1"]
            return begin + [self.message(["bcid": 5]), self.message(properties)]
        }
    }

    /// The app says something to the page.
    mutating func post(_ text: String) -> [Output] {
        guard let json = try? JSON(parsing: text), json["bcid"]?.number == 3 else {
            return [.say("the page was told what it does not understand")]
        }
        let uid = json["engagement_uid"]?.string
        self.popup = (uid, PopupReading(json["template_html"]?.string ?? ""))
        return [self.message(["bcid": 5])] + self.tell(.impression, self.classes.impression, of: uid)
    }

    /// The user clicks what there is to click.
    mutating func click() -> [Output] {
        switch self.kind {
        case .popup:
            guard let popup, let link = popup.reading.firstLink else {
                return [.say("click: there is nothing to click in the popup")]
            }
            let words = "clicks \u{201C}\(Style.printable(link.text, upTo: 80))\u{201D}  \(Style.printable(link.dp))"
            return [.say(words)] + self.tell(.action, self.classes.action, of: popup.uid)
                + [self.message(["bcid": 4, "dp": .string(link.dp)])]
        case .game(let id, _):
            guard self.told.insert("spin").inserted else { return [.say("click: the wheel was spun already")] }
            guard let cid = self.classes.spin else {
                return [.say("click: what the page tells its server of a spin is not known, and nothing is told")]
            }
            let number = Int(id).map { JSON.int($0) } ?? .string(id)
            return [
                .say("spins the wheel"), .told(PageTold(.spin, cid: cid, uid: nil)),
                self.message(["bcid": 6, "cid": .int(cid), "saw_template_id": number]),
            ]
        case .widget:
            guard self.classes.opensGames else { return [.say("click: what the page has to click is not known")] }
            return [
                .say("clicks \u{201C}Play the mission's game\u{201D}"),
                self.message([
                    "bcid": 8, "ach_game_id": 17, "ext_game_id": "soup-17", "context": "mission",
                    "game_public_meta": [
                        "name": "Soup Sprint", "enabled": true, "image": .string(self.origin + "/avatar/soup-17"),
                    ],
                ]),
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

    private mutating func tell(_ what: PageTold.What, _ cid: Int?, of uid: String?) -> [Output] {
        guard let uid, !uid.isEmpty else { return [] }
        guard let cid else {
            return [.say("what the page tells its server of the \(what.rawValue) is not known, and nothing is told")]
        }
        guard self.told.insert("\(what)/\(uid)").inserted else { return [] }
        return [
            .told(PageTold(what, cid: cid, uid: uid)),
            self.message(["bcid": 6, "cid": .int(cid), "engagement_uid": .string(uid)]),
        ]
    }

    private func message(_ json: JSON) -> Output { .report(.message(json.text())) }

    /// The number that a script gives to a name, as in `IMPRESSION = 1101`.
    private static func number(of name: String, in html: String) -> Int? {
        guard let place = html.firstRange(of: "\(name) = ") else { return nil }
        return Int(html[place.upperBound...].prefix { $0.isASCII && $0.isNumber }.prefix(9))
    }
}

/// Something that a page told its server by itself, over the socket.
struct PageTold: Hashable, Sendable {
    /// What it was about.
    enum What: String, Hashable, Sendable {
        case impression, action, spin
    }

    let what: What
    /// The class of the message.
    let cid: Int
    /// The engagement; nil where it is about none.
    let uid: String?

    init(_ what: What, cid: Int, uid: String?) {
        self.what = what
        self.cid = cid
        self.uid = uid
    }
}
