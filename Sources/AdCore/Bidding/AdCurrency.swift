/// A currency, by its code of three letters (ISO 4217).
public struct AdCurrency: Hashable, Sendable, CustomStringConvertible {
    /// The code, in capital letters.
    public let code: String

    /// Creates a currency; nil unless the code has three letters.
    public init?(_ code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy(\.isASCIILetter) else { return nil }
        self.code = code.uppercased()
    }

    private init(unchecked code: String) { self.code = code }

    /// The US dollar, which OpenRTB means where no currency is given (OpenRTB 2.6 §4.2.1).
    public static let usd = AdCurrency(unchecked: "USD")

    /// The code.
    public var description: String { self.code }
}

/// What other currencies are worth in one of them, as the host knows it.
///
/// Prices in different currencies are compared only with these rates; the library has none of its own.
public struct CurrencyRates: Hashable, Sendable {
    /// The currency in which prices are compared.
    public let base: AdCurrency
    private let rates: [AdCurrency: AdDecimal]

    /// Creates rates.
    ///
    /// - Parameters:
    ///   - base: The currency in which prices are compared.
    ///   - rates: How many units of `base` one unit of a currency is worth; a rate that is not positive is ignored.
    public init(in base: AdCurrency = .usd, _ rates: [AdCurrency: AdDecimal] = [:]) {
        self.base = base
        self.rates = rates.filter { $0.value > .zero }
    }

    /// A price in the base currency; nil without a rate.
    package func amount(of price: AdPrice) -> AdDecimal? {
        if price.currency == self.base { return price.amount }
        return self.rates[price.currency].flatMap(price.amount.times)
    }
}
