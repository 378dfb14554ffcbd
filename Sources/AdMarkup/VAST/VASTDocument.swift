public import AdCore

/// A VAST response of versions 2.0 to 4.3, with one value for each element.
///
/// What could be understood is in the document; what was repaired or left out is an issue with its line. An invalid ad
/// does not affect the others. URLs are templates: their macros are replaced when they are called.
///
/// ```swift
/// let document = try VASTDocument(parsing: bytes)
/// for ad in document.ads { print(ad.id ?? "-", ad.creatives.count) }
/// ```
public struct VASTDocument: Hashable, Sendable {
    /// The `version` attribute; nil if it is absent.
    public internal(set) var version: String?
    /// The error URLs of a response without an ad (VAST 4.3 §3.2.1).
    public internal(set) var errorURLs: [URLTemplate] = []
    /// The ads in the order of the document.
    public internal(set) var ads: [VASTAd] = []
    /// The ads that could not be parsed, with their error URLs.
    public internal(set) var broken: [VASTBrokenAd] = []
    /// What was repaired, or is invalid and was left out.
    public internal(set) var issues: [AdIssue] = []

    init() {}

    /// The document of a server that sends an empty response.
    package static let empty = VASTDocument()
}

/// An ad that was left out because it could not be parsed.
public struct VASTBrokenAd: Hashable, Sendable {
    /// The error code: 101 if it violates the schema, 100 if its XML is not closed (VAST 4.3 §2.3.6.3).
    public let code: Int
    /// What is wrong and how to fix it.
    public let reason: String
    /// The error URLs to call.
    public let errors: [URLTemplate]
    /// The line of the error.
    public let line: Int
}

/// An error with its VAST error code and place.
public struct VASTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error code (VAST 4.3 §2.3.6.3): 100 for invalid XML, 101 for XML that is not VAST, 102 for an unsupported
    /// version.
    public let code: Int
    /// What is wrong and how to fix it, in one sentence.
    public let message: String
    /// The line, counted from 1; nil if there is none.
    public let line: Int?
    /// The number of wrappers around the document; 0 for the first.
    public private(set) var wrapperDepth = 0

    package init(_ code: Int, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }

    /// The same error in a document with this many wrappers around it.
    func atDepth(_ wrappers: Int) -> VASTError {
        var error = self
        error.wrapperDepth = wrappers
        return error
    }

    /// The place for an issue.
    var place: AdIssue.Place {
        guard self.wrapperDepth > 0 else { return self.line.map { .line($0) } ?? .whole }
        return .field("wrapper \(self.wrapperDepth)" + (self.line.map { ", line \($0)" } ?? ""))
    }

    /// Code, message and place.
    public var description: String {
        let place = self.wrapperDepth > 0 || self.line != nil ? " (\(self.place))" : ""
        return "VAST \(self.code): \(self.message)\(place)"
    }
}

/// An ad: an inline ad or a wrapper (VAST 4.3 §3.3).
public struct VASTAd: Hashable, Sendable {
    /// The kind of an ad.
    public enum Kind: Hashable, Sendable {
        /// It contains its creatives (VAST 4.3 §3.4).
        case inline(VASTInline)
        /// It names the URL of another response, and adds trackers (VAST 4.3 §3.19).
        case wrapper(VASTWrapper)
    }

    /// The id of the ad on the ad server.
    public internal(set) var id: String?
    /// The position in a pod, from 1; nil for a stand-alone ad (VAST 4.3 §3.3.1).
    public internal(set) var sequence: Int?
    /// `video`, `audio` or `hybrid`; nil if it is absent.
    public internal(set) var adType: String?
    /// Whether it is a conditional ad, which may have no ad to show; deprecated in VAST 4.1.
    public internal(set) var isConditional: Bool?
    /// The kind of the ad.
    public internal(set) var kind = Kind.inline(VASTInline())
    /// The ad server.
    public internal(set) var system: VASTSystem?
    /// The `AdServingId`, common to all servers (VAST 4.3 §3.4.3).
    public internal(set) var servingID: String?
    /// The price.
    public internal(set) var pricing: VASTPricing?
    /// The impression trackers (VAST 4.3 §3.4.4).
    public internal(set) var impressions: [VASTImpression] = []
    /// The error URLs (VAST 4.3 §3.4.11).
    public internal(set) var errors: [URLTemplate] = []
    /// The viewability trackers (VAST 4.3 §3.5).
    public internal(set) var viewable: [VASTViewable] = []
    /// The verification vendors (VAST 4.3 §3.16).
    public internal(set) var verifications: [VASTVerification] = []
    /// The extensions.
    public internal(set) var extensions: [VASTNode] = []
    /// The creatives.
    public internal(set) var creatives: [VASTCreative] = []
    /// The line of the start tag.
    public internal(set) var line = 0

    init() {}

