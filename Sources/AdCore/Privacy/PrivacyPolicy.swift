/// What may leave the device: the one table that decides it, before a provider builds a request.
///
/// A condition that applies withholds its data; data that no condition withholds is sent. Unknown is not refused: an app
/// that gives no signals decides by what it provides.
package struct PrivacyPolicy: Hashable, Sendable {
    /// The decision about one piece of data.
    package struct DataUse: Hashable, Sendable {
        package let data: DeviceData
        /// The first condition that withholds it; nil if it may be sent.
        package let reason: PrivacyCondition?

        package var isAllowed: Bool { self.reason == nil }
    }

    /// The conditions that apply, in the order of their declaration.
    package let conditions: [PrivacyCondition]

    package init(_ conditions: [PrivacyCondition]) {
        self.conditions = PrivacyCondition.allCases.filter(conditions.contains)
    }

    /// The policy of a context.
    package init(_ context: AdContext) { self.init(ConsentSignals(context.consent), of: context) }

    /// The policy of a context whose consent is decoded.
    package init(_ signals: ConsentSignals, of context: AdContext) {
        let isLimited =
            context.isWithheld || context.consent.limitsTracking || context.hasPlaceholder
            || context.authorization?.limitsTracking == true
        self.init(signals.conditions + (isLimited ? [.limitsAdTracking] : []))
    }

    /// The table: the data that a condition withholds.
    package static func withheld(by condition: PrivacyCondition) -> Set<DeviceData> {
        switch condition {
        // A child's place and everything that recognizes it again are personal information (16 CFR §312.2).
        case .child, .limitsAdTracking: DeviceData.personal
        // Nothing personal; a model that the app asks the system for is access to the device (ePrivacy, Article 5(3)).
        case .unanswered, .unreadable, .gdprWithoutStorage: DeviceData.personal.union([.deviceModel])
        case .gdprWithoutAds: DeviceData.personal
        // An ad that is chosen by the content may know the region.
        case .usOptOut: DeviceData.personal.subtracting([.coarseLocation])
        case .noPreciseLocation: [.preciseLocation]
        }
    }

    /// The decision about a piece of data.
    package func use(of data: DeviceData) -> DataUse {
        DataUse(data: data, reason: self.conditions.first { Self.withheld(by: $0).contains(data) })
    }

    /// The decisions about all data, in the order of the table's rows.
    package var uses: [DataUse] { DeviceData.allCases.map(self.use) }

    /// The data that may not be sent.
    package var withheld: Set<DeviceData> {
        self.conditions.reduce(into: []) { $0.formUnion(Self.withheld(by: $1)) }
    }

    /// What a change takes back: the data that could be sent before and can't be now.
    ///
    /// Ads that are loaded and not shown, and cached offers, were chosen with it.
    package static func withdrawn(from old: PrivacyPolicy, to new: PrivacyPolicy) -> ConsentWithdrawal {
        ConsentWithdrawal(data: new.withheld.subtracting(old.withheld))
    }
}

/// What a user or the host took back while the app runs.
package struct ConsentWithdrawal: Hashable, Sendable {
    package let data: Set<DeviceData>

    /// Whether ads that are loaded and not shown, and cached offers, must be dropped.
    package var dropsLoadedAds: Bool { !self.data.isEmpty }

    /// Whether beacons that are not recorded yet must not contain the advertising identifier.
    package var hidesIdentifier: Bool { self.data.contains(.advertisingID) }
}

extension AdContext {
    /// The context with what may be sent only; every request is built from this one.
    package var permitted: AdContext { self.withholding(PrivacyPolicy(self).withheld) }

    /// Whether the identifier is what systems give in place of one: "00000000-0000-0000-0000-000000000000".
    package var hasPlaceholder: Bool {
        self.ifa.map { !$0.isEmpty && !$0.utf8.contains(where: \.isNonZeroDigitOrLetter) } ?? false
    }
}

extension UInt8 {
    /// Whether the byte is a digit other than zero or a letter: an identifier of zeros only is a placeholder.
    package var isNonZeroDigitOrLetter: Bool { self != UInt8(ascii: "0") && (self.isDigit || self.isASCIILetter) }
}
