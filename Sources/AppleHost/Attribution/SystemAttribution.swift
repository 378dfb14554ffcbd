import AdCore

#if os(iOS)
    import Foundation
    import StoreKit
    import os
#endif
#if canImport(AdAttributionKit)
    import AdAttributionKit
#endif

extension AttributionSystem {
    /// What this system has.
    static var current: AttributionSystem {
        #if os(iOS)
            var system = AttributionSystem()
            system.hasViewThrough = true
            if #available(iOS 16.1, macCatalyst 16.1, *) { system.hasSourceIdentifiers = true }
            system.hasAdAttributionKit = self.hasAdAttributionKit
            return system
        #else
            return AttributionSystem()
        #endif
    }

    #if os(iOS)
        private static var hasAdAttributionKit: Bool {
            #if canImport(AdAttributionKit) && !targetEnvironment(macCatalyst)
                if #available(iOS 18.0, *) { return AppImpression.isSupported }
                if #available(iOS 17.4, *) { return true }
            #endif
            return false
        }
    #endif
}

#if os(iOS)
    extension SKAdImpression {
        /// Creates StoreKit's impression; nil if it is of a newer version than the system.
        convenience init?(_ impression: SKAdNetworkImpression) {
            self.init()
            self.version = impression.version
            self.adNetworkIdentifier = impression.network
            self.advertisedAppStoreItemIdentifier = NSNumber(value: impression.advertisedApp)
            self.sourceAppStoreItemIdentifier = NSNumber(value: impression.sourceApp)
            self.adImpressionIdentifier = impression.nonce
            self.timestamp = NSNumber(value: impression.timestamp)
            self.signature = impression.signature
            switch impression.campaign {
            case .identifier(let campaign): self.adCampaignIdentifier = NSNumber(value: campaign)
            case .source(let source):
                guard #available(iOS 16.1, macCatalyst 16.1, *) else { return nil }
                self.sourceIdentifier = NSNumber(value: source)
            }
        }
    }
#endif

/// Reports impressions to the system.
enum SystemAttribution {
    /// Starts an impression, waits for the end of the stream, and ends it.
    ///
    /// The system refuses an impression whose signature is wrong, whose ad network is not in `Info.plist`, or that was too
    /// short: its log says so. The ad goes on all the same, and nothing of it is billed by this.
    static func report(_ call: AttributionCall, until end: AsyncStream<Never>) async {
        do {
            switch call {
            case .skAdNetwork(let impression): try await self.report(impression, until: end)
            case .adAttributionKit(let impression): try await self.report(impression, until: end)
            }
        } catch {
            #if os(iOS)
                let text = "\(error)"
                Logger(subsystem: Bundle.main.bundleIdentifier ?? "yabbi", category: "attribution")
                    .notice("no view-through impression: \(text, privacy: .public)")
            #endif
        }
    }

    private static func report(_ impression: SKAdNetworkImpression, until end: AsyncStream<Never>) async throws {
        #if os(iOS)
            guard let signed = SKAdImpression(impression) else { return }
            // The same object starts and ends the impression.
            try await SKAdNetwork.startImpression(signed)
            for await _ in end {}
            try await SKAdNetwork.endImpression(signed)
        #endif
    }

    private static func report(_ impression: AdAttributionKitImpression, until end: AsyncStream<Never>) async throws {
        #if os(iOS) && canImport(AdAttributionKit) && !targetEnvironment(macCatalyst)
            guard #available(iOS 17.4, *) else { return }
            let signed = try await AppImpression(compactJWS: impression.compactJWS)
            try await signed.beginView()
            for await _ in end {}
            try await signed.endView()
        #endif
    }
}
