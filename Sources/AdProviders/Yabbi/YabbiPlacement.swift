public import AdCore

/// The app that asks, as YABBI knows it.
public struct YabbiApp: Hashable, Sendable {
    /// The publisher's id, from YABBI's web interface.
    public let publisherID: String
    /// The app's technical name: `com.example.app`.
    public let bundle: String
    /// The app's name as people read it.
    public let name: String

    /// An app.
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
    /// The placement's id, from YABBI's web interface.
    public let unitID: String
    /// What the app wants there.
    ///
    /// It stays on our side: it chooses the slot and checks the answer.
    public let format: AdFormat
    /// The size of the future show, where the app knows it.
    ///
    /// YABBI's own request has no field for it: it is held against the answer. An exchange is told it.
    public let size: Size?

    private init(unitID: String, format: AdFormat, size: Size? = nil) {
        self.unitID = unitID
        self.format = format
        self.size = size
    }

    /// A banner beside the app's content.
    public static func banner(unit: String, size: Size? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .banner, size: size)
    }

    /// HTML or a video over the whole screen.
    public static func interstitial(unit: String, size: Size? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .interstitial, size: size)
    }

    /// A video that rewards watching it to the end.
    public static func rewarded(unit: String, size: Size? = nil) -> YabbiPlacement {
        YabbiPlacement(unitID: unit, format: .rewarded, size: size)
    }
}

extension YabbiPlacement {
    /// Refuses ids that no server can know.
    func check(with app: YabbiApp) throws(AdError) {
        for (id, name) in [(app.publisherID, "publisherID"), (self.unitID, "unitID")] where id.trimmed.isEmpty {
            throw AdError(.invalidRequest, "the \(name) is empty; give the one from YABBI's web interface")
        }
    }

    /// What is to be said of an ad that needs more room than the app has announced; a smaller one fits.
    func misfit(of answer: RequestedSize) -> [AdIssue] {
        guard let size, case .fixed(let wanted) = answer, wanted.width > size.width || wanted.height > size.height
        else {
            return []
        }
        let text = "the ad is \(wanted), and was loaded for \(size); where there is no more room it is scaled down"
        return [AdIssue("size.larger", at: .field("width"), text)]
    }
}
