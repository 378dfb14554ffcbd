public import AdCore

/// An ad response after IAB's VAST, versions 2.0 to 4.3, one value for each element.
///
/// What could be understood is here, what was repaired or left out is an issue with its line, and one bad ad never costs
/// the others. Addresses are templates: their macros are filled in when they are called.
///
/// ```swift
/// let document = try VASTDocument(parsing: bytes)
/// for ad in document.ads { print(ad.id ?? "-", ad.creatives.count) }
/// ```
public struct VASTDocument: Hashable, Sendable {
    /// The version as it is written; nil if none is.
    public internal(set) var version: String?
    /// Called when there is no ad to show, with the error code in place of its macro.
    public internal(set) var errorURLs: [URLTemplate] = []
    /// The ads in the order of the document.
    public internal(set) var ads: [VASTAd] = []
    /// Ads that could not be read, with their error URLs.
    public internal(set) var broken: [VASTBrokenAd] = []
    /// What was repaired, or is wrong and was left out.
    public internal(set) var issues: [AdIssue] = []

    init() {}

    /// What a server means that sends nothing.
    package static let empty = VASTDocument()
}

/// An ad that was left out because it could not be read.
public struct VASTBrokenAd: Hashable, Sendable {
    /// The code that is reported: 101 where it breaks the schema, 100 where the XML around it does not end.
    public let code: Int
    /// What is wrong with it, and what to do.
    public let reason: String
    /// Called because of that.
    public let errors: [URLTemplate]
    /// The line of the fault.
    public let line: Int
}

/// Why a document holds no VAST: the code that is reported for it, and where.
public struct VASTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of the VAST specification: 100 where it is no XML, 101 where it is none of VAST's, 102 where its version
    /// can't be read.
    public let code: Int
    /// What happened and what to do, in one sentence.
    public let message: String
    /// The line, counted from 1, where there is one.
    public let line: Int?
    /// The number of wrappers around the document; 0 for the first.
    public private(set) var wrapperDepth = 0

    package init(_ code: Int, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }

    /// The same, found behind so many wrappers.
    func behind(_ wrappers: Int) -> VASTError {
        var error = self
        error.wrapperDepth = wrappers
        return error
    }

    /// Where it is, for an issue.
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

/// One ad: a creative to play, or where to ask for it.
public struct VASTAd: Hashable, Sendable {
    /// What the ad is.
    public enum Kind: Hashable, Sendable {
        /// It brings its creatives.
        case inline(VASTInline)
        /// It names another response, and what to call besides.
        case wrapper(VASTWrapper)
    }

    /// The ad server's name for it.
    public internal(set) var id: String?
    /// Its place in a pod, from 1; nil if it is a stand-alone ad.
    public internal(set) var sequence: Int?
    /// `video`, `audio` or `hybrid`, if it is given.
    public internal(set) var adType: String?
    /// Whether it is only to be bought under a condition that a script decides; deprecated since 4.1.
    public internal(set) var isConditional: Bool?
    /// What it is.
    public internal(set) var kind = Kind.inline(VASTInline())
    /// The system that sent it.
    public internal(set) var system: VASTSystem?
    /// What it is called by the exchange that sold it.
    public internal(set) var servingID: String?
    /// The price.
    public internal(set) var pricing: VASTPricing?
    /// Called when its first frame is shown.
    public internal(set) var impressions: [VASTImpression] = []
    /// Called when something fails.
    public internal(set) var errors: [URLTemplate] = []
    /// Called when it is known whether it could be seen.
    public internal(set) var viewable: [VASTViewable] = []
    /// The verification vendors (VAST 4.3 §3.16).
    public internal(set) var verifications: [VASTVerification] = []
    /// What the ad server adds of its own.
    public internal(set) var extensions: [VASTNode] = []
    /// What is played, and what is shown beside it.
    public internal(set) var creatives: [VASTCreative] = []
    /// The line where it begins.
    public internal(set) var line = 0

    init() {}

    /// Its content as an inline ad.
    public var inline: VASTInline? { if case .inline(let inline) = self.kind { inline } else { nil } }
    /// Its content as a wrapper.
    public var wrapper: VASTWrapper? { if case .wrapper(let wrapper) = self.kind { wrapper } else { nil } }
}

