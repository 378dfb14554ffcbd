/// Answers that may be used again, by what was asked; bounded in bytes, and the least recently used one goes first.
package struct OfferCache: Sendable {
    /// What was asked, to the byte.
    package struct Key: Hashable, Sendable {
        private let method: HTTPRequest.Method
        private let url: HTTPURL
        private let body: [UInt8]

        package init(_ request: HTTPRequest) {
            self.method = request.method
            self.url = request.url
            self.body = request.body ?? []
        }

        var bytes: Int { self.url.text.utf8.count + self.body.count }
    }

    /// Which offer of which answer an ad was made of.
    package struct Mark: Hashable, Sendable {
        let key: Key
        let answer: UInt64
        let index: Int
    }

    /// An answer that may be served from, or what is left of it.
    package struct Kept: Sendable {
        private let key: Key
        private let number: UInt64
        /// The whole answer.
        package let batch: OfferBatch
        /// The places of the proposals that may be served; nil for all.
        package let open: [Int]?
        /// Whether it serves the next one who asks the same as well.
        package let isKept: Bool

        fileprivate init(_ key: Key, _ number: UInt64, _ batch: OfferBatch, open: [Int]? = nil, isKept: Bool) {
            self.key = key
            self.isKept = isKept
            self.number = number
            self.batch = batch
            self.open = open
        }

        /// The mark of a proposal of the answer.
        package func mark(_ index: Int) -> Mark { Mark(key: self.key, answer: self.number, index: index) }
    }

    private struct Answer {
        let number: UInt64
        let batch: OfferBatch
        let keeping: Keeping
        let until: Moment
        let bytes: Int
        var shown: Set<Int> = []
        var used: UInt64
    }

    private let mostBytes: Int
    private var answers: [Key: Answer] = [:]
    private var bytes = 0
    private var last: UInt64 = 0

    /// An empty cache for so many bytes.
    package init(mostBytes: Int = 10 << 20) { self.mostBytes = max(0, mostBytes) }

    /// How many answers are kept.
    package var count: Int { self.answers.count }

    /// Keeps an answer as long as it may be kept; one that may not be, or has no ad, is not.
    ///
    /// - Parameters:
    ///   - batch: The answer.
    ///   - size: About how many bytes it takes.
    ///   - key: What was asked.
    ///   - now: The present.
    /// - Returns: The answer to serve from, whether it is kept or not.
    @discardableResult
    package mutating func keep(_ batch: OfferBatch, size: Int, for key: Key, at now: Moment) -> Kept {
        self.last += 1
        let number = self.last
        self.drop(key)
        let bytes = max(0, size) + key.bytes
        guard let keeping = batch.keeping, keeping.duration > .zero, !batch.proposals.isEmpty, bytes <= self.mostBytes
        else { return Kept(key, number, batch, isKept: false) }
        self.answers[key] = Answer(
            number: self.last,
            batch: batch,
            keeping: keeping,
            until: now + keeping.duration,
            bytes: bytes,
            used: self.last
        )
        self.bytes += bytes
        self.makeRoom(at: now)
        return Kept(key, number, batch, isKept: self.answers[key] != nil)
    }

    /// What may be served of an answer to the same question; nil where there is nothing.
    package mutating func kept(for key: Key, at now: Moment) -> Kept? {
        guard let answer = self.answers[key] else { return nil }
        guard now < answer.until else {
            self.drop(key)
            return nil
        }
        guard answer.shown.count < answer.batch.proposals.count else {
            self.drop(key)
            return nil
        }
        self.last += 1
        self.answers[key]?.used = self.last
        let open = answer.shown.isEmpty ? nil : answer.batch.proposals.indices.filter { !answer.shown.contains($0) }
        return Kept(key, answer.number, answer.batch, open: open, isKept: true)
    }

    /// An ad was shown: where that matters, it is not served again.
    package mutating func shown(_ mark: Mark) {
        guard let answer = self.answers[mark.key], answer.number == mark.answer, !answer.keeping.includesShown else {
            return
        }
        self.answers[mark.key]?.shown.insert(mark.index)
    }

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
