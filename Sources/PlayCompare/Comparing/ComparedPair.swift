import AdCore
import PlayConsole

/// Two ads that are compared with each other.
struct ComparedPair {
    let a: ComparedAd
    let b: ComparedAd
    let place: RunDifference.Place
    let normalization: Normalization

    init(_ a: ComparedAd, _ b: ComparedAd, at place: RunDifference.Place) {
        self.a = a
        self.b = b
        self.place = place
        self.normalization = Normalization(ids: [a.id, b.id])
    }

    func difference(_ kind: RunDifference.Kind, _ text: String, a: String?, b: String?) -> RunDifference {
        RunDifference(kind, text, a: a, b: b, in: self.place)
    }
}

/// The elements of two lists that have the same key.
struct SideBySide<Element> {
    let key: [String]
    private(set) var a: [Element] = []
    private(set) var b: [Element] = []

    /// The elements of two lists by key, in the order of the keys.
    static func groups(_ a: [Element], _ b: [Element], by key: (Element) -> [String]) -> [SideBySide] {
        var groups: [[String]: SideBySide] = [:]
        for element in a { groups[key(element), default: SideBySide(key: key(element))].a.append(element) }
        for element in b { groups[key(element), default: SideBySide(key: key(element))].b.append(element) }
        return groups.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private init(key: [String]) { self.key = key }
}

/// Numbers of equal things as text.
enum Times {
    /// For example `×3`; nil for none.
    static func text(_ count: Int) -> String? { count == 0 ? nil : "×\(count)" }

    /// The different texts with their numbers, as in `delivered ×2, dead`; nil for none.
    static func list(_ texts: [String]) -> String? {
        let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
        let parts = counts.sorted { $0.key < $1.key }.map { $0.value == 1 ? $0.key : "\($0.key) ×\($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