    /// The content of an inline ad; nil for a wrapper.
    public var inline: VASTInline? { if case .inline(let inline) = self.kind { inline } else { nil } }
    /// The content of a wrapper; nil for an inline ad.
    public var wrapper: VASTWrapper? { if case .wrapper(let wrapper) = self.kind { wrapper } else { nil } }
}

/// The elements that only an inline ad has (VAST 4.3 §3.4).
public struct VASTInline: Hashable, Sendable {
    /// The title.
    public internal(set) var title: String?
    /// The description.
    public internal(set) var description: String?
    /// The advertiser.
    public internal(set) var advertiser: VASTNamed?
    /// The surveys; deprecated in VAST 4.1.
    public internal(set) var surveys: [VASTSurvey] = []
    /// The ad categories.
    public internal(set) var categories: [VASTCategory] = []
    /// The number of seconds for which the ad is valid.
    public internal(set) var expires: Int?
}

/// The elements and attributes that only a wrapper has (VAST 4.3 §3.19).
public struct VASTWrapper: Hashable, Sendable {
    /// The URL of the next response (VAST 4.3 §3.19.1).
    public internal(set) var tagURL: URLTemplate?
    /// Whether the next response may be a wrapper; nil means true.
    public internal(set) var followsAdditionalWrappers: Bool?
    /// Whether the next response may contain several ads; nil means false.
    public internal(set) var allowsMultipleAds: Bool?
    /// Whether a stand-alone ad is tried when the next response has no ad.
    public internal(set) var fallsBackOnNoAd: Bool?
    /// The blocked ad categories (VAST 4.3 §3.19.2).
    public internal(set) var blockedCategories: [VASTCategory] = []
}

/// The name and version of an ad server (VAST 4.3 §3.4.1).
public struct VASTSystem: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The version; nil if it is absent.
    public let version: String?
}

/// A name with an id.
public struct VASTNamed: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The id; nil if it is absent.
    public let id: String?
}

/// The price of an ad (VAST 4.3 §3.4.8).
public struct VASTPricing: Hashable, Sendable {
    /// The amount.
    public let value: Double
    /// The pricing model, as in `CPM`.
    public let model: String?
    /// The currency, as a three-letter code.
    public let currency: String?
}

/// An impression tracker (VAST 4.3 §3.4.4).
public struct VASTImpression: Hashable, Sendable {
    /// The id of the server that the tracker belongs to.
    public let id: String?
    /// The URL to call.
    public let url: URLTemplate
}

/// The viewability trackers of a server (VAST 4.3 §3.5).
public struct VASTViewable: Hashable, Sendable {
    /// The id of the server that the trackers belong to.
    public internal(set) var id: String?
    /// Called when the ad was viewable.
    public internal(set) var viewable: [URLTemplate] = []
    /// Called when the ad was not viewable.
    public internal(set) var notViewable: [URLTemplate] = []
    /// Called when viewability can't be determined.
    public internal(set) var undetermined: [URLTemplate] = []
}

/// A survey about an ad (VAST 4.3 §3.4.9).
public struct VASTSurvey: Hashable, Sendable {
    /// The URL of the survey.
    public let url: URLTemplate
    /// The MIME type.
    public let type: String?
}

/// An ad category, with the authority that defines it (VAST 4.3 §3.4.5).
public struct VASTCategory: Hashable, Sendable {
    /// The category's code or name.
    public let value: String
    /// The URL of the authority.
    public let authority: String?
}

/// A verification vendor with its resources (VAST 4.3 §3.17).
public struct VASTVerification: Hashable, Sendable {
    /// A JavaScript or executable resource.
    public struct Resource: Hashable, Sendable {
        /// The URL of the resource.
        public let url: URLTemplate
        /// The API that executes it, as in `omid`.
        public let apiFramework: String?
        /// Whether it is an `<ExecutableResource>`.
        public let isExecutable: Bool
        /// The MIME type; nil if it is absent.
        public let type: String?
    }

    /// The name of the vendor.
    public internal(set) var vendor: String?
    /// The verification resources.
    public internal(set) var resources: [Resource] = []
    /// The `<VerificationParameters>`.
    public internal(set) var parameters: String?
    /// The trackers of its events (VAST 4.3 §3.17.4).
    public internal(set) var tracking: [VASTTracking] = []
    /// Whether it is inside an extension, as before VAST 4.1.
    public internal(set) var isInExtension = false
}

/// An element that VAST does not define, unchanged.
public struct VASTNode: Hashable, Sendable {
    /// The local name.
    public internal(set) var name: String
    /// The attributes in order.
    public internal(set) var attributes: [VASTAttribute] = []
    /// The text without surrounding white space.
    public internal(set) var text = ""
    /// The child elements.
    public internal(set) var children: [VASTNode] = []
}

/// An attribute of a `VASTNode`.
public struct VASTAttribute: Hashable, Sendable {
    /// The local name.
    public let name: String
    /// Its value.
    public let value: String
}
