/// What a buyer pays for a thousand impressions (CPM).
public struct AdPrice: Hashable, Sendable, CustomStringConvertible {
    /// The amount for a thousand impressions; not negative.
    public let amount: AdDecimal
    /// The currency of the amount.
    public let currency: AdCurrency

    /// Creates a price; a negative amount counts as zero.
    public init(_ amount: AdDecimal, _ currency: AdCurrency = .usd) {
        self.amount = max(.zero, amount)
        self.currency = currency
    }

    /// The amount and the currency, as in `2.35 USD`.
    public var description: String { "\(self.amount) \(self.currency)" }

    /// What one impression at this price earns.
    package func revenue(_ precision: AdRevenue.Precision) -> AdRevenue {
        AdRevenue(amount: self.amount.times(AdPrice.thousandth) ?? .zero, currency: self.currency, precision: precision)
    }

    private static let thousandth: AdDecimal = 0.001
}

/// What one impression earned, as far as it is known when it is recorded.
public struct AdRevenue: Hashable, Sendable {
    /// How well an amount is known.
    public enum Precision: String, Hashable, Sendable {
        /// The buyer's own price.
        case exact
        /// An estimate of the provider.
        case estimated
        /// A price that the host set for a placement.
        case publisherGiven
    }

    /// The amount for this one impression.
    public let amount: AdDecimal
    /// The currency of the amount.
    public let currency: AdCurrency
    /// How well the amount is known.
    public let precision: Precision

    /// Creates a revenue.
    public init(amount: AdDecimal, currency: AdCurrency, precision: Precision) {
        self.amount = amount
        self.currency = currency
        self.precision = precision
    }
}
