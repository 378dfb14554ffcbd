public import AdCore

/// Follows the wrappers of a document to the ads that bring their creatives.
///
/// A plain value: documents and failures go in, addresses to ask come out. Whoever drives it asks them and waits.
///
/// ```swift
/// var chain = VASTChain()
/// var requests = chain.begin(document)
/// while let request = requests.popLast() { requests += chain.answered(request.id, ask(request)) }
/// let plan = VideoPlan.make(of: chain.outcome)
/// ```
///
/// A document's numbered ads are its pod, the others stand alone. Each place of a pod is filled by its ad; where the ad
/// is a wrapper that leads to nothing, the next place's turn has come, unless the wrapper wants one of those that stand
/// alone instead. Of ads that stand alone the first that leads to something is played, and the others stand in.
///
/// What comes of it does not depend on which answer comes first, as long as no limit on all requests is reached.
public struct VASTChain: Sendable {
    /// An address to ask.
    public struct Request: Hashable, Sendable {
        /// What its answer is given with.
        public let id: Int
        /// Where to ask; its macros are still to be filled in.
        public let url: URLTemplate
        /// Where the wrapper itself came from; nil for the first document.
        public let base: HTTPURL?
        /// How many wrappers lead there.
        public let depth: Int
    }

    /// A document on the way, and how far its ads are.
    private struct Node {
        /// The place in another document that this one is to fill.
        let parent: (node: Int, place: Int)?
        /// The wrappers that led here, outermost first.
        let wrappers: [VASTAd]
        let base: HTTPURL?
        let followsWrappers: Bool
        /// Where it stands among all documents, from the first one on.
        let path: [Int]
        /// The number of the place in a pod that it is to fill, as the outermost pod says.
        let sequence: Int?
        /// Whether what is played is one that stands alone.
        var isAlone: Bool
        var places: [Place]
        /// Ads that stand alone and were not tried yet.
        var spare: ArraySlice<VASTAd>
    }

    /// A place to fill.
    private struct Place {
        enum State {
            case waiting
            case filled([VASTResolvedAd], standIns: [VASTResolvedAd])
            /// Its ad leads to nothing, and no other was tried yet.
            case failed
            case empty
        }

        let number: Int
        /// Its number where it is a place in a pod.
        let sequence: Int?
        /// Whether one that stands alone is tried where its own ad leads to nothing.
        let wantsFallback: Bool
        var ad: VASTAd
        var attempt = 0
        var state = State.waiting

        init(_ number: Int, _ ad: VASTAd, isAlone: Bool) {
            self.number = number
            self.sequence = isAlone ? nil : ad.sequence
            self.ad = ad
            self.wantsFallback = isAlone || ad.wrapper?.fallsBackOnNoAd ?? false
        }
    }

    /// Something to tell of, and which document or place it is about.
    private struct Note {
        let path: [Int]
        var issues: [Issue] = []
        var pings: [VASTErrorPing] = []
        var failure: VASTError?
    }

    private let limits: VASTChainLimits
    private var nodes: [Node] = []
    private var requests: [Int: (node: Int, place: Int, hop: Int)] = [:]
    private var waiting: [Request] = []
    private var asked = 0
    private var hops: [VASTHop] = []
    private var notes: [Note] = []
    private var pings = 0

    /// A chain that has not begun.
    public init(limits: VASTChainLimits = .standard) { self.limits = limits }

    /// What came of it, once nothing is asked any more; nil before.
    public private(set) var result: VASTResolution?

    /// What has come of it so far: all there is, where whoever asks has given up.
    public var outcome: VASTResolution { self.result ?? self.resolution(pod: [], standIns: []) }

    /// Begins with a document.
    ///
    /// - Parameters:
    ///   - document: The first document.
    ///   - base: Where it came from.
    ///   - allowsMultipleAds: Whether it may bring several ads.
    ///   - followsWrappers: Whether its wrappers may be followed.
    /// - Returns: What to ask.
    public mutating func begin(
        _ document: VASTDocument,
        from base: HTTPURL? = nil,
        allowsMultipleAds: Bool = true,
        followsWrappers: Bool = true
    ) -> [Request] {
        self.enter(document, base, parent: nil, allowsMultipleAds, followsWrappers)
        return self.next()
    }

    /// An answer has come; returns what to ask next.
    public mutating func answered(
        _ id: Int,
        _ answer: Result<VASTDocument, VASTError>,
        from base: HTTPURL? = nil
    ) -> [Request] {
        guard let asked = self.requests.removeValue(forKey: id) else { return [] }
        let node = self.nodes[asked.node]
        let ad = node.places[asked.place].ad
        switch answer {
        case .success(let document):
            self.hops[asked.hop].ads = document.ads.count
            self.enter(
                document,
                base,
                parent: (asked.node, asked.place),
                ad.wrapper?.allowsMultipleAds ?? false,
                ad.wrapper?.followsAdditionalWrappers ?? true
            )
        case .failure(let error):
            let layers = node.wrappers + [ad]
            self.hops[asked.hop].failure = error
            self.fail(error.behind(layers.count), layers, at: self.path(asked.node, asked.place))
            self.nodes[asked.node].places[asked.place].state = .failed
            self.settle(asked.node)
        }
        return self.next()
    }

