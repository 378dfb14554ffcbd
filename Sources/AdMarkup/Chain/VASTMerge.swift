import AdCore

/// Merges the elements of an ad and its wrappers: the outermost first, each with its depth (VAST 4.3 §2.3.5).
struct VASTMerge {
    /// An element of a layer, with the depth of the layer.
    struct Element<Value> {
        let depth: Int
        let value: Value
    }

    let ad: VASTResolvedAd

    init(_ ad: VASTResolvedAd) { self.ad = ad }

    /// The elements of each layer.
    func elements<Value>(_ list: (VASTAd) -> [Value]) -> [Element<Value>] {
        self.ad.layers.enumerated().flatMap { depth, layer in list(layer).map { Element(depth: depth, value: $0) } }
    }

    /// The elements of each wrapper's creatives of a kind, and of the ad's own creative.
    private func elements<Body, Value>(
        _ own: Body,
        _ body: (VASTCreative) -> Body?,
        _ list: (Body) -> [Value]
    ) -> [Element<Value>] {
        let outer = self.ad.wrappers.enumerated().flatMap { depth, layer in
            layer.creatives.compactMap(body).flatMap(list).map { Element(depth: depth, value: $0) }
        }
        return outer + list(own).map { Element(depth: self.ad.layers.count - 1, value: $0) }
    }

    func elements<Value>(of linear: VASTLinear, _ list: (VASTLinear) -> [Value]) -> [Element<Value>] {
        self.elements(linear, \.linear, list)
    }

    func elements<Value>(of nonLinears: VASTNonLinears, _ list: (VASTNonLinears) -> [Value]) -> [Element<Value>] {
        self.elements(nonLinears, \.nonLinear, list)
    }

    /// The click-through URL: the ad's own, or else the nearest wrapper's (VAST 4.3 §2.3.5).
    func clickThrough(_ linear: VASTLinear) -> URLTemplate? {
        linear.clickThrough
            ?? self.ad.wrappers.reversed().lazy.flatMap(\.creatives).compactMap { $0.linear?.clickThrough }.first
    }

    /// The icons: of several for one `program` (VAST 4.3 §3.11.1) the innermost is used (§2.3.5); icons without a program
    /// are all used.
    func icons(_ linear: VASTLinear) -> [Element<VASTIcon>] {
        var result: [Element<VASTIcon>] = []
        var places: [String: Int] = [:]
        for element in self.elements(of: linear, \.icons) {
            guard let program = element.value.program, !program.isEmpty else {
                result.append(element)
                continue
            }
            if let place = places[program] {
                result[place] = element
            } else {
                places[program] = result.count
                result.append(element)
            }
        }
        return result
    }

    /// The companions: the ad's own, or else the nearest wrapper's (VAST 4.3 §2.3.5); each list has its own `required`.
    ///
    /// A wrapper's companion without a resource only adds trackers to the companions of inner layers (VAST 4.3
    /// §3.13.4).
    var companions: (depth: Int, lists: [VASTCompanions]) {
        for (depth, layer) in self.ad.layers.enumerated().reversed() {
            let lists = layer.creatives.compactMap(\.companions).filter { list in
                layer.wrapper == nil ? !list.items.isEmpty : list.items.contains { !$0.resources.isEmpty }
            }
            if !lists.isEmpty { return (depth, lists) }
        }
        return (0, [])
    }

    /// The companions of outer layers, whose trackers are added.
    func outerCompanions(below depth: Int) -> [Element<VASTCompanion>] {
        self.ad.layers.prefix(depth).enumerated().flatMap { depth, layer in
            layer.creatives.compactMap(\.companions).flatMap(\.items).map { Element(depth: depth, value: $0) }
        }
    }
}
