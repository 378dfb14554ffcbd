import AdCore
import LoopbackServer

/// A request of a page or a script to the lab, decided by its method and path.
enum LabRequest: Hashable, Sendable {
    case page(String)
    case options
    case ads
    case start
    case ad(String)
    case events(String, after: Int)
    case picture(String, after: Int)
    case keptPicture(String, Int)
    case document(String, Int)
    case input(String)
    case action(String)
    case source(String)
    case structure(String)
    case command(String)
    /// What was pasted, or the file that was sent.
    case original(String)
    case file(String, LabFile)
    case compare

    /// Reads a request, or returns why it is not served.
    static func read(_ request: ServerRequest, page: (String) -> Bool) -> Result<LabRequest, LabError> {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        let isGet = request.method == "GET" || request.method == "HEAD"
        switch (parts.first, parts.count, isGet) {
        case (nil, _, true): return .success(.page("index.html"))
        case ("options"?, 1, true): return .success(.options)
        case ("ads"?, 1, true): return .success(.ads)
        case ("ads"?, 1, false) where request.method == "POST": return .success(.start)
        case ("compare"?, 1, false) where request.method == "POST": return .success(.compare)
        case ("ads"?, 2, true): return .success(.ad(parts[1]))
        case ("ads"?, 3, true): return self.read(parts[2], of: parts[1], request)
        case ("ads"?, 3, false) where request.method == "POST":
            if parts[2] == "input" { return .success(.input(parts[1])) }
            if parts[2] == "do" { return .success(.action(parts[1])) }
        case (let name?, 1, true) where page(name): return .success(.page(name))
        default: break
        }
        let isKnown = ["options", "ads", "compare"].contains(parts.first ?? "")
        return .failure(
            LabError(
                "\(request.method) \(request.path.excerpt(200)) is not served; yabbi-play help lab lists the paths",
                status: isKnown ? 405 : 404
            )
        )
    }

    private static func read(_ part: String, of ad: String, _ request: ServerRequest) -> Result<LabRequest, LabError> {
        func number(_ name: String) -> Int? { request.queryValue(name).flatMap { Int($0) } }
        switch part {
        case "events":
            // The number of the last event that the client got (HTML Living Standard, "Server-sent events").
            let last = request.headers["last-event-id"].flatMap { Int($0) }
            return .success(.events(ad, after: max(0, last ?? number("after") ?? 0)))
        case "frame":
            if let kept = number("n") { return .success(.keptPicture(ad, kept)) }
            return .success(.picture(ad, after: number("after") ?? 0))
        case "document": return .success(.document(ad, number("n") ?? 0))
        case "source": return .success(.source(ad))
        case "structure": return .success(.structure(ad))
        case "command": return .success(.command(ad))
        case "original": return .success(.original(ad))
        default:
            guard let file = LabFile(rawValue: part) else {
                return .failure(
                    LabError("an ad has no \(part.excerpt(60)); yabbi-play help lab lists the paths", status: 404)
                )
            }
            return .success(.file(ad, file))
        }
    }
}
