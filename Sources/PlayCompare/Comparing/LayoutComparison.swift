import AdCore

/// Compares where the creatives of two ads were on the screen: their last place in each mode.
///
/// A place follows from the container, so places in containers of other sizes are not compared.
struct LayoutComparison {
    /// How far apart two places are that count as the same, in points: engines round differently.
    static let tolerance = 1.0

    private let pair: ComparedPair

    init(_ pair: ComparedPair) { self.pair = pair }

    var differences: [RunDifference] {
        guard self.container(of: self.pair.a) == self.container(of: self.pair.b) else { return [] }
        let (a, b) = (self.places(of: self.pair.a), self.places(of: self.pair.b))
        return Set(a.keys).union(b.keys).sorted().compactMap { mode in
            if let a = a[mode], let b = b[mode], LayoutComparison.isSame(a, b) { return nil }
            return self.pair.difference(
                .layout,
                "place of the creative (\(mode))",
                a: a[mode].map(LayoutComparison.text),
                b: b[mode].map(LayoutComparison.text)
            )
        }
    }

    /// The size that was available, as in `390x844`; nil if it is not known.
    private func container(of ad: ComparedAd) -> String? {
        ad.events.first { EventKey.name(of: $0) == "shown" }?["container"]?.string
    }

    /// The last place in each mode: x, y, width and height.
    private func places(of ad: ComparedAd) -> [String: [Double]] {
        var places: [String: [Double]] = [:]
        for event in ad.events where EventKey.name(of: event) == "layout" {
            let place = ["x", "y", "width", "height"].compactMap { event[$0]?.number }
            if place.count == 4 { places[self.pair.normalization.text(event["mode"]?.string ?? "")] = place }
        }
        return places
    }

    private static func isSame(_ a: [Double], _ b: [Double]) -> Bool {
        zip(a, b).allSatisfy { abs($0 - $1) <= self.tolerance }
    }

    private static func text(_ place: [Double]) -> String {
        let numbers = place.map { AdJSON.double(($0 * 10).rounded() / 10).text() }
        return "\(numbers[2])x\(numbers[3]) at \(numbers[0]), \(numbers[1])"
    }
}
