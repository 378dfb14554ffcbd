public import AdCore

/// The result of resolving the wrappers of a document.
public struct VASTResolution: Hashable, Sendable {
    /// The ads to play, in order.
    public internal(set) var pod: [VASTResolvedAd] = []
    /// Fallback ads: played in place of ads that fail.
    public internal(set) var fallbackAds: [VASTResolvedAd] = []
    /// Every wrapper request, in order.
    public internal(set) var hops: [VASTHop] = []
    /// The error URLs to call.
    public internal(set) var errorCalls: [VASTErrorCall] = []
    /// What was repaired in the documents, and why ads are left out.
    public internal(set) var issues: [AdIssue] = []
    /// The first failure; nil if there is none.
    public internal(set) var failure: VASTError?

    init() {}

    /// A result without an ad.
    package init(failure: VASTError) {
        self.failure = failure
        self.issues = [AdIssue("vast.chain.\(failure.code)", at: .whole, failure.message)]
    }
}

/// An inline ad with the wrappers around it.
public struct VASTResolvedAd: Hashable, Sendable {
    /// The wrappers, outermost first, and then the inline ad.
    public let layers: [VASTAd]

    /// The inline ad.
    public var inline: VASTAd { self.layers[self.layers.count - 1] }
    /// The wrappers around it, outermost first.
    public var wrappers: ArraySlice<VASTAd> { self.layers.dropLast() }
    /// The ad's `sequence` in the outermost pod; outside of a pod its own.
    public let sequence: Int?

    package init(_ wrappers: [VASTAd], _ inline: VASTAd, sequence: Int? = nil) {
        self.layers = wrappers + [inline]
        self.sequence = sequence ?? inline.sequence
    }
}

/// One wrapper request and its outcome.
public struct VASTHop: Hashable, Sendable {
    /// The number of wrappers around the requested document, from 1.
    public let depth: Int
    /// The id of the wrapper.
    public let adID: String?
    /// The URL as the wrapper names it.
    public let url: URLTemplate
    /// The number of ads in the response; nil without a response.
    public internal(set) var ads: Int?
    /// Why there is no response.
    public internal(set) var failure: VASTError?
}

/// An error URL to call.
public struct VASTErrorCall: Hashable, Sendable {
    /// The URL, with its macros not replaced yet.
    public let url: URLTemplate
    /// The value of `[ERRORCODE]` (VAST 4.3 §2.3.6.3).
    public let code: Int
    /// The number of wrappers around the document that names it.
    public let depth: Int
}

extension VASTErrorCall {
    /// The maximum number of error URLs that are called for one response; a hostile response could name any number.
    static let limit = 1000

    /// The error URLs of an ad that failed and of its wrappers (VAST 4.3 §2.3.6).
    static func all(_ code: Int, _ layers: [VASTAd]) -> [VASTErrorCall] {
        var seen: Set<URLTemplate> = []
        return layers.enumerated().flatMap { depth, ad in
            // A wrapper that requests itself is in the list twice; its URL is called once.
            ad.errors.filter { !$0.isPlaceholder && seen.insert($0).inserted }.map {
                VASTErrorCall(url: $0, code: code, depth: depth)
            }
        }
    }
}

extension URLTemplate {
    /// Whether it is `about:blank` (RFC 6694 §3), which servers write where the schema requires a URL and there is none; it
    /// is not called.
    var isPlaceholder: Bool { self.text.utf8.count == 11 && self.text.asciiLowercased == "about:blank" }
}
