import AdCore

/// A message from a page to the app, sent over the JavaScript bridge.
enum SmarticoBridge: Hashable, Sendable {
    case pageReady
    case closeMe
    case executeDeepLink(String)
    case readyToBeShown
    case sendToSocket(JSONText)
    case publicProperties(AdJSON)
    case gameOpening(SmarticoGame)

    /// The reason why a message is dropped.
    struct MessageError: Error, Hashable {
        let code: String
        let message: String
    }

    /// The maximum size of a message in bytes.
    static let byteLimit = 256 << 10

    /// The maximum size in bytes of a message that is passed to the host.
    static let hostByteLimit = 16 << 10
    /// The classes that only the app may send: ping and pong, INIT and IDENTIFY, LOGIN, the language, the push token.
    private static let appOnlyClasses: Set<Double> = [1, 2, 3, 5, 7, 9, 1003]

    /// Parses a message, and returns it with the repairs that were needed.
    static func parse(_ text: String) throws(MessageError) -> (message: SmarticoBridge, issues: [AdIssue]) {
        guard text.utf8.count <= SmarticoBridge.byteLimit else {
            throw MessageError(
                code: "tooLong",
                message: "a message of a page exceeds \(SmarticoBridge.byteLimit) bytes"
            )
        }
        let json: AdJSON
        let issues: [AdIssue]
        do throws(AdJSON.ParseError) {
            (json, issues) = try AdJSON.reading(Array(text.utf8))
        } catch {
            throw MessageError(code: "noJSON", message: "a message of a page is not JSON: \(error)")
        }
        guard case .object = json, let number = json["bcid"]?.number, let bcid = Int(exactly: number) else {
            throw MessageError(code: "noClass", message: "a message of a page has no numeric class id (bcid)")
        }
        guard bcid != 7 && bcid != 8 || text.utf8.count <= SmarticoBridge.hostByteLimit else {
            throw MessageError(code: "tooLong", message: "a message for the host exceeds \(Self.hostByteLimit) bytes")
        }
        return (try SmarticoBridge(bcid, json, text), issues)
    }

    private init(_ bcid: Int, _ json: AdJSON, _ text: String) throws(MessageError) {
        switch bcid {
        case 1: self = .pageReady
        case 2: self = .closeMe
        case 4:
            guard let link = json["dp"]?.string?.trimmed, !link.isEmpty, link.utf8.count <= 2_048 else {
                throw MessageError(code: "noLink", message: "a page's deep link is missing, empty or too long")
            }
            self = .executeDeepLink(link)
        case 5: self = .readyToBeShown
        case 6:
            guard var raw = JSONText(repairing: text), let cid = json["cid"]?.number else {
                let text =
                    "a page's message for the server has no cid, or is JSON that parsers read differently"
                throw MessageError(code: "noMessage", message: text)
            }
            guard !SmarticoBridge.appOnlyClasses.contains(cid) else {
                let text = "a page tried to send a class that only the app may send (cid \(AdJSON.double(cid).text()))"
                throw MessageError(code: "notForPages", message: text)
            }
            raw.remove("bcid")
            self = .sendToSocket(raw)
        case 7:
            guard case .object(let members) = json else {
                throw MessageError(code: "noClass", message: "a message of a page is not an object")
            }
            self = .publicProperties(.object(members.filter { $0.name != "bcid" }))
        case 8: self = .gameOpening(SmarticoGame(json))
        case 3:
            throw MessageError(code: "notForUs", message: "a page sent a message that only the app may send (bcid 3)")
        default: throw MessageError(code: "unknown", message: "a page sent a message of the unknown class \(bcid)")
        }
    }
}