/// What only an inline ad has.
public struct VASTInline: Hashable, Sendable {
    /// The ad's name.
    public internal(set) var title: String?
    /// What it is about.
    public internal(set) var description: String?
    /// Whose ad it is.
    public internal(set) var advertiser: VASTNamed?
    /// Where a survey about it is; deprecated since 4.1.
    public internal(set) var surveys: [VASTSurvey] = []
    /// What kind of product it is for.
    public internal(set) var categories: [VASTCategory] = []
    /// For how many seconds it may be kept.
    public internal(set) var expires: Int?
}

/// What only a wrapper has.
public struct VASTWrapper: Hashable, Sendable {
    /// Where the other response is.
    public internal(set) var tagURL: URLTemplate?
    /// Whether the other response may be a wrapper again; nil if nothing is said, which means that it may.
    public internal(set) var followsAdditionalWrappers: Bool?
    /// Whether the other response may bring several ads; nil if nothing is said, which means that it may not.
    public internal(set) var allowsMultipleAds: Bool?
    /// Whether another ad is tried where the other response has none.
    public internal(set) var fallsBackOnNoAd: Bool?
    /// What kinds of product may not be shown.
    public internal(set) var blockedCategories: [VASTCategory] = []
}

/// A system's name and version.
public struct VASTSystem: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The version, if it is given.
    public let version: String?
}

/// A name, and an id beside it.
public struct VASTNamed: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The id, where there is one.
    public let id: String?
}

/// What an ad costs.
public struct VASTPricing: Hashable, Sendable {
    /// The price.
    public let value: Double
    /// What it is paid for, as in `cpm`.
    public let model: String?
    /// The currency's three letters.
    public let currency: String?
}

/// One address that counts the ad.
public struct VASTImpression: Hashable, Sendable {
    /// Whose it is.
    public let id: String?
    /// Where it is.
    public let url: URLTemplate
}

/// The viewability trackers (VAST 4.3, "ViewableImpression").
public struct VASTViewable: Hashable, Sendable {
    /// Whose it is.
    public internal(set) var id: String?
    /// Called when it could.
    public internal(set) var viewable: [URLTemplate] = []
    /// Called when it could not.
    public internal(set) var notViewable: [URLTemplate] = []
    /// Called when viewability cannot be determined.
    public internal(set) var undetermined: [URLTemplate] = []
}

/// A survey about an ad.
public struct VASTSurvey: Hashable, Sendable {
    /// Where it is.
    public let url: URLTemplate
    /// Its type.
    public let type: String?
}

/// A category, with the authority that defines it.
public struct VASTCategory: Hashable, Sendable {
    /// The category's code or name.
    public let value: String
    /// The URL of the authority.
    public let authority: String?
}

/// A verification vendor with its resources (VAST 4.3 §3.16).
public struct VASTVerification: Hashable, Sendable {
    /// A script or a program.
    public struct Resource: Hashable, Sendable {
        /// Where it is.
        public let url: URLTemplate
        /// What runs it, as in `omid`.
        public let apiFramework: String?
        /// Whether it is a program and not a script.
        public let isExecutable: Bool
        /// Its type, if it is given.
        public let type: String?
    }

    /// The vendor.
    public internal(set) var vendor: String?
    /// What measures.
    public internal(set) var resources: [Resource] = []
    /// What it is given.
    public internal(set) var parameters: String?
    /// Called when it could not run.
    public internal(set) var tracking: [VASTTracking] = []
    /// Whether it is in an extension, as before 4.1.
    public internal(set) var isInExtension = false
}

/// An element that VAST does not define, unchanged.
public struct VASTNode: Hashable, Sendable {
    /// Its name without a prefix.
    public internal(set) var name: String
    /// Its attributes in order.
    public internal(set) var attributes: [VASTAttribute] = []
    /// Its text without the white space around it.
    public internal(set) var text = ""
    /// The elements inside.
    public internal(set) var children: [VASTNode] = []
}

/// An attribute of an element that is kept as it is.
public struct VASTAttribute: Hashable, Sendable {
    /// Its name without a prefix.
    public let name: String
    /// Its value.
    public let value: String
}
