package import AdCore

/// Follows the wrappers of a document to the ads that bring their creatives.
///
/// A plain value: documents and failures go in, addresses to ask come out. Whoever drives it asks them and waits.
///
/// A document's numbered ads are its pod, the others stand alone. Each place of a pod is filled by its ad; where the ad
/// is a wrapper that leads to nothing, the next place's turn has come, unless the wrapper wants one of those that stand
/// alone instead. Of ads that stand alone the first that leads to something is played, and the others stand in.
package struct VASTChain: Sendable {
    /// An address to ask.
    package struct Request: Hashable, Sendable {
        package let id: Int
        package let url: URLTemplate
        /// Where the wrapper itself came from; nil for the first document.
        package let base: HTTPURL?
        package let depth: Int
    }

    /// A document on the way, and how far its ads are.
    private struct Node {
        let id: Int
        /// The place in another document that this one is to fill.
        let parent: (node: Int, place: Int)?
        /// The wrappers that led here, outermost first.
        let wrappers: [VASTAd]
        let base: HTTPURL?
        /// Whether what is played is one that stands alone.
        var isAlone: Bool
        var places: [Place]
        /// Ads that stand alone and were not tried yet.
        var spare: [VASTAd]
        var standIns: [VASTResolvedAd] = []
        var isSettled = false
    }

    /// A place to fill.
    private struct Place {
        enum State {
            case waiting
            case filled([VASTResolvedAd])
            case empty
        }

        var ad: VASTAd
        var state = State.waiting
    }

    private let limits: VASTChainLimits
    private var nodes: [Node] = []
    private var requests: [Int: (node: Int, place: Int, hop: Int)] = [:]
    private var waiting: [Request] = []
    private var asked = 0
    private var resolution = VASTResolution()

    package init(limits: VASTChainLimits = .standard) { self.limits = limits }

    /// What came of it, once nothing is asked any more; nil before.
    package private(set) var result: VASTResolution?

    /// What has come of it so far: all there is, where whoever asks has given up.
    package var outcome: VASTResolution { self.result ?? self.resolution }

    /// Begins with a document.
    ///
    /// - Parameters:
    ///   - document: The first document.
    ///   - base: Where it came from.
    ///   - allowsMultipleAds: Whether it may bring several ads.
    ///   - followsWrappers: Whether its wrappers may be followed.
    /// - Returns: What to ask.
    package mutating func begin(
        _ document: VASTDocument,
        from base: HTTPURL? = nil,
        allowsMultipleAds: Bool = true,
        followsWrappers: Bool = true
    ) -> [Request] {
        self.enter(document, base, wrappers: [], parent: nil, allowsMultipleAds, followsWrappers)
        return self.next()
    }

    /// An answer has come; returns what to ask next.
    package mutating func answered(
        _ id: Int,
        _ answer: Result<VASTDocument, VASTError>,
        from base: HTTPURL? = nil
    ) -> [Request] {
        guard let asked = self.requests.removeValue(forKey: id) else { return [] }
        let node = self.nodes[asked.node]
        let ad = node.places[asked.place].ad
        let wrappers = node.wrappers + [ad]
        switch answer {
        case .success(let document):
            self.resolution.hops[asked.hop].ads = document.ads.count
            self.enter(
                document,
                base,
                wrappers: wrappers,
                parent: (asked.node, asked.place),
                ad.wrapper?.allowsMultipleAds ?? false,
                ad.wrapper?.followsAdditionalWrappers ?? true
            )
        case .failure(let error):
            self.resolution.hops[asked.hop].failure = error
            self.fail(error.behind(wrappers.count), layers: wrappers)
            self.giveUp(asked.node, asked.place)
        }
        return self.next()
    }

    // MARK: Documents

    private mutating func enter(
        _ document: VASTDocument,
        _ base: HTTPURL?,
        wrappers: [VASTAd],
        parent: (node: Int, place: Int)?,
        _ allowsMultipleAds: Bool,
        _ followsWrappers: Bool
    ) {
        self.resolution.issues += document.issues.map { self.located($0, depth: wrappers.count) }
        let choice = VASTChoice(document.ads, allowsMultipleAds: allowsMultipleAds)
        self.resolution.issues += choice.issues.map { self.located($0, depth: wrappers.count) }
        let id = self.nodes.count
        self.nodes.append(
            Node(
                id: id,
                parent: parent,
                wrappers: wrappers,
                base: base,
                isAlone: choice.isAlone,
                places: choice.places.map { Place(ad: $0) },
                spare: choice.spare
            )
        )
        guard !choice.places.isEmpty else {
            let error = VASTError(303, "the answer holds no ad")
            // Where the answer names nobody to tell, those who led here are told.
            let own = document.errorURLs.map { VASTErrorPing(url: $0, code: 303, depth: wrappers.count) }
            self.resolution.failure = self.resolution.failure ?? error.behind(wrappers.count)
            if own.isEmpty {
                self.fail(error.behind(wrappers.count), layers: wrappers)
            } else {
                self.resolution.pings += own
            }
            return self.settle(id)
        }
        for place in choice.places.indices { self.fill(id, place, followsWrappers) }
        self.settle(id)
    }

    /// Fills a place with its ad, or asks for what its ad names.
    private mutating func fill(_ node: Int, _ place: Int, _ followsWrappers: Bool = true) {
        let ad = self.nodes[node].places[place].ad
        let wrappers = self.nodes[node].wrappers
        guard let wrapper = ad.wrapper else {
            self.nodes[node].places[place].state = .filled([VASTResolvedAd(wrappers, ad)])
            return
        }
        let layers = wrappers + [ad]
        if let error = self.refusal(of: wrapper, in: layers, followsWrappers) {
            self.fail(error.behind(wrappers.count), layers: layers)
            return self.giveUp(node, place)
        }
        guard let url = wrapper.tagURL else { return }
        let id = self.asked
        self.asked += 1
        self.requests[id] = (node, place, self.resolution.hops.count)
        self.resolution.hops.append(VASTHop(depth: layers.count, adID: ad.id, url: url))
        self.waiting.append(Request(id: id, url: url, base: self.nodes[node].base, depth: layers.count))
    }

    private func refusal(of wrapper: VASTWrapper, in layers: [VASTAd], _ followsWrappers: Bool) -> VASTError? {
        let line = layers.last?.line
        guard let url = wrapper.tagURL else {
            return VASTError(300, "a wrapper does not say where to ask; give it a <VASTAdTagURI>", line: line)
        }
        guard followsWrappers else {
            return VASTError(
                300,
                "a wrapper came where the one before allows no other (followAdditionalWrappers)",
                line: line
            )
        }
        guard layers.count <= self.limits.hops else {
            return VASTError(302, "more than \(self.limits.hops) wrappers lead to one ad", line: line)
        }
        guard !layers.dropLast().contains(where: { $0.wrapper?.tagURL == url }) else {
            return VASTError(302, "a wrapper leads back to itself; it would never end", line: line)
        }
        guard self.asked < self.limits.requests else {
            return VASTError(302, "more than \(self.limits.requests) servers would have to be asked", line: line)
        }
        return nil
    }

    /// A place can't be filled by its ad: one that stands alone takes it where that is wanted.
    private mutating func giveUp(_ node: Int, _ place: Int) {
        let wantsFallback = self.nodes[node].places[place].ad.wrapper?.fallsBackOnNoAd ?? false
        guard self.nodes[node].isAlone || wantsFallback, !self.nodes[node].spare.isEmpty else {
            self.nodes[node].places[place].state = .empty
            return self.settle(node)
        }
        self.nodes[node].places[place].ad = self.nodes[node].spare.removeFirst()
        self.fill(node, place, self.followsWrappers(from: node))
        self.settle(node)
    }

    private func followsWrappers(from node: Int) -> Bool {
        self.nodes[node].wrappers.last?.wrapper?.followsAdditionalWrappers ?? true
    }

    /// A document whose places are all settled settles the place that it was to fill.
    private mutating func settle(_ id: Int) {
        let node = self.nodes[id]
        guard !node.isSettled else { return }
        var found: [VASTResolvedAd] = []
        for place in node.places {
            switch place.state {
            case .waiting: return
            case .filled(let ads): found += ads
            case .empty: break
            }
        }
        if found.isEmpty, !node.spare.isEmpty {
            // Nothing of the pod is left: those that stand alone are ads as well.
            self.nodes[id].isAlone = true
            self.nodes[id].places = [Place(ad: self.nodes[id].spare.removeFirst())]
            self.fill(id, 0, self.followsWrappers(from: id))
            return self.settle(id)
        }
        self.nodes[id].isSettled = true
        // Only what is here already can stand in later: to ask others then would be too late.
        let standIns = node.standIns + node.spare.filter { $0.wrapper == nil }.map { VASTResolvedAd(node.wrappers, $0) }
        guard let parent = node.parent else {
            self.resolution.pod = found
            self.resolution.standIns = standIns
            self.result = self.resolution
            return
        }
        guard !found.isEmpty else { return self.giveUp(parent.node, parent.place) }
        self.nodes[parent.node].places[parent.place].state = .filled(found)
        self.nodes[parent.node].standIns += standIns
        self.settle(parent.node)
    }

    // MARK: Failures

    private mutating func fail(_ error: VASTError, layers: [VASTAd]) {
        self.resolution.failure = self.resolution.failure ?? error
        self.resolution.issues.append(
            Issue("vast.chain.\(error.code)", at: error.place, error.message)
        )
        self.resolution.pings += VASTErrorPing.all(error.code, layers)
    }

    /// What was found in a document further on says how far.
    private func located(_ issue: Issue, depth: Int) -> Issue {
        guard depth > 0 else { return issue }
        return Issue(issue.code, at: .field("wrapper \(depth), \(issue.place)"), issue.message)
    }

    private mutating func next() -> [Request] {
        let free = self.limits.parallel - (self.requests.count - self.waiting.count)
        let now = Array(self.waiting.prefix(max(0, free)))
        self.waiting.removeFirst(now.count)
        return now
    }
}

