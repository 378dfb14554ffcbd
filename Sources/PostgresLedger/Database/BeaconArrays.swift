import AdCore
import PostgresClient
import SQLiteLedger

/// Beacons as the array parameters of `LedgerSQL.record` and `LedgerSQL.carry`: one array for each column.
struct BeaconArrays {
    private var codes: [Int64?] = []
    private var keys: [String?] = []
    private var ads: [String?] = []
    private var events: [String?] = []
    private var providers: [String?] = []
    private var origins: [String?] = []
    private var urls: [String?] = []
    private var headers: [[UInt8]?] = []
    private var secrets: [[UInt8]?] = []
    private var bodies: [[UInt8]?] = []
    private var reasons: [String?] = []
    private var encoded = EncodedHeaders()

    /// Adds a new beacon; one with an invalid address is dead from the start.
    mutating func add(_ beacon: Beacon) {
        let reason = beacon.call.address.uncallableReason
        self.add(beacon, reason == nil ? .pending : .dead, reason: reason)
    }

    /// Adds a beacon with its state in another ledger.
    mutating func add(_ beacon: Beacon, _ state: StateCode, reason: String?) {
        let call = beacon.call
        self.codes.append(BeaconArrays.code(call, state))
        self.keys.append(beacon.key.text)
        self.ads.append(beacon.key.ad.rawValue)
        self.events.append(beacon.key.event.rawValue)
        self.providers.append(beacon.provider.rawValue)
        self.origins.append(call.address.origin)
        self.urls.append(call.address.text)
        self.encoded.encode(call.headers)
        self.headers.append(self.encoded.bytes.isEmpty ? nil : self.encoded.bytes)
        self.secrets.append(call.secrets.isEmpty ? nil : FieldBytes.encode(call.secrets))
        self.bodies.append(call.body)
        self.reasons.append(reason)
    }

    /// The small columns of a beacon as the bits of one number.
    private static func code(_ call: BeaconCall, _ state: StateCode) -> Int64 {
        state.rawValue | (call.isBilling ? 8 : 0) | call.method.code << 4 | call.successRule.code << 6
            | call.guarantee.code << 9
    }

    /// The parameters from `$3` on.
    ///
    /// A column without values is an empty array: `unnest` fills it with NULL.
    var values: [PostgresValue] {
        func blobs(_ column: [[UInt8]?]) -> PostgresValue { .blobs(column.contains { $0 != nil } ? column : []) }
        return [
            .ints(self.codes), .texts(self.keys), .texts(self.ads), .texts(self.events), .texts(self.providers),
            .texts(self.origins), .texts(self.urls), blobs(self.headers), blobs(self.secrets), blobs(self.bodies),
            .texts(self.reasons.contains { $0 != nil } ? self.reasons : []),
        ]
    }
}