    // MARK: Documents

    private mutating func enter(
        _ document: VASTDocument,
        _ base: HTTPURL?,
        parent: (node: Int, place: Int)?,
        _ allowsMultipleAds: Bool,
        _ followsWrappers: Bool
    ) {
        let wrappers = parent.map { self.nodes[$0.node].wrappers + [self.nodes[$0.node].places[$0.place].ad] } ?? []
        let path = parent.map { self.path($0.node, $0.place) } ?? []
        let sequence = parent.flatMap { self.sequence($0.node, $0.place) }
        let choice = VASTChoice(document.ads, allowsMultipleAds: allowsMultipleAds)
        let issues = (document.issues + choice.issues).map { self.located($0, depth: wrappers.count) }
        if !issues.isEmpty { self.notes.append(Note(path: path, issues: issues)) }
        let id = self.nodes.count
        self.nodes.append(
            Node(
                parent: parent,
                wrappers: wrappers,
                base: base,
                followsWrappers: followsWrappers,
                path: path,
                sequence: sequence,
                isAlone: choice.isAlone,
                places: choice.places.enumerated().map { Place($0, $1, isAlone: choice.isAlone) },
                spare: choice.spare[...]
            )
        )
        for broken in document.broken { self.fail(broken, wrappers, at: path) }
        if choice.places.isEmpty, document.broken.isEmpty {
            let error = VASTError(303, "the answer holds no ad").behind(wrappers.count)
            // Where the answer names nobody to tell, those who led here are told.
            let own = document.errorURLs.filter { !$0.isNowhere }.map {
                VASTErrorPing(url: $0, code: 303, depth: wrappers.count)
            }
            self.fail(error, wrappers, instead: own, at: path)
        }
        for place in choice.places.indices { self.fill(id, place) }
        self.settle(id)
    }

    /// Fills a place with its ad, or asks for what its ad names.
    private mutating func fill(_ id: Int, _ place: Int) {
        let ad = self.nodes[id].places[place].ad
        let wrappers = self.nodes[id].wrappers
        guard let wrapper = ad.wrapper else {
            let resolved = VASTResolvedAd(wrappers, ad, sequence: self.sequence(id, place))
            self.nodes[id].places[place].state = .filled([resolved], standIns: [])
            return
        }
        let layers = wrappers + [ad]
        let url: URLTemplate
        do throws(VASTError) {
            url = try self.address(of: wrapper, in: layers, self.nodes[id])
        } catch {
            self.fail(error.behind(wrappers.count), layers, at: self.path(id, place))
            self.nodes[id].places[place].state = .failed
            return
        }
        self.nodes[id].places[place].state = .waiting
        self.requests[self.asked] = (id, place, self.hops.count)
        self.hops.append(VASTHop(depth: layers.count, adID: ad.id, url: url))
        self.waiting.append(Request(id: self.asked, url: url, base: self.nodes[id].base, depth: layers.count))
        self.asked += 1
    }

    /// The number of a place in the outermost pod around it; nil where there is no pod.
    private func sequence(_ node: Int, _ place: Int) -> Int? {
        self.nodes[node].sequence ?? self.nodes[node].places[place].sequence
    }

    /// Where a wrapper leads, if it may be followed.
    private func address(of wrapper: VASTWrapper, in layers: [VASTAd], _ node: Node) throws(VASTError) -> URLTemplate {
        let line = layers.last?.line
        guard let url = wrapper.tagURL else {
            throw VASTError(300, "a wrapper does not say where to ask; give it a <VASTAdTagURI>", line: line)
        }
        guard node.followsWrappers else {
            let source = node.parent == nil ? "the break" : "the one before"
            let name = node.parent == nil ? "followRedirects" : "followAdditionalWrappers"
            throw VASTError(300, "a wrapper came where \(source) allows none (\(name))", line: line)
        }
        guard layers.count <= self.limits.hops else {
            throw VASTError(302, "more than \(self.limits.hops) wrappers lead to one ad", line: line)
        }
        guard !self.wasNamed(url, before: node) else {
            throw VASTError(302, "a wrapper leads back to itself; it would never end", line: line)
        }
        guard self.asked < self.limits.requests else {
            throw VASTError(302, "more than \(self.limits.requests) servers would have to be asked", line: line)
        }
        return url
    }

    /// Whether one of the wrappers that led to a document names this address.
    private func wasNamed(_ url: URLTemplate, before node: Node) -> Bool {
        let isWhole = HTTPURL.hasScheme(url.text.utf8)
        var inner = node
        while let (outer, place) = inner.parent {
            let isSame = self.nodes[outer].places[place].ad.wrapper?.tagURL == url
            // An address without a host means another place wherever it stands.
            if isSame, isWhole || self.nodes[outer].base == node.base { return true }
            inner = self.nodes[outer]
        }
        return false
    }

