import AdCore
import LoopbackServer

/// The server's machine: takes a request or socket events and the time, and returns what to send.
struct SandboxState {
    /// The sandbox's URL, without a trailing slash.
    let base: String
    /// The host and port that requests are checked against; nil skips the check.
    let address: LoopbackAddress?
    /// The creatives that are served.
    let catalogue: CreativeCatalogue
    /// The delay of the scenario `slow`.
    let slowDelay: Duration
    /// The start time, from which the days of ActiveAds' campaigns are counted.
    let startTime: WallTime
    /// The time of the current request.
    var now: WallTime
    /// The source of random choices.
    var random: SplitMix
    /// The state of the card servers.
    var cards: CardState
    /// The state of Smartico's server.
    var smartico: SmarticoState
    /// The transactions of rewards.
    var rewards = RewardBook()
    var log: HitLog
    private(set) var faults = FaultTable()
    /// A part of every id that this run issues.
    private let run: String
    private var ads = 0

    init(
        base: String,
        address: LoopbackAddress? = nil,
        catalogue: CreativeCatalogue = CreativeCatalogue(),
        slowDelay: Duration = .seconds(3),
        seed: UInt64 = 0,
        run: String = "",
        startTime: WallTime = WallTime(milliseconds: 0),
        pingInterval: Duration = .seconds(10),
        cards: CardState = CardState(),
        limits: HitLog.Limits = HitLog.Limits()
    ) {
        self.base = base
        self.address = address
        self.catalogue = catalogue
        self.slowDelay = slowDelay
        self.startTime = startTime
        self.now = startTime
        self.random = SplitMix(seed: seed)
        self.run = run
        self.cards = cards
        self.smartico = SmarticoState(pingInterval: pingInterval)
        self.log = HitLog(limits: limits)
    }

    /// Responds to a request.
    ///
    /// Every request is recorded, whatever fault acts on its response. Requests to the control endpoints are neither
    /// recorded nor affected by faults, so that inspecting the sandbox does not change it.
    mutating func handle(_ request: ServerRequest, at time: WallTime) -> ServerResponse {
        self.now = time
        if let address, !address.matchesHost(of: request) {
            let hosts = "127.0.0.1:\(address.port) or localhost:\(address.port)"
            return .failure(403, "unknown Host; use \(hosts)")
        }
        let endpoint = Endpoint.serving(request.path)
        if Endpoint.isControl(request.path) {
            // A creative that the sandbox serves is a page: it must not read or change the log.
            guard !request.isFromPage else {
                return .failure(403, "\(request.path) is not available to pages in a browser")
            }
            return self.normalResponse(of: endpoint, to: request)
        }

        let fault = self.faults.next(for: request.path)
        let response: ServerResponse
        // Whether the server itself accepted the request; a fault of the response does not change that.
        var isAccepted: Bool?
        if let fault {
            response = fault.response(to: request, base: self.base) {
                let normal = self.normalResponse(of: endpoint, to: request)
                isAccepted = normal.isAccepted
                return normal
            }
        } else {
            response = self.normalResponse(of: endpoint, to: request)
        }
        self.log.record(
            request,
            at: time,
            fault: fault?.name,
            isCounted: isAccepted ?? response.isAccepted,
            isAdRequest: endpoint?.isAdRequest ?? false,
            billed: endpoint?.billed
        )
        return response
    }

    /// Replaces the faults of the given prefixes.
    mutating func setFaults(_ changes: [String: [Sandbox.Fault]]) throws(FieldError) { try self.faults.set(changes) }

    /// Removes hits, faults and the transactions of rewards, and ends CeedAds' cooldowns.
    ///
    /// Sockets stay open. The numbering of ads continues and issued ids stay valid, so that a late beacon of an old ad
    /// is neither refused nor attributed to a new one.
    mutating func reset() {
        self.log.reset()
        self.faults = FaultTable()
        self.cards.lastAds.removeAll()
        self.rewards = RewardBook()
    }

    /// The number of the next ad.
    mutating func nextAdNumber() -> Int {
        self.ads += 1
        return self.ads
    }

    /// An id for something that the server issues, unique over the runs.
    func name(_ kind: String, _ number: Int) -> String { "\(kind)-\(self.run)\(number)" }

    /// A random UUID.
    mutating func uuid() -> String { RandomUUID.text(&self.random) }

    /// A markup with the sandbox's URL in place of `${SANDBOX}`.
    func expanded(_ markup: String) -> String { markup.replacing("${SANDBOX}", by: self.base) }

    /// A file with the sandbox's URL in place of `${SANDBOX}`.
    ///
    /// The URL has no character that must be escaped in an attribute or a CDATA section.
    func expanded(_ file: [UInt8]) -> [UInt8] { file.replacing(Array("${SANDBOX}".utf8), by: Array(self.base.utf8)) }

    private mutating func normalResponse(of endpoint: Endpoint?, to request: ServerRequest) -> ServerResponse {
        guard let endpoint else {
            return .failure(404, "nothing is served at \(request.path); GET / lists all endpoints")
        }
        guard endpoint.allows(request.method) else {
            let methods = endpoint.methods.joined(separator: ", ")
            var response = ServerResponse.failure(405, "\(request.path) allows \(methods), not \(request.method)")
            response.headers["Allow"] = methods
            return response
        }
        return endpoint.respond(request, &self)
    }
}
