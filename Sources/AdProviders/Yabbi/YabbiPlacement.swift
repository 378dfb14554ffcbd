public import AdCore

/// The app's data in requests to YABBI.
public struct YabbiApp: Hashable, Sendable {
    /// The publisher's id from YABBI's web interface.
    public let publisherID: String
    /// The app's bundle id, as in `com.example.app`.
    public let bundle: String
    /// The app's display name.
    public let name: String

    /// Creates an app.
    public init(publisherID: String, bundle: String, name: String) {
        self.publisherID = publisherID
        self.bundle = bundle
        self.name = name
    }
}

/// A place for an ad in an app.
///
/// ```swift
/// let top: YabbiPlacement = .banner(unit: "2c5e7a9e-…")
/// let pause: YabbiPlacement = .interstitial(unit: "77aa01bc-…")
/// ```
public struct YabbiPlacement: Hashable, Sendable {
    /// The placement's id from YABBI's web interface.
    public let unitID: String
    /// The ad format.
    ///
    /// It is not sent: it selects the slot, and the type of the response is checked against it.
    public let format: AdFormat
    /// The size of the place where the ad is shown, if it is known.
    ///
    /// YABBI's own request has no field for it, so the response is checked against it. An OpenRTB request contains it.
    public let size: Size?
    /// What a rewarded ad earns where the response does not say it; it is not sent.
    public let reward: AdReward?

    private init(unitID: String, format: AdFormat, size: Size? = nil, reward: AdReward? = nil) {
        self.unitID = unitID
        self.format = format
        self.size = size
        self.reward = reward
    }

    /// A banner next to the app's content.
    public static func banner(unit: String, size: Size? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .banner, size: size)
    }

    /// A full-screen ad: HTML or video.
    public static func interstitial(unit: String, size: Size? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .interstitial, size: size)
    }

    /// A rewarded video.
    public static func rewarded(unit: String, size: Size? = nil, reward: AdReward? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .rewarded, size: size, reward: reward)
    }
}

extension YabbiPlacement {
    /// Throws an error when an id is empty.
    func check(with app: YabbiApp) throws(AdError) {
        for (id, name) in [(app.publisherID, "publisherID"), (self.unitID, "unitID")] where id.trimmed.isEmpty {
            throw AdError(.invalidRequest, "the \(name) is empty; give the one from YABBI's web interface")
        }
    }

    /// The issue for an ad that is larger than the place; a smaller ad fits.
    func sizeIssues(for requested: RequestedSize) -> [AdIssue] {
        guard let size, case .fixed(let wanted) = requested, wanted.width > size.width || wanted.height > size.height
        else {
            return []
        }
        let text = "the ad is \(wanted), but the place is \(size); the ad is scaled down when it does not fit"
        return [AdIssue("size.larger", at: .field("width"), text)]
    }
}