    /// A document whose places are all settled settles the place that it was to fill.
    private mutating func settle(_ id: Int) {
        var id = id
        while let (found, standIns) = self.settled(id) {
            guard let parent = self.nodes[id].parent else {
                self.result = self.resolution(pod: found, standIns: standIns)
                return
            }
            self.nodes[parent.node].places[parent.place].state =
                found.isEmpty ? .failed : .filled(found, standIns: standIns)
            id = parent.node
        }
    }

    /// What a document brings; nil while something of it is still to come.
    private mutating func settled(_ id: Int) -> (found: [VASTResolvedAd], standIns: [VASTResolvedAd])? {
        while true {
            self.fallBack(in: id)
            var found: [VASTResolvedAd] = []
            var standIns: [VASTResolvedAd] = []
            for place in self.nodes[id].places {
                switch place.state {
                case .waiting, .failed: return nil
                case .filled(let ads, let others):
                    found += ads
                    standIns += others
                case .empty: break
                }
            }
            guard found.isEmpty, let first = self.nodes[id].spare.popFirst() else {
                // Only what is here already can stand in later: to ask others then would be too late.
                let spare = self.nodes[id].spare.filter { $0.wrapper == nil }
                return (found, standIns + spare.map { VASTResolvedAd(self.nodes[id].wrappers, $0) })
            }
            // Nothing of the pod is left: those that stand alone are ads as well.
            self.nodes[id].isAlone = true
            self.nodes[id].places = [Place(self.nodes[id].places.count, first, isAlone: true)]
            self.fill(id, 0)
        }
    }

    /// Places that want it get one that stands alone for an ad that leads to nothing: in their order, whichever failed
    /// first.
    private mutating func fallBack(in id: Int) {
        for index in self.nodes[id].places.indices {
            while case .failed = self.nodes[id].places[index].state {
                guard self.nodes[id].places[index].wantsFallback, let other = self.nodes[id].spare.popFirst() else {
                    self.nodes[id].places[index].state = .empty
                    break
                }
                self.nodes[id].places[index].ad = other
                self.nodes[id].places[index].attempt += 1
                self.fill(id, index)
            }
            let place = self.nodes[id].places[index]
            if place.wantsFallback, case .waiting = place.state { return }
        }
    }

    // MARK: What is told

    /// Where a place's ad stands among all ads that were tried.
    private func path(_ node: Int, _ place: Int) -> [Int] {
        let place = self.nodes[node].places[place]
        return self.nodes[node].path + [place.number, place.attempt]
    }

    /// An ad of a document could not be read: whoever led there is told, and whom it named itself.
    private mutating func fail(_ broken: VASTBrokenAd, _ wrappers: [VASTAd], at path: [Int]) {
        let error = VASTError(broken.code, broken.reason, line: broken.line).behind(wrappers.count)
        var note = Note(path: path, failure: error)
        if self.pings < VASTErrorPing.most {
            let own = broken.errors.filter { !$0.isNowhere }
            note.pings =
                VASTErrorPing.all(broken.code, wrappers)
                + own.map { VASTErrorPing(url: $0, code: broken.code, depth: wrappers.count) }
        }
        self.pings += note.pings.count
        self.notes.append(note)
    }

    /// Tells those who led to a failure, or others instead.
    private mutating func fail(
        _ error: VASTError,
        _ layers: [VASTAd],
        instead others: [VASTErrorPing] = [],
        at path: [Int]
    ) {
        var note = Note(path: path, failure: error)
        note.issues = [Issue("vast.chain.\(error.code)", at: error.place, error.message)]
        if self.pings < VASTErrorPing.most {
            note.pings = others.isEmpty ? VASTErrorPing.all(error.code, layers) : others
        }
        self.pings += note.pings.count
        self.notes.append(note)
    }

    /// What was found in a document further on says how far.
    private func located(_ issue: Issue, depth: Int) -> Issue {
        guard depth > 0 else { return issue }
        return Issue(issue.code, at: .field("wrapper \(depth), \(issue.place)"), issue.message)
    }

    /// Everything told in the order of the documents.
    private func resolution(pod: [VASTResolvedAd], standIns: [VASTResolvedAd]) -> VASTResolution {
        let notes = self.notes.enumerated().sorted { left, right in
            left.element.path == right.element.path
                ? left.offset < right.offset : left.element.path.lexicographicallyPrecedes(right.element.path)
        }.map(\.element)
        var resolution = VASTResolution()
        resolution.pod = pod
        resolution.standIns = standIns
        resolution.hops = self.hops
        resolution.issues = notes.flatMap(\.issues)
        resolution.pings = Array(notes.flatMap(\.pings).prefix(VASTErrorPing.most))
        resolution.failure = notes.lazy.compactMap(\.failure).first
        return resolution
    }

    private mutating func next() -> [Request] {
        let free = max(1, self.limits.parallel) - (self.requests.count - self.waiting.count)
        let now = Array(self.waiting.prefix(max(0, free)))
        self.waiting.removeFirst(now.count)
        return now
    }
}
