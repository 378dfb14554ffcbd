/// The claims of a worker whose answers were lost: the server may have executed them, or may still do so.
///
/// A connection can break, or be given up, while its last statements run or wait for a lock. What they claim afterwards
/// has no worker; it is given back with each later claim, until the server can't execute them any more.
struct LostClaims {
    private var claims: [(number: Int64, until: ContinuousClock.Instant)] = []

    /// Longer than the server takes for the statements of a claim, each of which has a limit (`QueueTables.settings`).
    static let longestStatements = Duration.seconds(120)
    private static let maximum = 100

    /// The numbers of the claims.
    var numbers: [Int64] { self.claims.map(\.number) }

    /// The answer of a claim was lost.
    mutating func add(_ number: Int64, at now: ContinuousClock.Instant) {
        guard self.claims.count < LostClaims.maximum else { return }
        self.claims.append((number, now + LostClaims.longestStatements))
    }

    /// They were given back: the server can't execute the oldest ones any more, which are forgotten.
    mutating func gaveBack(at now: ContinuousClock.Instant) { self.claims.removeAll { $0.until < now } }
}
