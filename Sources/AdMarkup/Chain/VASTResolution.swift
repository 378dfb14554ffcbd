public import AdCore

/// What came of following a document's wrappers to their end.
public struct VASTResolution: Hashable, Sendable {
    /// The ads to play, in order.
    public internal(set) var pod: [VASTResolvedAd] = []
    /// Ads that can take the place of one that fails.
    public internal(set) var standIns: [VASTResolvedAd] = []
    /// Every other server that was asked, in the order of asking.
    public internal(set) var hops: [VASTHop] = []
    /// Whom to tell of what went wrong.
    public internal(set) var pings: [VASTErrorPing] = []
    /// What was repaired in the documents, and why ads were passed over.
    public internal(set) var issues: [Issue] = []
    /// The first thing that went wrong; nil where nothing did.
    public internal(set) var failure: VASTError?

    init() {}

    /// What came of asking nobody, or of asking in vain.
    package init(failure: VASTError) {
        self.failure = failure
        self.issues = [Issue("vast.chain.\(failure.code)", at: .whole, failure.message)]
    }
}

/// An ad that brings its creatives, with the wrappers around it.
public struct VASTResolvedAd: Hashable, Sendable {
    /// The wrappers, outermost first, and behind them the ad itself.
    public let layers: [VASTAd]

    /// The ad itself; there is always one.
    public var inline: VASTAd { self.layers[self.layers.count - 1] }
    /// The wrappers around it, outermost first.
    public var wrappers: ArraySlice<VASTAd> { self.layers.dropLast() }
    /// Its place in the pod, as the outermost pod says; where it belongs to none, the number that it has itself.
    public let sequence: Int?

    init(_ wrappers: [VASTAd], _ inline: VASTAd, sequence: Int? = nil) {
        self.layers = wrappers + [inline]
        self.sequence = sequence ?? inline.sequence
    }
}

/// One server that was asked on the way.
public struct VASTHop: Hashable, Sendable {
    /// How many wrappers lead there, from 1.
    public let depth: Int
    /// The ad that named it.
    public let adID: String?
    /// The address as the wrapper names it.
    public let url: URLTemplate
    /// What came back: the number of ads; nil where none could be had.
    public internal(set) var ads: Int?
    /// Why none could be had.
    public internal(set) var failure: VASTError?
}

/// An address to be told of an error.
public struct VASTErrorPing: Hashable, Sendable {
    /// Where to call.
    public let url: URLTemplate
    /// What stands for `[ERRORCODE]`.
    public let code: Int
    /// Who asked for it: 0 is the outermost answer, and each wrapper's is one more.
    public let depth: Int
}

/// How far wrappers are followed.
public struct VASTChainLimits: Hashable, Sendable {
    /// How many wrappers may lead to one ad.
    public var hops = 5
    /// How many servers are asked in all.
    public var requests = 30
    /// How many of them at the same time.
    public var parallel = 6
    /// How long each may take.
    public var hopTime = Duration.seconds(5)

    /// The default limits.
    public static let standard = VASTChainLimits()

    /// The default limits, to be changed.
    public init() {}
}

extension VASTErrorPing {
    /// How many are told of one answer's failures: a hostile one could name any number, for each of any number of ads.
    static let most = 1000

    /// Everybody who is to be told that an ad failed: all who led to it, and the ad itself.
    static func all(_ code: Int, _ layers: [VASTAd]) -> [VASTErrorPing] {
        var seen: Set<URLTemplate> = []
        return layers.enumerated().flatMap { depth, ad in
            // A wrapper that leads back to itself is there twice, and is told once.
            ad.errors.filter { !$0.isNowhere && seen.insert($0).inserted }.map {
                VASTErrorPing(url: $0, code: code, depth: depth)
            }
        }
    }
}

extension URLTemplate {
    /// Whether it is written where there is nobody to tell.
    var isNowhere: Bool { self.text.utf8.count == 11 && self.text.asciiLowercased == "about:blank" }
}
