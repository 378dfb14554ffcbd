/// A piece of data that an ad request or a tracker may contain: a row of the privacy table.
package enum DeviceData: String, CaseIterable, Hashable, Sendable {
    case advertisingID, preciseLocation, coarseLocation, deviceModel, userAgent, userData, consentSignals

    /// What identifies or locates the user.
    package static let personal: Set<DeviceData> = [.advertisingID, .preciseLocation, .coarseLocation, .userData]

    /// The name in text.
    package var label: String {
        switch self {
        case .advertisingID: "advertising identifier"
        case .preciseLocation: "precise location"
        case .coarseLocation: "coarse location"
        case .deviceModel: "device model and system"
        case .userAgent: "user agent"
        case .userData: "user id and custom data"
        case .consentSignals: "consent strings"
        }
    }
}

/// Why data may not be sent: a column of the privacy table, in the order in which reasons are given.
package enum PrivacyCondition: String, CaseIterable, Hashable, Sendable {
    /// COPPA applies, or a GPP section says that the user is a known child.
    case child
    /// The host withholds, the user has not allowed the app to track, or the advertising identifier is all zeros.
    case limitsAdTracking
    /// The consent management platform did not answer in time.
    case unanswered
    /// A consent signal applies and can't be read.
    case unreadable
    case gdprWithoutStorage, gdprWithoutAds
    /// Opt-out of sale, sharing or targeted advertising, or the Global Privacy Control.
    case usOptOut
    /// The TCF's special feature 1 is off, or a GPP section says that a precise location was refused.
    case noPreciseLocation

    /// The name in text.
    package var label: String {
        switch self {
        case .child: "child"
        case .limitsAdTracking: "ad tracking limited"
        case .unanswered: "consent not answered"
        case .unreadable: "consent unreadable"
        case .gdprWithoutStorage: "GDPR without purpose 1"
        case .gdprWithoutAds: "GDPR without purposes 2, 3 and 4"
        case .usOptOut: "US opt-out"
        case .noPreciseLocation: "precise location refused"
        }
    }
}
