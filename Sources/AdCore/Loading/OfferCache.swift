/// Answers that may be used again, by what was asked; bounded in bytes, and the least recently used one goes first.
///
/// Where an ad that was shown may not be served again, each is taken by one at a time: whoever has it gives it back, or
/// shows it.
package struct OfferCache: Sendable {
    /// What was asked, to the byte.
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

    /// Which proposal of which answer somebody means.
    package struct Mark: Hashable, Sendable {
        let key: Key
        let answer: UInt64
        let index: Int
        let identity: String?
        /// Whether it is for one at a time.
        package let isExclusive: Bool
        /// Whether the server has just offered it anew, whoever has it from before.
        let isNew: Bool
    }

    /// What may be served of an answer.
    package struct Served: Sendable {
        /// The whole answer.
        package let batch: OfferBatch
        /// The places of the proposals that may be served; nil for all.
        package let open: [Int]?
        /// Which answer it is, as long as it is kept.
        private let kept: (key: Key, answer: UInt64, isExclusive: Bool, isNew: Bool)?

        /// Whether the answer is kept for the next one who asks the same as well.
        package var isKept: Bool { self.kept != nil }

        /// An answer that is not kept: all of it.
        package init(unkept batch: OfferBatch) {
            self.batch = batch
            self.open = nil
            self.kept = nil
        }

        fileprivate init(_ answer: Answer, _ key: Key, open: [Int]?, isNew: Bool = false) {
            self.batch = answer.batch
            self.open = open
            self.kept = (key, answer.number, !answer.keeping.includesShown, isNew)
        }

        /// The mark of a proposal; nil where the answer is not kept.
        package func mark(_ place: Int) -> Mark? {
            self.kept.map { kept in
                Mark(
                    key: kept.key,
                    answer: kept.answer,
                    index: place,
                    identity: self.batch.proposals[place].identity,
                    isExclusive: kept.isExclusive,
                    isNew: kept.isNew
                )
            }
        }
    }

    fileprivate struct Answer {
        let number: UInt64
        let batch: OfferBatch
        let keeping: CachePolicy
        let until: Moment
        let bytes: Int
        /// What some ad holds, and what nobody gets any more: it was shown, or can't be.
        var taken: Set<Int> = []
        var spent: Set<Int> = []
        var used: UInt64
    }

    private let mostBytes: Int
    private var answers: [Key: Answer] = [:]
    /// The ads that are known again by a name, and in how many hands each is.
    private var inHands: [String: Int] = [:]
    private var bytes = 0
    private var last: UInt64 = 0

    /// An empty cache for so many bytes.
    package init(mostBytes: Int = 10 << 20) { self.mostBytes = max(0, mostBytes) }

    /// How many answers are kept.
    package var count: Int { self.answers.count }

    /// Keeps an answer as long as it may be, in place of an older one; one without an ad, or too large, is not kept.
    ///
    /// - Parameters:
    ///   - batch: The answer.
    ///   - keeping: How long it may be kept, and what of it.
    ///   - size: About how many bytes it takes.
    ///   - key: What was asked.
    ///   - now: The present.
    /// - Returns: What is served of it now: what a server offers anew, it offers, to whoever asked.
    package mutating func keep(
        _ batch: OfferBatch,
        _ keeping: CachePolicy,
        size: Int,
        for key: Key,
        at now: Moment
    ) -> Served {
        self.drop(key)
        let bytes = max(0, size) + key.bytes
        guard keeping.duration > .zero, !batch.proposals.isEmpty, bytes <= self.mostBytes else {
            return Served(unkept: batch)
        }
        self.last += 1
        var answer = Answer(
            number: self.last,
            batch: batch,
            keeping: keeping,
            until: now + keeping.duration,
            bytes: bytes,
            used: self.last
        )
        if !keeping.includesShown { answer.spent = OfferCache.repeated(in: batch) }
        self.answers[key] = answer
        self.bytes += bytes
        self.makeRoom(at: now)
        let open = answer.spent.isEmpty ? nil : batch.proposals.indices.filter { !answer.spent.contains($0) }
        return Served(answer, key, open: open, isNew: true)
    }

    /// The places of ads that stand in an answer before.
    private static func repeated(in batch: OfferBatch) -> Set<Int> {
        var seen: Set<String> = []
        return Set(
            batch.proposals.indices.filter { place in
                batch.proposals[place].identity.map { !seen.insert($0).inserted } ?? false
            }
        )
    }

    /// What may be served of an answer to the same question; nil where there is nothing.
    package mutating func look(for key: Key, at now: Moment) -> Served? {
        guard let answer = self.answers[key] else { return nil }
        guard now < answer.until, answer.spent.count < answer.batch.proposals.count else {
            self.drop(key)
            return nil
        }
        self.last += 1
        self.answers[key]?.used = self.last
        if answer.keeping.includesShown, answer.spent.isEmpty { return Served(answer, key, open: nil) }
        let open = answer.batch.proposals.indices.filter { self.isOpen($0, of: answer) }
        return open.isEmpty ? nil : Served(answer, key, open: open)
    }

    /// Takes a proposal for one alone; false where somebody has it, or it is gone.
    package mutating func take(_ mark: Mark) -> Bool {
        guard mark.isExclusive else { return true }
        guard let answer = self.answers[mark.key], answer.number == mark.answer,
            !answer.spent.contains(mark.index), !answer.taken.contains(mark.index),
            mark.isNew || self.isInNoHands(mark.identity)
        else { return false }
        self.answers[mark.key]?.taken.insert(mark.index)
        if let identity = mark.identity { self.inHands[identity, default: 0] += 1 }
        return true
    }

    /// Whoever had it does not want it any more; what was not shown, another one may have.
    package mutating func giveBack(_ mark: Mark) {
        if let identity = mark.identity {
            let left = (self.inHands[identity] ?? 0) - 1
            self.inHands[identity] = left > 0 ? left : nil
        }
        guard self.answers[mark.key]?.number == mark.answer else { return }
        self.answers[mark.key]?.taken.remove(mark.index)
    }

    /// An ad was shown: no answer that is kept serves it again.
    package mutating func shown(_ mark: Mark) {
        guard mark.isExclusive else { return }
        self.spend(mark)
        // Another question may have brought the same ad.
        guard let identity = mark.identity else { return }
        for (key, answer) in self.answers where !answer.keeping.includesShown {
            let same = answer.batch.proposals.indices.filter { answer.batch.proposals[$0].identity == identity }
            if !same.isEmpty { self.answers[key]?.spent.formUnion(same) }
        }
    }

    /// Nothing can be made of a proposal: it is not tried again.
    package mutating func failed(_ mark: Mark) { self.spend(mark) }

    private mutating func spend(_ mark: Mark) {
        guard self.answers[mark.key]?.number == mark.answer else { return }
        self.answers[mark.key]?.spent.insert(mark.index)
    }

    /// Whether nobody has a proposal, and it is not spent.
    private func isOpen(_ place: Int, of answer: Answer) -> Bool {
        guard !answer.spent.contains(place) else { return false }
        guard !answer.keeping.includesShown else { return true }
        return !answer.taken.contains(place) && self.isInNoHands(answer.batch.proposals[place].identity)
    }

    private func isInNoHands(_ identity: String?) -> Bool { identity.map { self.inHands[$0] == nil } ?? true }

    private mutating func drop(_ key: Key) {
        if let answer = self.answers.removeValue(forKey: key) { self.bytes -= answer.bytes }
    }

    private mutating func makeRoom(at now: Moment) {
        guard self.bytes > self.mostBytes else { return }
        for (key, answer) in self.answers where now >= answer.until { self.drop(key) }
        for (key, _) in self.answers.sorted(by: { $0.value.used < $1.value.used }) {
            guard self.bytes > self.mostBytes else { return }
            self.drop(key)
        }
    }
}
