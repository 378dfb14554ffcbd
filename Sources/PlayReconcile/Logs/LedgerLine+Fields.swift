import AdCore

extension LedgerLine {
    /// The line as texts, for a temporary file.
    var fields: [String] {
        let (code, reason) =
            switch self.state {
            case .delivered: ("d", "")
            case .unconfirmed(let reason): ("u", reason)
            case .dead(let reason): ("x", reason)
            case .pending(let reason): ("p", reason)
            }
        return [
            self.key, self.event, self.url, self.address, self.isBilling ? "1" : "", code, reason,
            String(self.attempts),
            String(self.recorded.milliseconds), self.isAtLeastOnce ? "1" : "",
        ]
    }

    /// Nil for texts that are not `fields`.
    init?(fields: ArraySlice<String>) {
        let fields = Array(fields)
        guard fields.count == 10, let attempts = Int(fields[7]), let recorded = Int64(fields[8]) else { return nil }
        let state: State
        switch fields[5] {
        case "d": state = .delivered
        case "u": state = .unconfirmed(reason: fields[6])
        case "x": state = .dead(reason: fields[6])
        default: state = .pending(reason: fields[6])
        }
        self.init(
            key: fields[0],
            event: fields[1],
            url: fields[2],
            isBilling: fields[4] == "1",
            state: state,
            attempts: attempts,
            recorded: WallTime(milliseconds: recorded),
            isAtLeastOnce: fields[9] == "1",
            address: fields[3]
        )
    }
}
