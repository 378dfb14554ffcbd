public import AdCore

/// Resolves the wrappers of a document to inline ads (VAST 4.3 §2.3.5).
///
/// A machine: documents and failures go in, requests come out. Its shell sends them and enforces their time limits.
///
/// ```swift
/// var chain = VASTChain()
/// var requests = chain.start(document)
/// while let request = requests.popLast() { requests += chain.handle(load(request), for: request.id) }
/// let plan = VideoPlan.make(of: chain.outcome)
/// ```
///
/// A document's ads with a `sequence` are its pod, the others are stand-alone ads (VAST 4.3 §3.3.1). Each place of a
/// pod is filled by its ad. A wrapper without an ad leaves its place empty, unless its `fallbackOnNoAd` requires a
/// stand-alone ad instead (VAST 4.3 §3.19). Of stand-alone ads the first that resolves is played, and the others are
/// fallback ads.
///
/// The result does not depend on the order of the responses, unless the limit on all requests is reached.
public struct VASTChain: Sendable {
    /// A request for the document that a wrapper names.
    public struct Request: Hashable, Sendable {
        /// Identifies the request when its response is handled.
        public let id: Int
        /// The `VASTAdTagURI`, with its macros not replaced yet.
        public let url: URLTemplate
        /// The URL of the document that contains the wrapper, if it is known.
        public let base: HTTPURL?
        /// The number of wrappers around the requested document.
        public let depth: Int
    }

    /// A document and the state of its ads.
    private struct Node {
        /// The place in another document that this one fills.
        let parent: (node: Int, place: Int)?
        /// The wrappers around it, outermost first.
        let wrappers: [VASTAd]
        let base: HTTPURL?
        let followsWrappers: Bool
        /// Its position among all documents.
        let path: [Int]
        /// The `sequence` of the place that it fills in the outermost pod.
        let sequence: Int?
        /// Whether its places are of stand-alone ads.
        var isAlone: Bool
        var places: [Place]
        /// Stand-alone ads that are not tried yet.
        var spare: ArraySlice<VASTAd>
    }

    /// A place for an ad.
    private struct Place {
        enum State {
            case waiting
            case filled([VASTResolvedAd], fallbackAds: [VASTResolvedAd])
            /// Its ad does not resolve, and no other was tried yet.
            case failed
            case empty
        }

        let number: Int
        /// Its `sequence`, if it is a place in a pod.
        let sequence: Int?
        /// Whether a stand-alone ad is tried if its own ad does not resolve (`fallbackOnNoAd`).
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

    /// Issues, errors and error URLs, with the document or place that they are about.
    private struct Report {
        let path: [Int]
        var issues: [AdIssue] = []
        var errorCalls: [VASTErrorCall] = []
        var failure: VASTError?
    }

    private let limits: VASTChainLimits
    private var nodes: [Node] = []
    private var requests: [Int: (node: Int, place: Int, hop: Int)] = [:]
    private var waiting: [Request] = []
    private var requestCount = 0
    private var hops: [VASTHop] = []
    private var reports: [Report] = []
    private var errorCallCount = 0

    /// Creates a chain without a document.
    public init(limits: VASTChainLimits = .standard) { self.limits = limits }

    /// The result, once no request is open; nil before.
    public private(set) var result: VASTResolution?

    /// The result so far: what there is if the requests are given up now.
    public var outcome: VASTResolution { self.result ?? self.resolution(pod: [], fallbackAds: []) }

    /// Starts with a document.
    ///
    /// - Parameters:
    ///   - document: The first document.
    ///   - base: Its URL, if it is known.
    ///   - allowsMultipleAds: Whether it may contain several ads.
    ///   - followsWrappers: Whether its wrappers may be followed.
    /// - Returns: The first requests.
    public mutating func start(
        _ document: VASTDocument,
        from base: HTTPURL? = nil,
        allowsMultipleAds: Bool = true,
        followsWrappers: Bool = true
    ) -> [Request] {
        self.add(document, base, parent: nil, allowsMultipleAds, followsWrappers)
        return self.dequeueRequests()
    }

    /// Handles the response to a request; returns the next requests.
    public mutating func handle(
        _ response: Result<VASTDocument, VASTError>,
        for id: Int,
        from base: HTTPURL? = nil
    ) -> [Request] {
        guard let request = self.requests.removeValue(forKey: id) else { return [] }
        let node = self.nodes[request.node]
        let ad = node.places[request.place].ad
        switch response {
        case .success(let document):
            self.hops[request.hop].ads = document.ads.count
            self.add(
                document,
                base,
                parent: (request.node, request.place),
                ad.wrapper?.allowsMultipleAds ?? false,
                ad.wrapper?.followsAdditionalWrappers ?? true
            )
        case .failure(let error):
            let layers = node.wrappers + [ad]
            self.hops[request.hop].failure = error
            self.fail(error.atDepth(layers.count), layers, at: self.path(request.node, request.place))
            self.nodes[request.node].places[request.place].state = .failed
            self.resolve(request.node)
        }
        return self.dequeueRequests()
    }

