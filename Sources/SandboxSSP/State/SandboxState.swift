import AdCore

/// Everything that decides what is answered.
///
/// A request goes in, an answer comes out; time is passed in.
struct SandboxState {
    /// The sandbox's own address, without a slash at the end.
    let base: String
    /// What requests may call it; nil where they come by no network.
    let address: OwnAddress?
    /// What can be served.
    let catalogue: CreativeCatalogue
    /// How long the unit `slow` takes.
    let slowness: Duration
    /// When it began: the campaigns' calendar counts from there.
    let opened: WallTime
    /// The time of the request that is being answered.
    var now: WallTime
    /// Draws what is left to chance.
    var random: SplitMix
    /// What the servers of cards remember.
    var cards: CardMemory
    /// Who is connected to Smartico's server.
    var smartico: SmarticoMemory
    var log: HitLog
    private(set) var faults = FaultTable()
    /// Stands in the names that this run gives.
    private let run: String
    private var ads = 0

    init(
        base: String,
        address: OwnAddress? = nil,
        catalogue: CreativeCatalogue = CreativeCatalogue(),
        slowness: Duration = .seconds(3),
        seed: UInt64 = 0,
        run: String = "",
        opened: WallTime = WallTime(milliseconds: 0),
        pingInterval: Duration = .seconds(10),
        cards: CardMemory = CardMemory(),
        limits: HitLog.Limits = HitLog.Limits()
    ) {
        self.base = base
        self.address = address
        self.catalogue = catalogue
        self.slowness = slowness
        self.opened = opened
        self.now = opened
        self.random = SplitMix(seed: seed)
        self.run = run
        self.cards = cards
        self.smartico = SmarticoMemory(pingInterval: pingInterval)
        self.log = HitLog(limits: limits)
    }

    /// Answers a request that arrived whole.
    ///
    /// Every request leaves a hit, whatever fault acts on its answer. What controls the sandbox leaves no hit and meets
    /// no fault: who looks must not change what is seen, nor be locked out.
    mutating func answer(_ request: SandboxRequest, at time: WallTime) -> SandboxReply {
        self.now = time
        if let address, !address.isNamed(by: request) {
            let text =
                "the sandbox is asked as 127.0.0.1:\(address.port) or localhost:\(address.port), and by no other Host"
            return .failure(403, text)
        }
        let endpoint = Endpoint.serving(request.path)
        if Endpoint.isControl(request.path) {
            // A creative that is served from here is a page: it must neither read the books nor change them.
            guard !request.isFromPage else {
                return .failure(403, "\(request.path) is for programs and people, not for pages in a browser")
            }
            return self.normalReply(of: endpoint, to: request)
        }

        let fault = self.faults.take(for: request.path)
        let reply: SandboxReply
        // What the server says itself, where it is asked: what becomes of its answer does not change that.
        var verdict: Bool?
        if let fault {
            reply = fault.reply(to: request, base: self.base) {
                let normal = self.normalReply(of: endpoint, to: request)
                verdict = normal.isTaken
                return normal
            }
        } else {
            reply = self.normalReply(of: endpoint, to: request)
        }
        self.log.record(
            request,
            at: time,
            fault: fault?.name,
            isCounted: verdict ?? reply.isTaken,
            isAdRequest: endpoint?.isAdRequest ?? false,
            billed: endpoint?.billed
        )
        return reply
    }

    /// Replaces the faults of the prefixes that are named.
    mutating func setFaults(_ changes: [String: [Sandbox.Fault]]) throws(FieldFault) { try self.faults.set(changes) }

    /// Forgets hits and faults, and which conversations have to wait for an ad.
    ///
    /// Sockets stay open. The numbers of ads go on, and what was handed out stays known: a late beacon of an old ad is not taken for a new
    /// one's, and not refused.
    mutating func reset() {
        self.log.reset()
        self.faults = FaultTable()
        self.cards.lastAds.forget()
    }

    /// A number for the next ad.
    mutating func nextAd() -> Int {
        self.ads += 1
        return self.ads
    }

    /// A name for what a server hands out under a number of its own.
    func name(_ kind: String, _ number: Int) -> String { "\(kind)-\(self.run)\(number)" }

    /// A name that nobody else gives, in the form in which such names are mostly written.
    mutating func uuid() -> String { RandomUUID.text(&self.random) }

    /// A markup with the sandbox's address filled in.
    func resolved(_ markup: String) -> String { markup.replacing("${SANDBOX}", by: self.base) }

    /// A file with the sandbox's address filled in.
    ///
    /// The address has no character that means something in an attribute or a CDATA section.
    func resolved(_ file: [UInt8]) -> [UInt8] { file.replacing(Array("${SANDBOX}".utf8), by: Array(self.base.utf8)) }

    private mutating func normalReply(of endpoint: Endpoint?, to request: SandboxRequest) -> SandboxReply {
        guard let endpoint else {
            return .failure(404, "the sandbox serves nothing at \(request.path); GET / lists what it serves")
        }
        guard endpoint.takes(request.method) else {
            let methods = endpoint.methods.joined(separator: ", ")
            var reply = SandboxReply.failure(405, "\(request.path) takes \(methods), not \(request.method)")
            reply.headers["Allow"] = methods
            return reply
        }
        return endpoint.answer(request, &self)
    }
}
