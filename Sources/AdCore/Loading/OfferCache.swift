/// A cache of provider responses by request, bounded in bytes; the least recently used response is removed first.
///
/// If the policy does not serve shown ads again, each ad is reserved exclusively, and then released or shown.
package struct OfferCache: Sendable {
    /// All parts of the request that identify a response.
    package struct Key: Hashable, Sendable {
        private let method: AdHTTPRequest.Method
        private let url: HTTPURL
        private let headers: AdHTTPHeaders
        private let body: [UInt8]

        package init(_ request: AdHTTPRequest) {
            self.method = request.method
            self.url = request.url
            self.headers = request.headers
            self.body = request.body ?? []
        }

        var bytes: Int { self.url.text.utf8.count + self.body.count }
    }

    /// Identifies a proposal of a cached response.
    package struct ProposalID: Hashable, Sendable {
        let key: Key
        let response: UInt64
        let index: Int
        let identity: String?
        /// Whether only one ad may use the proposal at a time.
        package let isExclusive: Bool
        /// Whether the response was just received, so its ad is served even if an older one with its id is reserved.
        let isNew: Bool
    }

    /// A response and which of its proposals may be served.
    package struct Served: Sendable {
        /// The whole response.
        package let batch: OfferBatch
        /// The indices of the proposals that may be served; nil for all.
        package let open: [Int]?
        /// The response's place in the cache; nil if it is not cached.
        private let entry: (key: Key, response: UInt64, isExclusive: Bool, isNew: Bool)?

        /// Whether the response is cached.
        package var isKept: Bool { self.entry != nil }

        /// Creates a response that is not cached, with all of its proposals.
        package init(uncached batch: OfferBatch) {
            self.batch = batch
            self.open = nil
            self.entry = nil
        }

        fileprivate init(_ response: Response, _ key: Key, open: [Int]?, isNew: Bool = false) {
            self.batch = response.batch
            self.open = open
            self.entry = (key, response.number, !response.policy.includesShown, isNew)
        }

        /// The id of a proposal; nil if the response is not cached.
        package func proposalID(_ index: Int) -> ProposalID? {
            self.entry.map { entry in
                ProposalID(
                    key: entry.key,
                    response: entry.response,
                    index: index,
                    identity: self.batch.proposals[index].identity,
                    isExclusive: entry.isExclusive,
                    isNew: entry.isNew
                )
            }
        }
    }

    fileprivate struct Response {
        let number: UInt64
        let batch: OfferBatch
        let policy: CachePolicy
        let until: Moment
        let bytes: Int
        /// The indices of reserved proposals.
        var reserved: Set<Int> = []
        /// The indices of proposals that are not served any more: shown or failed.
        var spent: Set<Int> = []
        /// The number of the last use.
        var used: UInt64
    }

    private let byteLimit: Int
    private var responses: [Key: Response] = [:]
    /// The number of reservations of each ad id.
    private var reservationCounts: [String: Int] = [:]
    private var bytes = 0
    private var lastNumber: UInt64 = 0

    /// Creates an empty cache with a limit in bytes.
    package init(byteLimit: Int = 10 << 20) { self.byteLimit = max(0, byteLimit) }

    /// The number of cached responses.
    package var count: Int { self.responses.count }

    /// Stores a response in place of an older one; a response without an ad or above the limit is not cached.
    ///
    /// - Parameters:
    ///   - batch: The response.
    ///   - policy: How long it is cached, and which of its ads are served.
    ///   - size: Its approximate size in bytes.
    ///   - key: The request.
    ///   - now: The current time.
    /// - Returns: The response to serve now; ads that are reserved in older responses are included.
    package mutating func store(
        _ batch: OfferBatch,
        _ policy: CachePolicy,
        size: Int,
        for key: Key,
        at now: Moment
    ) -> Served {
        self.remove(key)
        let bytes = max(0, size) + key.bytes
        guard policy.duration > .zero, !batch.proposals.isEmpty, bytes <= self.byteLimit else {
            return Served(uncached: batch)
        }
        self.lastNumber += 1
        var response = Response(
            number: self.lastNumber,
            batch: batch,
            policy: policy,
            until: now + policy.duration,
            bytes: bytes,
            used: self.lastNumber
        )
        if !policy.includesShown { response.spent = OfferCache.repeated(in: batch) }
        self.responses[key] = response
        self.bytes += bytes
        self.evict(at: now)
        let open = response.spent.isEmpty ? nil : batch.proposals.indices.filter { !response.spent.contains($0) }
        return Served(response, key, open: open, isNew: true)
    }

    /// The indices of ads whose id occurs earlier in the same response.
    private static func repeated(in batch: OfferBatch) -> Set<Int> {
        var seen: Set<String> = []
        return Set(
            batch.proposals.indices.filter { index in
                batch.proposals[index].identity.map { !seen.insert($0).inserted } ?? false
            }
        )
    }

    /// The cached response of a request with the proposals that may be served; nil if there are none.
    package mutating func lookUp(for key: Key, at now: Moment) -> Served? {
        guard let response = self.responses[key] else { return nil }
        guard now < response.until, response.spent.count < response.batch.proposals.count else {
            self.remove(key)
            return nil
        }
        self.lastNumber += 1
        self.responses[key]?.used = self.lastNumber
        if response.policy.includesShown, response.spent.isEmpty { return Served(response, key, open: nil) }
        let open = response.batch.proposals.indices.filter { self.isOpen($0, of: response) }
        return open.isEmpty ? nil : Served(response, key, open: open)
    }

    /// Reserves a proposal; returns false if it is reserved already or not cached any more.
    package mutating func reserve(_ proposalID: ProposalID) -> Bool {
        guard proposalID.isExclusive else { return true }
        guard let response = self.responses[proposalID.key], response.number == proposalID.response,
            !response.spent.contains(proposalID.index), !response.reserved.contains(proposalID.index),
            proposalID.isNew || self.isUnreserved(proposalID.identity)
        else { return false }
        self.responses[proposalID.key]?.reserved.insert(proposalID.index)
        if let identity = proposalID.identity { self.reservationCounts[identity, default: 0] += 1 }
        return true
    }

    /// Ends a reservation; a proposal that was not shown may be reserved again.
    package mutating func release(_ proposalID: ProposalID) {
        if let identity = proposalID.identity {
            let left = (self.reservationCounts[identity] ?? 0) - 1
            self.reservationCounts[identity] = left > 0 ? left : nil
        }
        guard self.responses[proposalID.key]?.number == proposalID.response else { return }
        self.responses[proposalID.key]?.reserved.remove(proposalID.index)
    }

    /// Marks an ad as shown, so that no cached response serves it again.
    package mutating func markShown(_ proposalID: ProposalID) {
        guard proposalID.isExclusive else { return }
        self.spend(proposalID)
        // Responses of other requests may contain the same ad.
        guard let identity = proposalID.identity else { return }
        for (key, response) in self.responses where !response.policy.includesShown {
            let same = response.batch.proposals.indices.filter { response.batch.proposals[$0].identity == identity }
            if !same.isEmpty { self.responses[key]?.spent.formUnion(same) }
        }
    }

    /// Marks a proposal as failed, so that it is not tried again.
    package mutating func markFailed(_ proposalID: ProposalID) { self.spend(proposalID) }

    private mutating func spend(_ proposalID: ProposalID) {
        guard self.responses[proposalID.key]?.number == proposalID.response else { return }
        self.responses[proposalID.key]?.spent.insert(proposalID.index)
    }

    /// Whether a proposal may be served: neither spent nor reserved.
    private func isOpen(_ index: Int, of response: Response) -> Bool {
        guard !response.spent.contains(index) else { return false }
        guard !response.policy.includesShown else { return true }
        return !response.reserved.contains(index) && self.isUnreserved(response.batch.proposals[index].identity)
    }

    private func isUnreserved(_ identity: String?) -> Bool {
        identity.map { self.reservationCounts[$0] == nil } ?? true
    }

    private mutating func remove(_ key: Key) {
        if let response = self.responses.removeValue(forKey: key) { self.bytes -= response.bytes }
    }

    private mutating func evict(at now: Moment) {
        guard self.bytes > self.byteLimit else { return }
        for (key, response) in self.responses where now >= response.until { self.remove(key) }
        for (key, _) in self.responses.sorted(by: { $0.value.used < $1.value.used }) {
            guard self.bytes > self.byteLimit else { return }
            self.remove(key)
        }
    }
}
