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

    /// What is kept of an answer.
    package struct Kept: Sendable {
        /// The whole answer; what is left of it is in `marks`.
        package let batch: OfferBatch
        /// Each proposal that may be served, and its mark.
        package let open: [(proposal: Proposal, mark: Mark)]
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
    /// - Returns: The marks of its proposals, whether it is kept or not.
    package mutating func keep(_ batch: OfferBatch, size: Int, for key: Key, at now: Moment) -> [Mark] {
        self.last += 1
        let marks = batch.proposals.indices.map { Mark(key: key, answer: self.last, index: $0) }
        self.drop(key)
        let bytes = max(0, size) + key.bytes
        guard let keeping = batch.keeping, keeping.duration > .zero, !marks.isEmpty, bytes <= self.mostBytes else {
            return marks
        }
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
        return marks
    }

    /// What may be served of an answer to the same question; nil where there is nothing.
    package mutating func kept(for key: Key, at now: Moment) -> Kept? {
        guard let answer = self.answers[key] else { return nil }
        guard now < answer.until else {
            self.drop(key)
            return nil
        }
        let open = answer.batch.proposals.enumerated().filter { !answer.shown.contains($0.offset) }
        guard !open.isEmpty else {
            self.drop(key)
            return nil
        }
        self.last += 1
        self.answers[key]?.used = self.last
        return Kept(
            batch: answer.batch,
            open: open.map { ($0.element, Mark(key: key, answer: answer.number, index: $0.offset)) }
        )
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
