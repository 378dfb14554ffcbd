package import AdCore

/// Beacons and times for tests of ledgers.
package protocol TestBeacons {}

extension TestBeacons {
    /// The time at which tests begin.
    package static var start: WallTime { WallTime(milliseconds: 1_700_000_000_000) }

    /// A time that many seconds after the begin.
    package static func at(_ seconds: Int64) -> WallTime { self.start + .seconds(seconds) }

    /// A beacon for a host.
    package static func beacon(
        _ name: String,
        to host: String = "t.example",
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        isBilling: Bool = false
    ) -> Beacon {
        guard let url = TrackingURL("https://\(host)/\(name)") else { preconditionFailure("No address: \(host)") }
        let call = BeaconCall(.get, url, headers: headers, secrets: secrets, body: body, isBilling: isBilling)
        return Beacon(BeaconKey(ad: AdID("ad"), event: "view", providerKey: name), call, of: "test")
    }

    /// A beacon for an address, valid or not.
    package static func beacon(_ name: String, address: BeaconAddress) -> Beacon {
        Beacon(
            BeaconKey(ad: AdID("ad"), event: "view", providerKey: name),
            BeaconCall(.get, address, isBilling: true),
            of: "test"
        )
    }

    /// Beacons for a host.
    package static func beacons(_ names: [String], to host: String = "t.example", isBilling: Bool = false) -> [Beacon] {
        names.map { self.beacon($0, to: host, isBilling: isBilling) }
    }
}

extension BeaconClaim {
    /// The keys of the claimed beacons.
    package var keys: [String] { self.beacons.map(\.beacon.key.text) }
}

extension BeaconLedger {
    /// The states by key.
    package func states() async throws(LedgerError) -> [String: LedgerEntry.State] {
        Dictionary(uniqueKeysWithValues: try await self.entries().map { ($0.beacon.key.text, $0.state) })
    }
}
