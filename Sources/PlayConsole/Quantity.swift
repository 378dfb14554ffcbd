import AdCore

/// Numbers and times as they are printed.
package enum Quantity {
    /// For example `1 error` or `2 errors`.
    package static func text(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

    /// A size as in `12.3 kB`.
    package static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\(AdJSON.double((Double(count) / 100).rounded() / 10).text()) kB"
        default: "\(AdJSON.double((Double(count) / 100_000).rounded() / 10).text()) MB"
        }
    }

    /// A duration as in `1.2 s`.
    package static func seconds(_ duration: Duration) -> String {
        let tenths = (max(0, duration.wholeMilliseconds) + 50) / 100
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// A time on the run's clock, in a column of its own: `   1.250 s`.
    package static func time(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        let fraction = String(milliseconds % 1000)
        let text = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}