    // MARK: Documents

    private mutating func add(
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
        if !issues.isEmpty { self.reports.append(Report(path: path, issues: issues)) }
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
            let error = VASTError(303, "the VAST response contains no ad").atDepth(wrappers.count)
            // The <Error> under <VAST> is for a response without an ad (VAST 4.3 §3.2.1). Without it the <Error>
            // elements of the wrappers are called.
            let own = document.errorURLs.filter { !$0.isPlaceholder }.map {
                VASTErrorCall(url: $0, code: 303, depth: wrappers.count)
            }
            self.fail(error, wrappers, instead: own, at: path)
        }
        for place in choice.places.indices { self.fill(id, place) }
        self.resolve(id)
    }

    /// Fills a place with its inline ad, or requests what its wrapper names.
    private mutating func fill(_ id: Int, _ place: Int) {
        let ad = self.nodes[id].places[place].ad
        let wrappers = self.nodes[id].wrappers
        guard let wrapper = ad.wrapper else {
            let resolved = VASTResolvedAd(wrappers, ad, sequence: self.sequence(id, place))
            self.nodes[id].places[place].state = .filled([resolved], fallbackAds: [])
            return
        }
        let layers = wrappers + [ad]
        let url: URLTemplate
        do throws(VASTError) {
            url = try self.address(of: wrapper, in: layers, self.nodes[id])
        } catch {
            self.fail(error.atDepth(wrappers.count), layers, at: self.path(id, place))
            self.nodes[id].places[place].state = .failed
            return
        }
        self.nodes[id].places[place].state = .waiting
        self.requests[self.requestCount] = (id, place, self.hops.count)
        self.hops.append(VASTHop(depth: layers.count, adID: ad.id, url: url))
        self.waiting.append(Request(id: self.requestCount, url: url, base: self.nodes[id].base, depth: layers.count))
        self.requestCount += 1
    }

    /// The `sequence` of a place in the outermost pod around it; nil without a pod.
    private func sequence(_ node: Int, _ place: Int) -> Int? {
        self.nodes[node].sequence ?? self.nodes[node].places[place].sequence
    }

    /// The URL that a wrapper names, or the error why it can't be requested (VAST 4.3 §2.3.5: at most five wrappers;
    /// §3.19).
    private func address(of wrapper: VASTWrapper, in layers: [VASTAd], _ node: Node) throws(VASTError) -> URLTemplate {
        let line = layers.last?.line
        guard let url = wrapper.tagURL else {
            throw VASTError(300, "a wrapper has no <VASTAdTagURI>; add one", line: line)
        }
        // VAST 4.3 §3.19, followAdditionalWrappers; VMAP 1.0.1, followRedirects.
        guard node.followsWrappers else {
            let source = node.parent == nil ? "the ad break" : "the outer wrapper"
            let name = node.parent == nil ? "followRedirects" : "followAdditionalWrappers"
            throw VASTError(300, "a wrapper where \(source) allows none (\(name))", line: line)
        }
        guard layers.count <= self.limits.hops else {
            throw VASTError(
                302,
                "more than \(self.limits.hops) wrappers around one ad; shorten the wrapper chain",
                line: line
            )
        }
        guard !self.isNamed(url, byWrapperAround: node) else {
            let reason = "a wrapper requests its own document again, so that the chain would never end"
            throw VASTError(302, "\(reason); check its VASTAdTagURI", line: line)
        }
        guard self.requestCount < self.limits.requests else {
            let reason = "more than \(self.limits.requests) wrapper requests would be needed"
            throw VASTError(302, "\(reason); shorten the wrapper chain", line: line)
        }
        return url
    }

    /// Whether one of the wrappers around a document names this URL.
    private func isNamed(_ url: URLTemplate, byWrapperAround node: Node) -> Bool {
        var inner = node
        while let (outer, place) = inner.parent {
            let isSame = self.nodes[outer].places[place].ad.wrapper?.tagURL == url
            // A relative URL depends on the document that contains it.
            if isSame, self.nodes[outer].base == node.base || HTTPURL.hasScheme(url.text.utf8) { return true }
            inner = self.nodes[outer]
        }
        return false
    }

