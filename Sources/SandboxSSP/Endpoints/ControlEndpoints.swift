import AdCore
import LoopbackServer

/// The endpoints that inspect and control the sandbox.
enum ControlEndpoints {
    static let all = [
        Endpoint(
            path: .exact("/sandbox/hits"),
            methods: ["GET"],
            about: "every request that arrived; ?since=N omits the first N, ?path=/t/ all other paths"
        ) { request, state in
            ControlEndpoints.list(state.log, under: "hits", request: request) { _ in true }
        },
        Endpoint(
            path: .exact("/sandbox/requests"),
            methods: ["GET"],
            about: "the ad requests, verbatim"
        ) { request, state in
            ControlEndpoints.list(state.log, under: "requests", request: request) { $0.isAdRequest }
        },
        Endpoint(path: .exact("/sandbox/faults"), methods: ["GET", "POST"], about: "remaining faults, by path prefix") {
            request,
            state in
            do throws(FieldError) {
                if request.method == "POST" { try state.setFaults(FaultTable.changes(Fields(parsing: request.body))) }
                return .json(["faults": state.faults.json])
            } catch {
                return .failure(error)
            }
        },
        Endpoint(
            path: .exact("/sandbox/bill"),
            methods: ["GET"],
            about: "billed calls of trackers and events of cards: each Idempotency-Key once, and in counted the number "
                + "without keys; ?path=/t/yabbi/ omits all other paths"
        ) { request, state in
            let prefix = request.queryValue("path") ?? "/"
            let hits = state.log.hits.lazy.filter { $0.path.isPath(below: prefix) }
            let bill = Sandbox.Bill(hits, dropped: state.log.dropped)
            return ServerResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(bill.bytes))
        },
        Endpoint(
            path: .exact("/sandbox/push"),
            methods: ["POST"],
            about: "pushes engagements to all sockets of a Smartico user: {\"user\": …, \"kind\": \"popup\" or "
                + "\"game\", \"count\": 1}, or \"raw\": {…} instead of the kind"
        ) { request, state in
            do throws(FieldError) {
                let fields = try Fields(parsing: request.body)
                try fields.allow(only: ["user", "kind", "count", "raw"])
                let count = fields["count"] == nil ? 1 : try fields.integer("count", in: Sandbox.pushCounts)
                let push = try Sandbox.Push(fields)
                let outcome = state.push(push, to: try fields.text("user"), count: count)
                var response = ServerResponse.json(["sockets": .int(outcome.sockets)])
                response.commands = outcome.commands
                return response
            } catch {
                return .failure(error)
            }
        },
        Endpoint(path: .exact("/sandbox/reset"), methods: ["POST"], about: "removes hits and faults, ends cooldowns") {
            _,
            state in
            state.reset()
            return .json(["reset": true])
        },
    ]

    /// Writes hits one by one, because a tree of all hits takes many times the memory of the text.
    private static func list(
        _ log: HitLog,
        under name: String,
        request: ServerRequest,
        where isWanted: (Sandbox.Hit) -> Bool
    ) -> ServerResponse {
        var since = 0
        if let text = request.queryValue("since") {
            guard let number = Int(text), number >= 0 else {
                return .failure(400, "since must be a hit's number, not \"\(text)\"", field: "since")
            }
            since = number
        }
        let prefix = request.queryValue("path") ?? "/"
        var text = Array("{\"\(name)\":[".utf8)
        var isFirst = true
        for hit in log.hits where hit.n > since && hit.path.isPath(below: prefix) && isWanted(hit) {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text += hit.json.bytes()
        }
        text += Array("],\"dropped\":\(log.dropped)}".utf8)
        return ServerResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(text))
    }
}

extension Sandbox.Push {
    /// Reads the push that `POST /sandbox/push` requests.
    fileprivate init(_ fields: Fields) throws(FieldError) {
        if fields["raw"] != nil {
            guard fields["kind"] == nil else { throw fields.error("kind", "is not allowed together with \"raw\"") }
            _ = try fields.object("raw")
            self = .raw(try fields.value("raw"))
            return
        }
        switch try fields.text("kind") {
        case "popup": self = .popup
        case "game": self = .game
        case let other: throw fields.error("kind", "is unknown: \"\(other)\"; allowed: popup, game")
        }
    }
}
