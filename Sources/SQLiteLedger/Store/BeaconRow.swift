import AdCore

/// One row of the `beacon` table; unreadable columns are replaced by defaults and listed.
struct BeaconRow {
    let number: Int64
    let beacon: Beacon
    let state: StateCode?
    let moment: WallTime
    let attempts: Int
    let recorded: WallTime
    let reason: String?
    let isUnconfirmed: Bool
    /// The columns with values that this code never writes.
    let unreadable: [String]

    /// The columns in the order in which `init` reads them.
    static let columns = """
        id, state, billing, moment, attempts, in_doubt, recorded, key, ad, event, provider, method, verdict, doubt, \
        url, headers, secrets, reason, body
        """

    init(_ row: Statement) {
        var unreadable: [String] = []
        func read<Value>(_ column: String, _ value: Value?, instead: @autoclosure () -> Value) -> Value {
            if let value { return value }
            unreadable.append(column)
            return instead()
        }

        self.number = row.int(0) ?? 0
        let state = row.int(1).flatMap { StateCode(rawValue: $0) }
        if state == nil { unreadable.append("state") }
        self.state = state
        let isBilling = read("billing", row.int(2), instead: 0) != 0
        self.moment = WallTime(milliseconds: read("moment", row.int(3), instead: 0))
        self.attempts = Int(
            read("attempts", row.int(4).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }, instead: 0)
        )
        self.isUnconfirmed = read("in_doubt", row.int(5), instead: 1) != 0
        self.recorded = WallTime(milliseconds: read("recorded", row.int(6), instead: 0))
        let ad = AdID(read("ad", row.text(8), instead: "unreadable"))
        let event = BeaconEvent(read("event", row.text(9), instead: "unreadable"))
        let key = read(
            "key",
            row.text(7).flatMap { BeaconRow.key($0, ad, event) },
            instead: BeaconKey(ad: ad, event: event, providerKey: "unreadable/\(row.int(0) ?? 0)")
        )
        let provider = ProviderName(read("provider", row.text(10), instead: "unreadable"))
        let method = read("method", row.int(11).flatMap { AdHTTPRequest.Method(code: $0) }, instead: .get)
        let verdict = read("verdict", row.int(12).flatMap { BeaconCall.Verdict(code: $0) }, instead: .success)
        let guarantee = read("doubt", row.int(13).flatMap { DeliveryGuarantee(code: $0) }, instead: .atMostOnce)
        let fault = state == .dead && !row.isNull(17) ? row.text(17) : nil
        let address = read(
            "url",
            row.text(14).flatMap { BeaconRow.address($0, fault) },
            instead: .uncallable(UncallableAddress("", "it can't be read"))
        )
        let headers =
            row.isNull(15)
            ? AdHTTPHeaders() : read("headers", row.withBlob(15) { FieldBytes.headers($0) }, instead: AdHTTPHeaders())
        let secrets = row.isNull(16) ? [] : read("secrets", row.withBlob(16) { FieldBytes.secrets($0) }, instead: [])
        self.reason = row.isNull(17) ? nil : read("reason", row.text(17), instead: "")
        let body = row.isNull(18) ? nil : Optional(read("body", row.withBlob(18) { Array($0) }, instead: []))

        let call = BeaconCall(
            method,
            address,
            headers: headers,
            secrets: secrets,
            body: body,
            verdict: verdict,
            guarantee: guarantee,
            isBilling: isBilling
        )
        self.beacon = Beacon(key, call, of: provider)
        self.unreadable = unreadable
    }

    /// The address in its stored form; nil if parsing would change it, unless it was recorded as uncallable.
    private static func address(_ text: String, _ fault: String?) -> BeaconAddress? {
        if let fault, let address = BeaconAddress(text: text, fault: fault) { return address }
        guard let url = TrackingURL(text), url.http.text == text else { return nil }
        return .callable(url)
    }

    /// The key in its stored form; nil if parsing would change it, because its row would not be found again.
    private static func key(_ text: String, _ ad: AdID, _ event: BeaconEvent) -> BeaconKey? {
        let key = BeaconKey(ad: ad, event: event, providerKey: text)
        return key.text == text ? key : nil
    }

    /// Why a row with unreadable columns is dead; nil if there are none.
    var fault: String? {
        guard !self.unreadable.isEmpty else { return nil }
        let columns = self.unreadable.joined(separator: ", ")
        return "its row in the ledger can't be read (\(columns))"
    }

    var entry: LedgerEntry {
        LedgerEntry(
            self.beacon,
            number: self.number,
            state: self.entryState,
            attempts: self.attempts,
            recorded: self.recorded,
            isUnconfirmed: self.isUnconfirmed
        )
    }

    private var entryState: LedgerEntry.State {
        if let fault { return .dead(reason: fault) }
        switch self.state {
        case .waiting: return .recorded(nextTry: self.moment, reason: self.reason)
        case .inFlight: return .inFlight(until: self.moment)
        case .delivered: return .delivered
        case .unconfirmed: return .unconfirmed(reason: self.reason ?? "")
        case .dead, nil: return .dead(reason: self.reason ?? "")
        }
    }
}
