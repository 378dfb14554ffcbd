import AdCore

/// What a page says to the app through the bridge.
enum SmarticoBridge: Hashable, Sendable {
    case pageReady
    case closeMe
    case executeDeepLink(String)
    case readyToBeShown
    case sendToSocket(JSONText)
    case publicProperties(AdJSON)
    case gameOpening(SmarticoGame)

    /// Why a message is dropped.
    struct Fault: Error, Hashable {
        let code: String
        let message: String
    }

    /// The most bytes that a message may have.
    static let longest = 256 << 10

    /// The most bytes of what the host is told.
    static let longestNews = 16 << 10
    /// The classes of messages that are the app's alone: who it is, who the user is, and that somebody is there.
    private static let own: Set<Double> = [1, 2, 3, 5, 7, 9, 1003]

    /// Reads a message; what was repaired in it goes with it.
    static func read(_ text: String) throws(Fault) -> (message: SmarticoBridge, issues: [AdIssue]) {
        guard text.utf8.count <= SmarticoBridge.longest else {
            throw Fault(code: "tooLong", message: "a page said more than \(SmarticoBridge.longest) bytes at once")
        }
        let json: AdJSON
        let issues: [AdIssue]
        do throws(AdJSON.Fault) {
            (json, issues) = try AdJSON.reading(Array(text.utf8))
        } catch {
            throw Fault(code: "noJSON", message: "a page said what is no JSON: \(error)")
        }
        guard case .object = json, let number = json["bcid"]?.number, let bcid = Int(exactly: number) else {
            throw Fault(code: "noClass", message: "a page said something without a class id (bcid) that is a number")
        }
        guard bcid != 7 && bcid != 8 || text.utf8.count <= SmarticoBridge.longestNews else {
            throw Fault(code: "tooLong", message: "a page told the host more than \(Self.longestNews) bytes at once")
        }
        return (try SmarticoBridge(bcid, json, text), issues)
    }

    private init(_ bcid: Int, _ json: AdJSON, _ text: String) throws(Fault) {
        switch bcid {
        case 1: self = .pageReady
        case 2: self = .closeMe
        case 4:
            guard let link = json["dp"]?.string?.trimmed, !link.isEmpty, link.utf8.count <= 2_048 else {
                throw Fault(code: "noLink", message: "a page wants to open a deep link and names none that can be one")
            }
            self = .executeDeepLink(link)
        case 5: self = .readyToBeShown
        case 6:
            guard var raw = JSONText(repairing: text), let cid = json["cid"]?.number else {
                let text =
                    "a page wants to send what is no message: it has no cid, or is not written as everybody reads it"
                throw Fault(code: "noMessage", message: text)
            }
            guard !SmarticoBridge.own.contains(cid) else {
                let text = "a page wants to send what only the app says (cid \(AdJSON.double(cid).text()))"
                throw Fault(code: "notForPages", message: text)
            }
            raw.remove("bcid")
            self = .sendToSocket(raw)
        case 7:
            guard case .object(let members) = json else { throw Fault(code: "noClass", message: "a page said nothing") }
            self = .publicProperties(.object(members.filter { $0.name != "bcid" }))
        case 8: self = .gameOpening(SmarticoGame(json))
        case 3: throw Fault(code: "notForUs", message: "a page said what only the app says (bcid 3)")
        default: throw Fault(code: "unknown", message: "a page said something of the unknown class \(bcid)")
        }
    }
}
