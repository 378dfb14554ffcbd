import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayStages

/// Holds an auction, shows its winner, and lists who won or lost, and why.
struct AuctionCommand: Command {
    static let name = "auction"
    static let summary = "Hold an auction among bidders, show the winner, and list who won or lost, and why."
    static let discussion = [BidDiscussion.bidders, BidDiscussion.prices]
    static let exitCodes: [ExitCode] = [.done, .usage, .noFill, .loadFailed, .showFailed, .beacons]
    static let options: [any OptionDeclaration] =
        [bid, floor, rate, bidTimeout] + PlacementQuery.options + AppOptions.options + RunOptions.shared
        + RunOptions.requesting + StageSelection.options + [ShowCommand.steps, ShowCommand.open, TimeOptions.speed]

    static let bid = Option(
        "--bid",
        .other("<bidder>"),
        "A bidder, for example a=https://exchange.example/bid, sandbox:high or provider:activeads,price=1. Repeatable.",
        otherwise: "some of the built-in server",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in try BidderOption(parsing: text, of: name) }
    static let floor = Option(
        "--floor",
        .other("<price>"),
        "The lowest price that can win, for example 0.5 or 0.5EUR.",
        OptionValue.price
    )
    static let rate = Option(
        "--rate",
        .other("<currency>=<dollars>"),
        "What a currency is worth in US dollars, for example EUR=1.08. Repeatable.",
        isRepeatable: true,
        OptionValue.rate
    )
    static let bidTimeout = Option(
        "--bid-timeout",
        .other("<seconds>"),
        "The time limit for bids.",
        OptionValue.seconds
    ).default("1")

    let bidders: [BidderOption]
    let floor: AdPrice?
    let rates: CurrencyRates
    let bidTimeout: Duration
    let unit: String?
    let format: AdFormat?
    let app: AppOptions
    let options: RunOptions
    let showing: Showing
    let script: UserScript

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(requesting: arguments)
        let time = try TimeOptions(arguments, ledger: self.options.ledger).time(default: .real)
        self.showing = try StageSelection(arguments).showing(
            in: time,
            report: self.options.report,
            opensLinks: arguments.has(ShowCommand.open)
        )
        self.app = try AppOptions(arguments)
        self.unit = try arguments.value(PlacementQuery.unit)
        self.format = try arguments.value(PlacementQuery.format)
        self.floor = try arguments.value(Self.floor)
        self.bidTimeout = try arguments.value(Self.bidTimeout)
        self.script = try arguments.value(ShowCommand.steps) ?? UserScript()
        var rates: [AdCurrency: AdDecimal] = [:]
        for (currency, worth) in try arguments.values(Self.rate) {
            guard rates.updateValue(worth, forKey: currency) == nil else {
                throw UsageError("--rate \(currency)=… was given twice; give it once")
            }
        }
        self.rates = CurrencyRates(rates)
        let given = try arguments.values(Self.bid)
        self.bidders = given.isEmpty ? BidderOption.examples : given
        var names: Set<String> = []
        for bidder in self.bidders where !names.insert(bidder.name).inserted {
            throw UsageError(
                "two bidders are named \(Style.printable(bidder.name)); write --bid <name>=… for one of them"
            )
        }
        if time.isVirtual, self.options.ledger != nil, self.bidders.contains(where: { !$0.isLoopback }) {
            throw UsageError(LedgerOptions.needsRealTime)
        }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        _ = try OutputFiles(self.options, picture: self.showing.stage.browser?.picture)
        var plan = RunPlan(command: Self.name, options: self.options, showing: self.showing)
        plan.app = self.app
        return try await NamedLedger.withLedger(self.options.ledger, console, isVirtual: plan.time.isVirtual) {
            [plan]
            ledger async throws(PlayError) in
            let transport = try CurlTransport.forCommand()
            let context = try RunContext(
                plan,
                try self.origin(),
                console,
                transport: transport,
                ledger: ledger
            )
            return try await context.finishing { () async throws(PlayError) in try await self.run(context) }
        }
    }

    private func run(_ context: RunContext) async throws(PlayError) -> ExitCode {
        var runner = AdRunner(context, script: self.script)
        await runner.run(try self.request(in: context), shows: true)
        if let error = runner.totals.worstError { throw PlayError(runner.totals.worst, error) }
        return runner.totals.worst
    }

    /// The auction as a request for ads.
    private func request(in context: RunContext) throws(PlayError) -> AdRequest {
        var participants: [AdAuction.Participant] = []
        for bidder in self.bidders {
            participants.append(try context.participant(bidder, unit: self.unit, self.format))
        }
        let auction = AdAuction(
            participants,
            floor: self.floor,
            rates: self.rates,
            bidTimeout: context.plan.scaled(self.bidTimeout)
        )
        let loader = AdLoader<AdAuction>.auction(services: context.services)
        return AdRequest("auction", loader, auction) { $0.description }
    }

    /// The built-in server if a bidder is there, else the first bidder's server.
    private func origin() throws(PlayError) -> any AdOrigin {
        let servers = self.bidders.compactMap { if case .url(let url) = $0.server { url } else { nil } }
        guard servers.count == self.bidders.count, let first = servers.first else {
            return try BuiltInServer(creatives: nil, seed: self.options.seed)
        }
        return RemoteServer(url: first)
    }
}

enum BidDiscussion {
    static let bidders = """
        A bidder is [<name>=]<server>[,<key>=<value>…]. The server is the URL of an OpenRTB 2.6 exchange or of a Prebid
        Server, sandbox:<bidder> for a bidder of the built-in server (\(BidderOption.known)),
        or provider:<provider> for yabbi, openrtb, attentionmarket, ceedads or activeads at the built-in server. The keys are
        price (set by hand, for example 1.2 or 1.2EUR), floor, priority, timeout (seconds, or 300ms), unit, and stored (the id of a
        Prebid Server's stored impression; stored-banner or stored-video at the built-in server).
        """

    static let prices = """
        Bidders are asked at the same time. The highest price wins, within the highest priority; of equal prices, the first
        bidder. A provider without a price is asked when nothing before it can be shown. Prices are per thousand
        impressions. A bid in a currency without --rate can't win. It has won when its ad is on screen: then the win notice
        is sent, and the loss notices with their reasons.
        """
}