    /// Fills the place of a document whose own places are all filled or empty.
    private mutating func resolve(_ id: Int) {
        var id = id
        while let (found, fallbackAds) = self.resolved(id) {
            guard let parent = self.nodes[id].parent else {
                self.result = self.resolution(pod: found, fallbackAds: fallbackAds)
                return
            }
            self.nodes[parent.node].places[parent.place].state =
                found.isEmpty ? .failed : .filled(found, fallbackAds: fallbackAds)
            id = parent.node
        }
    }

    /// The ads of a document; nil while a request of it is open.
    private mutating func resolved(_ id: Int) -> (found: [VASTResolvedAd], fallbackAds: [VASTResolvedAd])? {
        while true {
            self.fallBack(in: id)
            var found: [VASTResolvedAd] = []
            var fallbackAds: [VASTResolvedAd] = []
            for place in self.nodes[id].places {
                switch place.state {
                case .waiting, .failed: return nil
                case .filled(let ads, let others):
                    found += ads
                    fallbackAds += others
                case .empty: break
                }
            }
            guard found.isEmpty, let first = self.nodes[id].spare.popFirst() else {
                // A wrapper can't be a fallback ad: its request would come too late.
                let spare = self.nodes[id].spare.filter { $0.wrapper == nil }
                return (found, fallbackAds + spare.map { VASTResolvedAd(self.nodes[id].wrappers, $0) })
            }
            // The pod is empty: its stand-alone ads are played instead (VAST 4.3 §3.3.1).
            self.nodes[id].isAlone = true
            self.nodes[id].places = [Place(self.nodes[id].places.count, first, isAlone: true)]
            self.fill(id, 0)
        }
    }

    /// Fills places whose ad does not resolve with stand-alone ads, in the order of the places (VAST 4.3 §3.3.1).
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

    // MARK: Reports

    /// The position of a place's ad among all ads that were tried.
    private func path(_ node: Int, _ place: Int) -> [Int] {
        let place = self.nodes[node].places[place]
        return self.nodes[node].path + [place.number, place.attempt]
    }

    /// Records an ad that could not be parsed, with its own error URLs and those of its wrappers (VAST 4.3 §2.3.6).
    private mutating func fail(_ broken: VASTBrokenAd, _ wrappers: [VASTAd], at path: [Int]) {
        let error = VASTError(broken.code, broken.reason, line: broken.line).atDepth(wrappers.count)
        var report = Report(path: path, failure: error)
        if self.errorCallCount < VASTErrorCall.limit {
            let own = broken.errors.filter { !$0.isPlaceholder }
            report.errorCalls =
                VASTErrorCall.all(broken.code, wrappers)
                + own.map { VASTErrorCall(url: $0, code: broken.code, depth: wrappers.count) }
        }
        self.errorCallCount += report.errorCalls.count
        self.reports.append(report)
    }

    /// Records a failure with the error URLs of these ads, or with others instead.
    private mutating func fail(
        _ error: VASTError,
        _ layers: [VASTAd],
        instead others: [VASTErrorCall] = [],
        at path: [Int]
    ) {
        var report = Report(path: path, failure: error)
        report.issues = [AdIssue("vast.chain.\(error.code)", at: error.place, error.message)]
        if self.errorCallCount < VASTErrorCall.limit {
            report.errorCalls = others.isEmpty ? VASTErrorCall.all(error.code, layers) : others
        }
        self.errorCallCount += report.errorCalls.count
        self.reports.append(report)
    }

    /// An issue with the number of wrappers around its document in its place.
    private func located(_ issue: AdIssue, depth: Int) -> AdIssue {
        guard depth > 0 else { return issue }
        return AdIssue(issue.code, at: .field("wrapper \(depth), \(issue.place)"), issue.message)
    }

    /// The result, with its reports in the order of the documents.
    private func resolution(pod: [VASTResolvedAd], fallbackAds: [VASTResolvedAd]) -> VASTResolution {
        let reports = self.reports.enumerated().sorted { left, right in
            left.element.path == right.element.path
                ? left.offset < right.offset : left.element.path.lexicographicallyPrecedes(right.element.path)
        }.map(\.element)
        var resolution = VASTResolution()
        resolution.pod = pod
        resolution.fallbackAds = fallbackAds
        resolution.hops = self.hops
        resolution.issues = reports.flatMap(\.issues)
        resolution.errorCalls = Array(reports.flatMap(\.errorCalls).prefix(VASTErrorCall.limit))
        resolution.failure = reports.lazy.compactMap(\.failure).first
        return resolution
    }

    /// The waiting requests that the limit on open requests permits.
    private mutating func dequeueRequests() -> [Request] {
        let free = max(1, self.limits.parallel) - (self.requests.count - self.waiting.count)
        let now = Array(self.waiting.prefix(max(0, free)))
        self.waiting.removeFirst(now.count)
        return now
    }
}
