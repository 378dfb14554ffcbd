/// Why a command on an ad failed: what happened, where, and what to do about it.
///
/// ```swift
/// do {
///     let ad = try await loader.load(.banner(unit: "main"))
/// } catch where error.code == .noFill {
///     print("there is no ad now; the place stays empty")
/// }
/// ```
public struct AdError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    ///
    /// New codes may be added; compare with `==`, never exhaustively.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case invalidRequest, notInitialized, alreadyInitialized, cancelled, destroyed
            case noFill, timedOut, unreachable, connectionLost, serverStatus, answerTooLarge, unreadableAnswer
            case unknownType, markupMismatch, formatMismatch, unsupportedCreative, incompleteOffer
            case wrapperFailed
            case alreadyLoading, alreadyLoaded, alreadyShown, notLoaded, expired
            case stageFailed, stageTimedOut
            case unauthorized, coolingDown
        }

        private let value: Value

        /// Something the host passed in can't be sent.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The facade was used before `initialize`.
        public static let notInitialized = Code(value: .notInitialized)
        /// The facade was initialised before, with another publisher, app or address; that one stays in use.
        public static let alreadyInitialized = Code(value: .alreadyInitialized)
        /// The task that waited was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// The ad was destroyed while the command was under way, or before it.
        public static let destroyed = Code(value: .destroyed)
        /// The server has no ad for this placement now.
        ///
        /// Try again later; this is no fault.
        public static let noFill = Code(value: .noFill)
        /// The load took longer than its deadline.
        public static let timedOut = Code(value: .timedOut)
        /// No connection: DNS, refused, TLS, or no answer to connecting.
        ///
        /// Nothing was sent.
        public static let unreachable = Code(value: .unreachable)
        /// The connection ended before the whole answer had come.
        public static let connectionLost = Code(value: .connectionLost)
        /// The server answered with a status that carries no ad.
        public static let serverStatus = Code(value: .serverStatus)
        /// The server does not take the keys that it was given.
        public static let unauthorized = Code(value: .unauthorized)
        /// The provider allows no ad yet; `underlying` is a `Cooldown` that says until when.
        ///
        /// Nothing was asked.
        public static let coolingDown = Code(value: .coolingDown)
        /// The answer was larger than the bound.
        public static let answerTooLarge = Code(value: .answerTooLarge)
        /// The answer is not what the protocol says: no JSON, a wrong type, a missing field.
        public static let unreadableAnswer = Code(value: .unreadableAnswer)
        /// The answer names a type of ad that the protocol does not know.
        public static let unknownType = Code(value: .unknownType)
        /// The answer's type and its markup contradict each other.
        public static let markupMismatch = Code(value: .markupMismatch)
        /// The answer's type does not suit the format that was asked for.
        public static let formatMismatch = Code(value: .formatMismatch)
        /// The creative is of a kind that can't be played.
        public static let unsupportedCreative = Code(value: .unsupportedCreative)
        /// The answer lacks something that an ad of its kind can't be without.
        public static let incompleteOffer = Code(value: .incompleteOffer)
        /// The servers that a video's markup names brought no ad.
        public static let wrapperFailed = Code(value: .wrapperFailed)
        /// A load of this ad is under way.
        public static let alreadyLoading = Code(value: .alreadyLoading)
        /// This ad is loaded; show it, or ask for another.
        public static let alreadyLoaded = Code(value: .alreadyLoaded)
        /// An ad can be shown once.
        public static let alreadyShown = Code(value: .alreadyShown)
        /// There is nothing to show: load first.
        public static let notLoaded = Code(value: .notLoaded)
        /// The ad was loaded too long ago to be shown.
        public static let expired = Code(value: .expired)
        /// The stage could not show the creative.
        public static let stageFailed = Code(value: .stageFailed)
        /// The stage did not show the creative in time.
        public static let stageTimedOut = Code(value: .stageTimedOut)

        /// The code's name, stable across versions.
        public var description: String { self.value.rawValue }

        /// The code of this name; nil where there is none.
        package init?(named name: String) {
            guard let value = Value(rawValue: name) else { return nil }
            self.init(value: value)
        }

        private init(value: Value) { self.value = value }
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do, in one sentence.
    public let message: String
    /// What lay beneath it, where there is anything.
    public let underlying: (any Error)?
    /// The VAST error code that is reported for it, where there is one.
    public let vastCode: Int?
    /// Where it happened.
    public let place: Place
    /// What was found in the answer, where there was one.
    public let issues: [AdIssue]

    /// Where a failure happened; what is not known is nil.
    public struct Place: Hashable, Sendable {
        /// The provider that was asked.
        public var provider: ProviderName?
        /// The address that was called, without secrets.
        public var url: String?
        /// The line of the markup, counted from 1.
        public var line: Int?
        /// How many wrappers deep.
        public var wrapperDepth: Int?

        /// A place; what is not known is left out.
        public init(provider: ProviderName? = nil, url: String? = nil, line: Int? = nil, wrapperDepth: Int? = nil) {
            self.provider = provider
            self.url = url
            self.line = line
            self.wrapperDepth = wrapperDepth
        }
    }

    /// Says that something failed.
    public init(
        _ code: Code,
        _ message: String,
        at place: Place = Place(),
        underlying: (any Error)? = nil,
        vastCode: Int? = nil,
        issues: [AdIssue] = []
    ) {
        self.issues = issues
        self.code = code
        self.message = message
        self.place = place
        self.underlying = underlying
        self.vastCode = vastCode
    }

    /// The same failure, with what is known of the place filled in where it was not known before.
    public func located(_ outer: Place) -> AdError {
        var place = self.place
        place.provider = place.provider ?? outer.provider
        place.url = place.url ?? outer.url
        place.line = place.line ?? outer.line
        place.wrapperDepth = place.wrapperDepth ?? outer.wrapperDepth
        return AdError(
            self.code,
            self.message,
            at: place,
            underlying: self.underlying,
            vastCode: self.vastCode,
            issues: self.issues
        )
    }

    /// The same failure, with what else was found before what is known of it.
    package func adding(_ issues: [AdIssue]) -> AdError {
        AdError(
            self.code,
            self.message,
            at: self.place,
            underlying: self.underlying,
            vastCode: self.vastCode,
            issues: issues + self.issues
        )
    }

    /// Code, message and place in one line.
    public var description: String {
        var text = "\(self.code): \(self.message)"
        var places: [String] = []
        if let provider = self.place.provider { places.append(provider.rawValue) }
        if let url = self.place.url { places.append(url) }
        switch (self.place.line, self.place.wrapperDepth) {
        case (let line?, let depth?): places.append("line \(line) of the answer behind wrapper \(depth)")
        case (let line?, nil): places.append("line \(line)")
        case (nil, let depth?): places.append("behind wrapper \(depth)")
        case (nil, nil): break
        }
        if !places.isEmpty { text += " [\(places.joined(separator: ", "))]" }
        return text
    }
}

extension AdError: Equatable {
    /// Two failures are the same when all but what lay beneath them is the same.
    public static func == (left: AdError, right: AdError) -> Bool {
        left.code == right.code && left.message == right.message && left.place == right.place
            && left.vastCode == right.vastCode
    }
}
