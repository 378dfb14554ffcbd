import Foundation
import TestSupport
import Testing

@testable import AdCore

@Suite("Decimal numbers")
struct AdDecimalTests {
    @Test(
        "a number is kept exactly, and written without an exponent",
        arguments: [
            ("0", "0"), ("-0", "0"), ("0.10", "0.1"), ("2.35", "2.35"), ("007", "7"), ("-4", "-4"),
            ("1e-7", "0.0000001"),
            ("1.5E2", "150"), ("1.50e+1", "15"), ("-0.000000000001", "-0.000000000001"),
            ("999999999999999999", "999999999999999999"), ("100e-2", "1"), ("0e99", "0"), ("0.000000000000000", "0"),
        ]
    )
    func exact(text: String, expected: String) throws {
        let number = try #require(AdDecimal(text))
        #expect(number.description == expected)
        #expect(AdDecimal(number.description) == number)
    }

    @Test(
        "what is no number, or has more digits than are kept, is refused",
        arguments: [
            "", "-", ".5", "5.", "1e", "1e1000", "1e308", "nan", "inf", "0x10", "1,5", "1 ", " 1", "+1", "--1", "1.2.3",
            "1000000000000000000", "0.0000000000001", "1e18", String(repeating: "1", count: 100_000),
        ]
    )
    func refused(text: String) { #expect(AdDecimal(text) == nil) }

    @Test(
        "comparing, multiplying and writing agree with an independent decimal type",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func oracle(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        func next() -> String {
            let digits = Int64(random.next() % 1_000_000_000) - 500_000_000
            let scale = Int(random.next() % 7)
            return "\(digits)e-\(scale)"
        }
        for _ in 0..<500 {
            let (left, right) = (next(), next())
            let (a, b) = (try #require(AdDecimal(left)), try #require(AdDecimal(right)))
            let (x, y) = (try #require(Decimal(string: left)), try #require(Decimal(string: right)))
            #expect(a.description == x.description, "seed \(seed)")
            #expect((a < b) == (x < y) && (a == b) == (x == y), "seed \(seed): \(left), \(right)")
            // The product has at most 18 digits, and at most 12 of them after the decimal point.
            #expect(a.times(b)?.description == (x * y).description, "seed \(seed): \(left) times \(right)")
        }
    }

    @Test(
        "a product with too many digits after the decimal point is rounded to the nearest, and a too large one is nil",
        arguments: [
            ("0.000001", "0.0000015", "0.000000000002"), ("0.000001", "0.0000014", "0.000000000001"),
            ("-0.000001", "0.0000015", "-0.000000000002"), ("0.000000000001", "0.001", "0"),
            ("123456789.123456789", "0.001", "123456.789123456789"),
            ("999999999999999999", "0.1", "99999999999999999.9"),
            ("999999999", "999999999", "999999998000000001"), ("999999999999", "9999999", nil),
            ("-999999999999999999", "999999999999999999", nil),
        ] as [(String, String, String?)]
    )
    func products(left: String, right: String, expected: String?) throws {
        let (left, right) = (try #require(AdDecimal(left)), try #require(AdDecimal(right)))
        #expect(left.times(right)?.description == expected)
        #expect(right.times(left)?.description == expected)
    }
}

@Suite("Prices")
struct AdPriceTests {
    @Test("an impression earns a thousandth of the price")
    func revenue() {
        let revenue = AdPrice(2.35).revenue(.exact)
        #expect(revenue == AdRevenue(amount: 0.00235, currency: .usd, precision: .exact))
    }

    @Test("a negative price counts as zero") func negative() { #expect(AdPrice(-1).amount == 0) }

    @Test(
        "a currency has three letters, in any case",
        arguments: [("eur", "EUR"), ("EURO", nil), ("E1R", nil), ("", nil)]
    )
    func currency(code: String, expected: String?) { #expect(AdCurrency(code)?.code == expected) }

    @Test("prices in different currencies are compared only with rates of the host")
    func rates() throws {
        let euro = try #require(AdCurrency("EUR"))
        let rates = CurrencyRates([euro: 1.1])
        #expect(rates.amount(of: AdPrice(2, euro)) == 2.2)
        #expect(rates.amount(of: AdPrice(2)) == 2)
        #expect(CurrencyRates().amount(of: AdPrice(2, euro)) == nil)
        #expect(CurrencyRates([euro: 0]).amount(of: AdPrice(2, euro)) == nil)
    }
}
