/// Answers that may be used again, by what was asked; bounded in bytes, and the least recently used one goes first.
///
/// Where an ad that was shown may not be served again, each is handed out to one at a time: whoever has it gives it back,
/// or shows it.
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

    /// Which proposal of which answer was handed out.
    package struct Mark: Hashable, Sendable {
        let key: Key
        let answer: UInt64
        let index: Int
        let identity: String?
    }

    /// What may be served of an answer.
    package struct Served: Sendable {
        /// The whole answer.
        package let batch: OfferBatch
        /// The places of the proposals that may be served; nil for all.
        package let open: [Int]?
        /// What was handed out to one alone: a mark for each of those, or none.
        package let marks: [Mark]
        /// Whether the answer is kept for the next one who asks the same as well.
        package let isKept: Bool

        /// An answer that is not kept: all of it.
        package init(unkept batch: OfferBatch) { self.init(batch, open: nil, marks: [], isKept: false) }

        fileprivate init(_ batch: OfferBatch, open: [Int]?, marks: [Mark], isKept: Bool) {
            self.batch = batch
            self.open = open
            self.marks = marks
            self.isKept = isKept
        }
    }

    private struct Answer {
        let number: UInt64
        let batch: OfferBatch
        let keeping: Keeping
        let until: Moment
        let bytes: Int
        /// What some ad holds, and what was shown.
        var taken: Set<Int> = []
        var shown: Set<Int> = []
        var used: UInt64

        /// The places of the proposals that nobody has, and nobody has shown.
        var open: [Int] {
            self.batch.proposals.indices.filter { !self.shown.contains($0) && !self.taken.contains($0) }
        }
    }

    private let mostBytes: Int
    private var answers: [Key: Answer] = [:]
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
    package mutating func keep(_ batch: OfferBatch, _ keeping: Keeping, size: Int, for key: Key, at now: Moment) {
        self.drop(key)
        let bytes = max(0, size) + key.bytes
        guard keeping.duration > .zero, !batch.proposals.isEmpty, bytes <= self.mostBytes else { return }
        self.last += 1
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
    }

    /// Hands out what may be served of an answer to the same question; nil where there is nothing.
    package mutating func take(for key: Key, at now: Moment) -> Served? {
        guard let served = self.look(for: key, at: now) else { return nil }
        // Where what was shown is served as well, anybody may have it.
        guard let open = served.open, let answer = self.answers[key] else { return served }
        self.answers[key]?.taken.formUnion(open)
        let marks = open.map { place in
            Mark(key: key, answer: answer.number, index: place, identity: answer.batch.proposals[place].identity)
        }
        return Served(answer.batch, open: open, marks: marks, isKept: true)
    }

    /// What could be handed out now; nil where there is nothing.
    package mutating func look(for key: Key, at now: Moment) -> Served? {
        guard let answer = self.answers[key] else { return nil }
        guard now < answer.until, answer.shown.count < answer.batch.proposals.count else {
            self.drop(key)
            return nil
        }
        let open = answer.keeping.includesShown ? nil : answer.open
        guard open?.isEmpty != true else { return nil }
        self.last += 1
        self.answers[key]?.used = self.last
        return Served(answer.batch, open: open, marks: [], isKept: true)
    }

    /// Whoever had it does not want it any more, and has not shown it.
    package mutating func giveBack(_ mark: Mark) {
        guard self.answers[mark.key]?.number == mark.answer else { return }
        self.answers[mark.key]?.taken.remove(mark.index)
    }

    /// An ad was shown: no answer that is kept serves it again.
    package mutating func shown(_ mark: Mark) {
        if self.answers[mark.key]?.number == mark.answer { self.answers[mark.key]?.shown.insert(mark.index) }
        // Another question may have brought the same ad.
        guard let identity = mark.identity else { return }
        for (key, answer) in self.answers where !answer.keeping.includesShown {
            let same = answer.batch.proposals.indices.filter { answer.batch.proposals[$0].identity == identity }
            if !same.isEmpty { self.answers[key]?.shown.formUnion(same) }
        }
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
