#if canImport(UIKit)
    public import AdCore
    public import AdRuntime
    import AdSupport
    import AppTrackingTransparency
    import Foundation
    import UIKit
    public import YabbiFoundation

    extension ContextSource {
        /// What Apple's systems say about the device and the user, at each request.
        ///
        /// - The User-Agent is that of a web view, which is asked once; tvOS has none.
        /// - The advertising identifier is asked for only if the user has allowed the app to track
        ///   (`ATTrackingManager`). If not, nothing personal is sent, whatever the consent is. The app asks the user
        ///   itself, when that suits its screens.
        /// - The consent is that which a consent management platform stores in the user defaults.
        ///
        /// The first request waits for the web view, at most a second; make the source when the app starts.
        ///
        /// - Parameters:
        ///   - known: What the app knows itself, which replaces what the system says.
        ///   - consent: The consent. Without a platform nothing is stored, and nothing personal is sent: an app that
        ///     needs none passes nil.
        /// - Returns: The source for `AdServices`.
        @MainActor public static func apple(
            known: AdContext = AdContext(),
            consent: ConsentSource? = ConsentSource(reading: UserDefaultsStore())
        ) -> ContextSource {
            var known = known
            known.device = AppleDevice.current.completing(known.device)
            var userAgent: (@Sendable () async -> String?)?
            if known.userAgent == nil {
                let answer = Task { await WebViewUserAgent.ask() }
                userAgent = { await answer.value }
            }
            var source = ContextSource(
                known: known,
                ifa: {
                    guard ATTrackingManager.trackingAuthorizationStatus == .authorized else { return nil }
                    return ASIdentifierManager.shared().advertisingIdentifier.uuidString
                },
                userAgent: userAgent,
                consent: consent,
                timeout: .seconds(1)
            )
            source.authorization = { TrackingAuthorization(ATTrackingManager.trackingAuthorizationStatus) }
            return source
        }
    }

    extension TrackingAuthorization {
        /// A status that is not known yet is no consent.
        fileprivate init(_ status: ATTrackingManager.AuthorizationStatus) {
            switch status {
            case .notDetermined: self = .notDetermined
            case .denied: self = .denied
            case .authorized: self = .authorized
            default: self = .restricted
            }
        }
    }

    extension AppleDevice {
        @MainActor fileprivate static var current: AppleDevice {
            let device = UIDevice.current
            let screen = UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.screen }.first
            return AppleDevice(
                systemName: device.systemName,
                systemVersion: device.systemVersion,
                model: device.model,
                screen: screen.map { Size(width: Double($0.bounds.width), height: Double($0.bounds.height)) },
                scale: screen.map { Double($0.scale) },
                languages: Locale.preferredLanguages
            )
        }
    }
#endif
