import AdCore
import TestSupport

@testable import AdMarkup

/// Random documents from a seed: wrappers, pods, stand-alone ads, empty responses and unreachable servers.
struct RandomChains {
    private var random: Mutator
    private(set) var answers: [String: String] = [:]
    private var names = 0
    /// Builds the creatives of an ad.
    private let creatives: (inout Mutator) -> String?

    init(seed: UInt64, creatives: @escaping (inout Mutator) -> String? = { _ in nil }) {
        self.random = Mutator(seed: seed)
        self.creatives = creatives
    }

    /// A document whose wrappers name others of this scene.
    mutating func document(depth: Int = 0) -> String {
        let count = [0, 1, 1, 1, 2, 3, 4].randomElement(using: &self.random) ?? 1
        var ads = ""
        for _ in 0..<count { ads += self.ad(depth) }
        return Text.document(ads, error: Bool.random(using: &self.random) ? "https://none\(self.name()).example/" : nil)
    }

    private mutating func name() -> Int {
        self.names += 1
        return self.names
    }

    private mutating func ad(_ depth: Int) -> String {
        let name = "a\(self.name())"
        let sequence = [nil, nil, 0, 1, 2, 2, 3].randomElement(using: &self.random) ?? nil
        guard Int.random(in: 0..<5, using: &self.random) < (depth < 7 ? 3 : 1) else {
            return Text.inline(name, sequence, creatives: self.creatives(&self.random))
        }
        var attributes = ""
        for attribute in ["fallbackOnNoAd", "allowMultipleAds", "followAdditionalWrappers"] {
            switch Int.random(in: 0..<5, using: &self.random) {
            case 0: attributes += " \(attribute)=\"true\""
            case 1: attributes += " \(attribute)=\"false\""
            case 2: attributes += attribute == "followAdditionalWrappers" ? "" : " \(attribute)=\"1\""
            default: break
            }
        }
        let url: String?
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0: url = nil
        case 1: url = "https://dead.example/\(name)"
        case 2: url = self.answers.keys.sorted().randomElement(using: &self.random) ?? "https://dead.example/"
        default:
            let own = "https://s.example/\(name)"
            url = own
            if depth < 9 {
                // The URL is known before the document is finished, so some chains are cycles.
                self.answers[own] = Text.document()
                self.answers[own] = self.document(depth: depth + 1)
            }
        }
        let tracking =
            "<Creatives><Creative><Linear><TrackingEvents><Tracking event=\"start\">https://\(name).example/s</Tracking></TrackingEvents></Linear></Creative></Creatives>"
        return Text.wrapper(name, to: url, sequence, attributes, tracking)
    }
}
