/// Why a command on an ad failed: the kind of failure, where it happened, and the fix.
///
/// ```swift
/// do {
///     let ad = try await loader.load(.banner(unit: "main"))
/// } catch where error.code == .noFill {
///     print("there is no ad now; the place stays empty")
/// }
/// ```
public struct AdError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    ///
    /// New codes may be added; compare with `==`, not with an exhaustive `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case invalidRequest, notInitialized, alreadyInitialized, cancelled, destroyed
            case noFill, timedOut, unreachable, connectionLost, serverStatus
            case responseTooLarge = "answerTooLarge"
            case unreadableResponse = "unreadableAnswer"
            case unknownType, markupMismatch, formatMismatch, unsupportedCreative, incompleteOffer
            case wrapperFailed
            case alreadyLoading, alreadyLoaded, alreadyShown, notLoaded, expired
            case stageFailed, stageTimedOut
            case unauthorized, coolingDown, frequencyCapped
        }

        private let value: Value

        /// An argument of the host can't be sent.
        public static let invalidRequest = Code(value: .invalidRequest)
        /// The SDK was used before `initialize`.
        public static let notInitialized = Code(value: .notInitialized)
        /// The SDK was initialized before with another publisher, app or URL, which stays in use.
        public static let alreadyInitialized = Code(value: .alreadyInitialized)
        /// The waiting task was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// The ad was destroyed before or while the command ran.
        public static let destroyed = Code(value: .destroyed)
        /// The server has no ad for this placement now; this is not an error.
        public static let noFill = Code(value: .noFill)
        /// The load took longer than its deadline.
        public static let timedOut = Code(value: .timedOut)
        /// No connection: DNS, TLS, refused or timed out; nothing was sent.
        public static let unreachable = Code(value: .unreachable)
        /// The connection ended before the whole response was received.
        public static let connectionLost = Code(value: .connectionLost)
        /// The server responded with an HTTP status that carries no ad.
        public static let serverStatus = Code(value: .serverStatus)
        /// The server rejects the credentials.
        public static let unauthorized = Code(value: .unauthorized)
        /// The provider allows no ad yet, so nothing was requested; `underlying` is a `Cooldown` with its end.
        public static let coolingDown = Code(value: .coolingDown)
        /// The ad was viewed as often as allowed, so nothing was requested; `underlying` is a `ReachedCap`.
        public static let frequencyCapped = Code(value: .frequencyCapped)
        /// The response is larger than the limit.
        public static let responseTooLarge = Code(value: .responseTooLarge)
        /// The response does not follow the protocol: not JSON, a wrong type, a missing field.
        public static let unreadableResponse = Code(value: .unreadableResponse)
        /// The response has an ad type that the protocol does not define.
        public static let unknownType = Code(value: .unknownType)
        /// The response's ad type and its markup contradict each other.
        public static let markupMismatch = Code(value: .markupMismatch)
        /// The response's ad type does not match the requested format.
        public static let formatMismatch = Code(value: .formatMismatch)
        /// The creative is of a kind that can't be displayed.
        public static let unsupportedCreative = Code(value: .unsupportedCreative)
        /// The response lacks a required part of an ad of its kind.
        public static let incompleteOffer = Code(value: .incompleteOffer)
        /// The wrapper chain of a VAST response led to no ad.
        public static let wrapperFailed = Code(value: .wrapperFailed)
        /// This ad is being loaded.
        public static let alreadyLoading = Code(value: .alreadyLoading)
        /// This ad is loaded already; show it, or load another.
        public static let alreadyLoaded = Code(value: .alreadyLoaded)
        /// This ad was shown before; an ad can be shown once.
        public static let alreadyShown = Code(value: .alreadyShown)
        /// This ad is not loaded; load it first.
        public static let notLoaded = Code(value: .notLoaded)
        /// The ad was loaded too long ago to be shown.
        public static let expired = Code(value: .expired)
        /// The stage could not show the creative.
        public static let stageFailed = Code(value: .stageFailed)
        /// The stage did not show the creative in time.
        public static let stageTimedOut = Code(value: .stageTimedOut)

        /// The code's name, stable across versions.
        public var description: String { self.value.rawValue }

        /// The code with this name; nil for an unknown name.
        package init?(named name: String) {
            guard let value = Value(rawValue: name) else { return nil }
            self.init(value: value)
        }

        private init(value: Value) { self.value = value }
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and the fix, in one sentence.
    public let message: String
    /// The error that caused this one, if any.
    public let underlying: (any Error)?
    /// The VAST error code that is reported for it (VAST 4.3 §2.3.6.3), if any.
    public let vastCode: Int?
    /// Where it happened.
    public let place: Place
    /// The issues found in the response.
    public let issues: [AdIssue]

    /// Where a failure happened; a part that is not known is nil.
    public struct Place: Hashable, Sendable {
        /// The provider that the request went to.
        public var provider: ProviderName?
        /// The requested URL, redacted.
        public var url: String?
        /// The line of the markup, counted from 1.
        public var line: Int?
        /// How many wrappers lead to the response.
        public var wrapperDepth: Int?

        /// Creates a place; a part that is not given is unknown.
        public init(provider: ProviderName? = nil, url: String? = nil, line: Int? = nil, wrapperDepth: Int? = nil) {
            self.provider = provider
            self.url = url
            self.line = line
            self.wrapperDepth = wrapperDepth
        }
    }

    /// Creates an error.
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

    /// The same error with the unknown parts of its place taken from `outer`.
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

    /// The same error with these issues in front of its own.
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

    /// The message in one line, with the place and the code at its end in brackets.
    public var description: String {
        var places: [String] = []
        if let provider = self.place.provider { places.append(provider.rawValue) }
        if let url = self.place.url { places.append(url) }
        switch (self.place.line, self.place.wrapperDepth) {
        case (let line?, let depth?): places.append("line \(line) of the response from wrapper \(depth)")
        case (let line?, nil): places.append("line \(line)")
        case (nil, let depth?): places.append("from wrapper \(depth)")
        case (nil, nil): break
        }
        places.append(self.code.description)
        return "\(self.message) [\(places.joined(separator: ", "))]"
    }
}

extension AdError: Equatable {
    /// Compares everything except `underlying` and `issues`.
    public static func == (left: AdError, right: AdError) -> Bool {
        left.code == right.code && left.message == right.message && left.place == right.place
            && left.vastCode == right.vastCode
    }
}
