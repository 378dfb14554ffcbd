import AdCore
import AdRuntime
import YabbiAds

/// The beacons and the dispatcher of the beacon benchmarks.
enum BenchBeacons {
    static func beacon(_ name: String, at url: HTTPURL) -> Beacon {
        let headers: AdHTTPHeaders = ["User-Agent": "Mozilla/5.0 (bench) yabbi/0.1"]
        let call = BeaconCall(.get, TrackingURL(url), headers: headers, isBilling: true)
        return Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "bench")
    }

    static func dispatcher(_ ledger: any BeaconLedger, _ transport: some Transport) -> BeaconDispatcher {
        BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: SystemClock(),
            random: { .random(in: .min ... .max) },
            observer: nil
        )
    }
}
