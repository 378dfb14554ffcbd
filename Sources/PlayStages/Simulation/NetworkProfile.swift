package import WebStage

/// A simulated network, for the browser and for the requests of the runtime alike.
package struct NetworkProfile: Hashable, Sendable {
    /// The name in `--network`.
    package let name: String
    /// The name on pages.
    package let title: String
    package let network: EngineNetwork

    package static let offline = NetworkProfile(
        name: "offline",
        title: "Offline",
        network: EngineNetwork(isOffline: true)
    )

    /// The profiles, worst first; the figures are those of the presets in browsers' developer tools.
    package static let all = [
        offline,
        NetworkProfile(
            name: "slow-3g",
            title: "Slow 3G",
            network: EngineNetwork(latency: .milliseconds(2_000), download: 50_000, upload: 50_000)
        ),
        NetworkProfile(
            name: "fast-3g",
            title: "Fast 3G",
            network: EngineNetwork(latency: .milliseconds(560), download: 180_000, upload: 84_000)
        ),
        NetworkProfile(
            name: "4g",
            title: "4G",
            network: EngineNetwork(latency: .milliseconds(165), download: 1_012_500, upload: 168_750)
        ),
    ]
}
