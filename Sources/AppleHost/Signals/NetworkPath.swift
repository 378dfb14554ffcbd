import AdCore

/// What the system says about the way to the network (`NWPath`).
struct NetworkPath: Hashable, Sendable {
    /// Whether there is a way, or one that a connection opens, as with a VPN on demand.
    var isUsable: Bool
    /// Whether it is a mobile network.
    var usesCellular: Bool
    /// Whether it is Wi-Fi or a cable.
    var usesLocalNetwork: Bool
    /// Whether it may cost the user money.
    var isExpensive: Bool

    /// The kind of network; of others, as of a VPN whose way is unknown, the price decides.
    var kind: NetworkKind {
        guard self.isUsable else { return .offline }
        if self.usesCellular { return .cellular }
        // The hotspot of a telephone is Wi-Fi.
        if self.usesLocalNetwork { return .wifi }
        return self.isExpensive ? .cellular : .wifi
    }
}