extension VASTErrorPing {
    /// Everybody who is to be told that an ad failed: all who led to it, and the ad itself.
    static func all(_ code: Int, _ layers: [VASTAd]) -> [VASTErrorPing] {
        var seen: Set<URLTemplate> = []
        return layers.enumerated().flatMap { depth, ad in
            // A wrapper that leads back to itself is there twice, and is told once.
            ad.errors.filter { seen.insert($0).inserted }.map { VASTErrorPing(url: $0, code: code, depth: depth) }
        }
    }
}

/// Which of a document's ads are played.
struct VASTChoice {
    /// The ads of the pod in their order, or the one that is played.
    let places: [VASTAd]
    /// Those that stand alone besides.
    let spare: [VASTAd]
    /// Whether what is played is one that stands alone.
    let isAlone: Bool
    let issues: [Issue]

    init(_ ads: [VASTAd], allowsMultipleAds: Bool) {
        var issues: [Issue] = []
        var pod: [VASTAd] = []
        var alone: [VASTAd] = []
        for ad in ads {
            guard let sequence = ad.sequence else {
                alone.append(ad)
                continue
            }
            if pod.contains(where: { $0.sequence == sequence }) {
                let text = "two ads have the number \(sequence); the second stands alone"
                issues.append(Issue("vast.sequence.twice", at: .line(ad.line), text))
                alone.append(ad)
            } else {
                pod.append(ad)
            }
        }
        // One number makes no pod.
        if pod.count < 2 {
            pod = []
            alone = ads
        }
        pod.sort { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        self.isAlone = pod.isEmpty
        self.places = pod.isEmpty ? Array(alone.prefix(1)) : pod
        let others = pod.isEmpty ? Array(alone.dropFirst()) : alone
        if !allowsMultipleAds, !others.isEmpty {
            let text = "\(others.count) more ads came than the wrapper allows (allowMultipleAds); they are left out"
            issues.append(Issue("vast.ads.notAllowed", at: .line(others[0].line), text))
        }
        self.spare = allowsMultipleAds ? others : []
        self.issues = issues
    }
}
