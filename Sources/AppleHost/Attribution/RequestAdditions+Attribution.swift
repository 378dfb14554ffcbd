import AdCore
public import AdProviders
import Foundation
import OpenRTB

extension RequestAdditions {
    /// Tells exchanges that the app reports view-through impressions to SKAdNetwork and AdAttributionKit.
    ///
    /// Bids then may bring a signature, which `AttributionObserver` reports. The ad networks are those of the app's
    /// `Info.plist` (`SKAdNetworkItems`, `AdNetworkIdentifiers`); without any the requests say nothing, as on systems that
    /// have neither framework.
    ///
    /// ```swift
    /// var additions = RequestAdditions()
    /// additions.attributeInstalls(sourceApp: "880047117")
    /// ```
    ///
    /// - Parameter sourceApp: The app's id in the App Store, in digits; with another text the requests say nothing.
    public mutating func attributeInstalls(sourceApp: String) {
        let networks = AttributionSupport.networks(in: Bundle.main.infoDictionary ?? [:])
        self.attribution = AttributionSupport(sourceApp: sourceApp, networks: networks, on: .current)
    }
}

extension AttributionSupport {
    /// What an app can do on a system; nil if that is nothing.
    init?(sourceApp: String, networks: [String], on system: AttributionSystem) {
        guard !sourceApp.isEmpty, sourceApp.utf8.allSatisfy(\.isDigit), !networks.isEmpty, system.hasViewThrough else {
            return nil
        }
        self.init(sourceApp: sourceApp)
        self.networks = networks
        self.skAdNetworkVersions = system.versions
        self.adAttributionKitVersion = system.hasAdAttributionKit ? "1.0" : nil
    }

    /// The ids of the ad networks in an `Info.plist`, in lower case and each once.
    static func networks(in info: [String: Any]) -> [String] {
        let items = info["SKAdNetworkItems"] as? [[String: Any]] ?? []
        let older = items.compactMap { $0["SKAdNetworkIdentifier"] as? String }
        let newer = info["AdNetworkIdentifiers"] as? [String] ?? []
        var seen: Set<String> = []
        return (older + newer).map { $0.lowercased() }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
