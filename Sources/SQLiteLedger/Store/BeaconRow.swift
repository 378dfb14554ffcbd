package import AdCore

/// The columns of a row of any database, numbered from 0.
package protocol LedgerColumns {
    /// An integer; nil for another type.
    func int(_ column: Int32) -> Int64?
    /// A text; nil for another type or invalid UTF-8.
    func text(_ column: Int32) -> String?
    /// Whether there is no value.
    func isNull(_ column: Int32) -> Bool
    /// Calls a closure with bytes; nil for another type.
    func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> R?) -> R?
}

extension Statement: LedgerColumns {}

/// One row of the `beacon` table; unreadable columns are replaced by defaults and listed.
package struct BeaconRow {
    /// Its number.
    package let number: Int64
    /// The beacon.
    package let beacon: Beacon
    let state: StateCode?
    let moment: WallTime
    /// The number of attempts.
    package let attempts: Int
    /// When it was recorded.
    package let recorded: WallTime
    let reason: String?
    /// Whether an earlier claim ended without an outcome.
    package let wasInterrupted: Bool
    /// The columns with values that this code never writes.
    let unreadable: [String]

    /// The columns in the order in which `init` reads them.
    package static let columns = """
        id, state, billing, moment, attempts, in_doubt, recorded, key, ad, event, provider, method, verdict, doubt, \
        url, headers, secrets, reason, body
        """

    /// Reads the columns of a row.
    package init(_ row: some LedgerColumns) {
        var columns = ColumnReader(row)
        self.number = row.int(0) ?? 0
        self.state = columns.state()
        let isBilling = columns.read("billing", row.int(2), instead: 0) != 0
        self.moment = WallTime(milliseconds: columns.read("moment", row.int(3), instead: 0))
        let attempts = row.int(4).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
        self.attempts = Int(columns.read("attempts", attempts, instead: 0))
        self.wasInterrupted = columns.read("in_doubt", row.int(5), instead: 1) != 0
        self.recorded = WallTime(milliseconds: columns.read("recorded", row.int(6), instead: 0))
        let key = columns.key()
        let provider = ProviderName(columns.read("provider", row.text(10), instead: "unreadable"))
        let call = columns.call(
            isBilling: isBilling,
            uncallableReason: self.state == .dead && !row.isNull(17) ? row.text(17) : nil
        )
        self.reason = row.isNull(17) ? nil : columns.read("reason", row.text(17), instead: "")
        self.beacon = Beacon(key, call, of: provider)
        self.unreadable = columns.unreadable
    }

    /// Why a row with unreadable columns is dead; nil if there are none.
    package var unreadableReason: String? {
        guard !self.unreadable.isEmpty else { return nil }
        let columns = self.unreadable.joined(separator: ", ")
        return "its row in the ledger can't be read (\(columns))"
    }

    /// The row as an entry of the ledger.
    package var entry: LedgerEntry {
        LedgerEntry(
            self.beacon,
            number: self.number,
            state: self.entryState,
            attempts: self.attempts,
            recorded: self.recorded,
            wasInterrupted: self.wasInterrupted
        )
    }

    private var entryState: LedgerEntry.State {
        if let unreadableReason { return .dead(reason: unreadableReason) }
        switch self.state {
        case .pending: return .pending(nextTry: self.moment, reason: self.reason)
        case .inFlight: return .inFlight(until: self.moment)
        case .delivered: return .delivered
        case .unconfirmed: return .unconfirmed(reason: self.reason ?? "")
        case .dead, nil: return .dead(reason: self.reason ?? "")
        }
    }
}

/// Reads the columns of a row, and lists the unreadable ones.
private struct ColumnReader<Row: LedgerColumns> {
    private let row: Row
    private(set) var unreadable: [String] = []

    init(_ row: Row) { self.row = row }

    mutating func read<Value>(_ column: String, _ value: Value?, instead: @autoclosure () -> Value) -> Value {
        if let value { return value }
        self.unreadable.append(column)
        return instead()
    }

    mutating func state() -> StateCode? {
        let state = self.row.int(1).flatMap { StateCode(rawValue: $0) }
        if state == nil { self.unreadable.append("state") }
        return state
    }

    mutating func key() -> BeaconKey {
        let ad = AdID(self.read("ad", self.row.text(8), instead: "unreadable"))
        let event = BeaconEvent(self.read("event", self.row.text(9), instead: "unreadable"))
        let key = self.row.text(7).flatMap { Self.key($0, ad, event) }
        let unreadable = BeaconKey(ad: ad, event: event, providerKey: "unreadable/\(self.row.int(0) ?? 0)")
        return self.read("key", key, instead: unreadable)
    }

    /// The call, with the reason for which its address can't be called.
    mutating func call(isBilling: Bool, uncallableReason: String?) -> BeaconCall {
        let row = self.row
        let method = self.read("method", row.int(11).flatMap { AdHTTPRequest.Method(code: $0) }, instead: .get)
        let successRule = self.read(
            "verdict",
            row.int(12).flatMap { BeaconCall.SuccessRule(code: $0) },
            instead: .success
        )
        let guarantee = self.read("doubt", row.int(13).flatMap { DeliveryGuarantee(code: $0) }, instead: .atMostOnce)
        let address = self.read(
            "url",
            row.text(14).flatMap { Self.address($0, uncallableReason) },
            instead: .uncallable(UncallableAddress("", "it can't be read"))
        )
        let headers =
            row.isNull(15)
            ? AdHTTPHeaders()
            : self.read("headers", row.withBlob(15) { FieldBytes.headers($0) }, instead: AdHTTPHeaders())
        let secrets =
            row.isNull(16) ? [] : self.read("secrets", row.withBlob(16) { FieldBytes.secrets($0) }, instead: [])
        let body = row.isNull(18) ? nil : Optional(self.read("body", row.withBlob(18) { Array($0) }, instead: []))
        return BeaconCall(
            method,
            address,
            headers: headers,
            secrets: secrets,
            body: body,
            successRule: successRule,
            guarantee: guarantee,
            isBilling: isBilling
        )
    }

    /// The address in its stored form; nil if parsing would change it, unless it was recorded as uncallable.
    private static func address(_ text: String, _ reason: String?) -> BeaconAddress? {
        if let reason, let address = BeaconAddress(text: text, uncallableReason: reason) { return address }
        guard let url = TrackingURL(text), url.http.text == text else { return nil }
        return .callable(url)
    }

    /// The key in its stored form; nil if parsing would change it, because its row would not be found again.
    private static func key(_ text: String, _ ad: AdID, _ event: BeaconEvent) -> BeaconKey? {
        let key = BeaconKey(ad: ad, event: event, providerKey: text)
        return key.text == text ? key : nil
    }
}
