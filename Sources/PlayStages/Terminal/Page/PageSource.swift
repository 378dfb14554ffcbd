import AdCore
import PlayText

/// The messages that a page's script declares, read without running it.
struct PageSource: Hashable, Sendable {
    /// The class ids (`cid`) of messages to the server; nil if not declared.
    let impression: Int?
    let action: Int?
    let spin: Int?
    /// The members of messages to the app; nil if not declared.
    let properties: [AdJSON.Member]?
    let game: [AdJSON.Member]?

    init(_ html: String) {
        self.impression = PageSource.number(of: "IMPRESSION", in: html)
        self.action = PageSource.number(of: "ACTION", in: html)
        self.spin = PageSource.number(of: "SPIN", in: html)
        self.properties = PageSource.object(of: "PROPERTIES", in: html)
        self.game = PageSource.object(of: "GAME", in: html)
    }

    /// The message to the server that a message to the app contains; nil if there is none, or its class is unknown.
    func serverMessage(in message: String) -> PageServerMessage? {
        guard let json = try? AdJSON(parsing: message), json["bcid"]?.number == 6,
            let cid = json["cid"]?.number.flatMap(Int.init(exactly:))
        else { return nil }
        let uid = json["engagement_uid"]?.string
        switch cid {
        case self.impression: return PageServerMessage(.impression, cid: cid, uid: uid)
        case self.action: return PageServerMessage(.action, cid: cid, uid: uid)
        case self.spin: return PageServerMessage(.spin, cid: cid, uid: uid)
        default: return nil
        }
    }

    /// The number that a script assigns to a name, as in `IMPRESSION = 1101`.
    private static func number(of name: String, in html: String) -> Int? {
        self.value(of: name, in: html).flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }.prefix(9)) }
    }

    /// The JSON object that a script assigns to a name, as in `GAME = {"ach_game_id": 17};`.
    private static func object(of name: String, in html: String) -> [AdJSON.Member]? {
        guard let text = self.value(of: name, in: html)?.prefix(4096).prefix(while: { $0 != ";" }),
            case .object(let members)? = try? AdJSON(parsing: String(text))
        else { return nil }
        return members
    }

    /// The text after a name and an equals sign.
    ///
    /// The name must not be the end of a longer one.
    private static func value(of name: String, in html: String) -> Substring? {
        var rest = html[...]
        while let place = rest.firstRange(of: "\(name) = ") {
            let before = rest[..<place.lowerBound].last
            rest = rest[place.upperBound...]
            if before.map({ !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }) ?? true { return rest }
        }
        return nil
    }
}
