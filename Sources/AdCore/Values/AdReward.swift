/// What the user earns by watching a rewarded ad to its end, and the URL that verifies it.
///
/// A placement has its reward from the app; what the ad response says comes before it.
///
/// ```swift
/// var reward = AdReward(10, of: "coins")
/// reward.verificationURL = "https://game.example/rewards?transaction=${TRANSACTION_ID}&user=${USER_ID}"
/// let ad = try await ads.load(.rewarded(unit: "77aa01bc", reward: reward))
/// ```
public struct AdReward: Hashable, Sendable {
    /// How much the user earns; nil if it is not known.
    public var amount: AdDecimal?
    /// What the user earns, as in `coins`; nil if it is not known.
    public var type: String?
    /// A URL that is called once when the user earns the reward, so that a server can grant it; nil for none.
    ///
    /// `${TRANSACTION_ID}`, `${USER_ID}`, `${CUSTOM_DATA}`, `${REWARD_AMOUNT}` and `${REWARD_TYPE}` are replaced by
    /// their values, percent-encoded; a value that is not known, or that the consent withholds, is empty.
    public var verificationURL: String?
    /// Identifies this one reward, so that a server can refuse a second use; nil before the ad is loaded.
    public package(set) var transactionID: String?

    /// Creates a reward; what is not given is not known.
    public init(_ amount: AdDecimal? = nil, of type: String? = nil) {
        self.amount = amount
        self.type = type
    }

    /// The members of the event `rewarded`.
    package var members: [AdJSON.Member] {
        [
            .init("amount", self.amount.map(AdJSON.decimal) ?? .null), .init("type", .text(self.type)),
            .init("transaction", .text(self.transactionID)),
        ]
    }

    /// The values of this reward, and those of the placement where it has none.
    package func completed(by placement: AdReward) -> AdReward {
        var reward = self
        reward.amount = self.amount ?? placement.amount
        reward.type = self.type ?? placement.type
        reward.verificationURL = self.verificationURL ?? placement.verificationURL
        return reward
    }
}

/// Who earns a reward, for the server that verifies it.
package struct RewardUser: Hashable, Sendable {
    /// The app's id of the user.
    package let id: String?
    /// Data of the app, passed on unchanged.
    package let customData: String?

    package init(id: String? = nil, customData: String? = nil) {
        self.id = id
        self.customData = customData
    }
}

extension AdReward {
    /// A URL with the macros of rewards replaced.
    package func filling(_ url: String, for user: RewardUser) -> String {
        let values: KeyValuePairs = [
            "${TRANSACTION_ID}": self.transactionID, "${USER_ID}": user.id, "${CUSTOM_DATA}": user.customData,
            "${REWARD_AMOUNT}": self.amount?.description, "${REWARD_TYPE}": self.type,
        ]
        // A value is encoded, so it contains no macro that a later pass would replace.
        return values.reduce(url) { $0.replacing($1.key, by: PercentEncoding.component($1.value ?? "")) }
    }
}
