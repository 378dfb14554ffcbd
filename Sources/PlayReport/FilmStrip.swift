/// The pictures of an ad that are kept for the timeline: few, spread over its whole time.
///
/// When there are too many, every second one is removed, and the least time between two kept ones doubles.
package struct FilmStrip: Sendable {
    package struct Picture: Sendable {
        /// The number, increasing with each picture, kept or not.
        package let number: Int
        /// The ad's time, in milliseconds.
        package let time: Int64
        package let bytes: [UInt8]
    }

    /// How many pictures are kept, and how often at most.
    package struct Limits: Sendable {
        let pictures: Int
        let bytes: Int
        /// The least time between two kept pictures, in milliseconds, while there are few.
        let interval: Int64

        /// For a timeline to scrub.
        package static let timeline = Limits(pictures: 240, bytes: 24 << 20, interval: 200)
        /// For the page of a report.
        package static let report = Limits(pictures: 48, bytes: 3 << 20, interval: 250)
    }

    package private(set) var pictures: [Picture] = []
    /// The newest picture, which is always kept.
    package private(set) var latest: Picture?
    private let limits: Limits
    private var interval: Int64
    /// The bytes of the kept pictures, without the newest.
    package private(set) var bytes = 0
    private var last = 0

    package init(_ limits: Limits = .timeline) {
        self.limits = limits
        self.interval = limits.interval
    }

    /// Adds a picture, and returns its number.
    @discardableResult
    package mutating func add(_ bytes: [UInt8], at time: Int64) -> Int {
        self.last += 1
        // The picture before it is kept if enough time has passed since the last kept one.
        if let latest, time - (self.pictures.last?.time ?? .min / 2) >= self.interval {
            self.keep(latest)
        }
        self.latest = Picture(number: self.last, time: time, bytes: bytes)
        return self.last
    }

    /// Keeps the newest picture too, although it may not have stood for long.
    package mutating func keepLatest() {
        if let latest { self.keep(latest) }
    }

    private mutating func keep(_ picture: Picture) {
        guard self.pictures.last?.number != picture.number else { return }
        self.pictures.append(picture)
        self.bytes += picture.bytes.count
        while self.pictures.count > self.limits.pictures || self.bytes > self.limits.bytes {
            let kept = self.pictures.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            guard kept.count < self.pictures.count else { break }
            self.pictures = kept
            self.bytes = kept.reduce(0) { $0 + $1.bytes.count }
            self.interval *= 2
        }
    }

    /// All kept pictures, the newest included.
    package var all: [Picture] {
        guard let latest, latest.number != self.pictures.last?.number else { return self.pictures }
        return self.pictures + [latest]
    }

    /// A kept picture.
    package func picture(_ number: Int) -> Picture? { self.all.first { $0.number == number } }
}

/// The states of a creative's document over time; equal ones that follow each other are kept once.
package struct DocumentStrip: Sendable {
    package struct Document: Sendable {
        package let number: Int
        package let time: Int64
        package let text: String
    }

    static let maxDocuments = 120
    static let maxBytes = 16 << 20

    package private(set) var documents: [Document] = []
    package private(set) var bytes = 0
    private var last = 0

    package init() {}

    /// Adds the document's markup at a time, if it has changed.
    package mutating func add(_ text: String, at time: Int64) {
        guard text != self.documents.last?.text else { return }
        self.last += 1
        self.documents.append(Document(number: self.last, time: time, text: text))
        self.bytes += text.utf8.count
        // The first one stays: it is the document as it was loaded.
        while self.documents.count > 2, self.documents.count > Self.maxDocuments || self.bytes > Self.maxBytes {
            self.bytes -= self.documents.remove(at: 1).text.utf8.count
        }
    }
}
