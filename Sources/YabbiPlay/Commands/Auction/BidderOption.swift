import AdCore
import PlayConsole
import SandboxSSP

/// A bidder of an auction, as the command line names it.
struct BidderOption: Sendable {
    enum Server: Sendable {
        case url(HTTPURL)
        /// A bidder of the built-in server, by its name.
        case sandbox(String)
        case provider(ProviderChoice)
    }

    let name: String
    let server: Server
    /// The price that is set by hand; nil if the answers bring prices, or if there is none.
    private(set) var price: AdPrice?
    private(set) var floor: AdPrice?
    private(set) var priority = 0
    private(set) var timeout: Duration?
    private(set) var unit: String?
    /// The stored impression of a Prebid Server.
    private(set) var stored: String?

    private static let keys = ["price", "floor", "priority", "timeout", "unit", "stored"]
    private static let providers: [ProviderChoice] = ProviderChoice.allCases.filter { !$0.isConnected }

    /// The names of the built-in server's bidders.
    static let known = (Sandbox.bidderNames + [Sandbox.prebidName]).joined(separator: ", ")

    /// Bidders of the built-in server that win, lose, are late, and have no ad.
    static let examples: [BidderOption] =
        ["sandbox:high", "sandbox:fair", "sandbox:euro", "sandbox:no-bid", "sandbox:slow", "house=provider:activeads"]
        .compactMap { try? BidderOption(parsing: $0, of: AuctionCommand.bid.name) }

    /// Parses `[<name>=]<server>[,<key>=<value>…]`.
    init(parsing text: String, of option: String) throws(UsageError) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var settings: [(key: String, value: String)] = []
        // A URL may have commas, too.
        while parts.count > 1, let last = parts.last, let pair = Self.pair(last) {
            settings.insert(pair, at: 0)
            parts.removeLast()
        }
        let named = Self.named(parts.joined(separator: ","))
        self.server = try Self.server(named.server, in: text, of: option)
        switch self.server {
        case .url(let url): self.name = named.name ?? url.host
        case .sandbox(let bidder): self.name = named.name ?? bidder
        case .provider(let provider): self.name = named.name ?? provider.rawValue
        }
        for (key, value) in settings { try self.set(key, to: value, of: option) }
    }

    /// Whether its server is on this machine.
    var isLoopback: Bool { if case .url(let url) = self.server { url.isLoopback } else { true } }

    private static func pair(_ text: String) -> (key: String, value: String)? {
        guard let equals = text.firstIndex(of: "="), self.keys.contains(String(text[..<equals])) else { return nil }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// The name before the first equals sign; a URL or the word of a server has none.
    private static func named(_ text: String) -> (name: String?, server: String) {
        let isServer = ["http:", "https:", "sandbox:", "provider:"].contains { text.utf8.startsIgnoringCase($0) }
        guard !isServer, let equals = text.firstIndex(of: "="), equals > text.startIndex else { return (nil, text) }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private static func server(_ text: String, in whole: String, of option: String) throws(UsageError) -> Server {
        if text.hasPrefix("sandbox:") {
            let name = String(text.dropFirst("sandbox:".count))
            let names = Sandbox.bidderNames + [Sandbox.prebidName]
            guard names.contains(name) else {
                throw self.unknown(name, "\(option) sandbox:", among: names)
            }
            return .sandbox(name)
        }
        if text.hasPrefix("provider:") {
            let name = String(text.dropFirst("provider:".count))
            guard let provider = self.providers.first(where: { $0.rawValue == name }) else {
                let names = self.providers.map(\.rawValue)
                throw self.unknown(name, "\(option) provider:", among: names)
            }
            return .provider(provider)
        }
        guard let url = HTTPURL(text) else {
            throw OptionValue.invalid(
                Redaction.address(whole),
                for: option,
                expected: "[<name>=]<url>, sandbox:<bidder> or provider:<provider>, then ,<key>=<value> with the keys "
                    + OptionValue.list(self.keys)
            )
        }
        return .url(url)
    }

    /// The error for a bidder or provider that does not exist, or for a wrong key after it.
    private static func unknown(_ name: String, _ option: String, among names: [String]) -> UsageError {
        let parts = name.split(separator: ",", maxSplits: 1).map(String.init)
        if parts.count == 2, names.contains(parts[0]) {
            return OptionValue.invalid(
                Style.printable(parts[1]),
                for: "\(option)\(parts[0]),",
                expected: "<key>=<value> with the keys \(OptionValue.list(self.keys))"
            )
        }
        let expected = OptionValue.list(names) + OptionValue.hint(for: name, among: names)
        return OptionValue.invalid(Style.printable(name), for: option, expected: expected)
    }

    private mutating func set(_ key: String, to value: String, of option: String) throws(UsageError) {
        let name = "\(option) …,\(key)"
        switch key {
        case "price": self.price = try OptionValue.price(value, name)
        case "floor": self.floor = try OptionValue.price(value, name)
        case "priority": self.priority = try OptionValue.count(-1000...1000)(value, name)
        case "timeout": self.timeout = try OptionValue.seconds(value, name)
        case "unit": self.unit = value
        default: self.stored = value
        }
    }
}

extension OptionValue {
    /// A price, in US dollars unless it ends with a currency.
    static func price(_ text: String, _ name: String) throws(UsageError) -> AdPrice {
        let letters = text.reversed().prefix { $0.isASCII && $0.isLetter }.count
        let amount = AdDecimal(text.dropLast(letters).trimmed)
        let currency = letters == 0 ? .usd : AdCurrency(String(text.suffix(letters)))
        guard let amount, amount >= .zero, let currency else {
            throw OptionValue.invalid(text, for: name, expected: "a price, for example 0.5 or 0.5EUR")
        }
        return AdPrice(amount, currency)
    }

    /// The worth of a currency.
    static func rate(_ text: String, _ name: String) throws(UsageError) -> (currency: AdCurrency, worth: AdDecimal) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let currency = AdCurrency(String(parts[0])), let worth = AdDecimal(String(parts[1])),
            worth > .zero
        else { throw OptionValue.invalid(text, for: name, expected: "<currency>=<dollars>, for example EUR=1.08") }
        return (currency, worth)
    }
}
