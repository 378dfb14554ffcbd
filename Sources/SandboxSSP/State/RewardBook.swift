import AdCore
import LoopbackServer

/// The transactions whose reward was given, as the server of an app keeps them.
///
/// A transaction is used once. The same call again, with the same `Idempotency-Key`, is the beacon that was retried, and
/// is accepted; another call with the transaction is refused.
struct RewardBook {
    private static let limit = 100_000
    private var used: [String: String] = [:]

    /// Why a reward is refused.
    enum Refusal: Hashable {
        case used
        case full
    }

    /// Gives the reward of a transaction; returns nil, or why it is refused.
    mutating func use(_ transaction: String, key: String?) -> Refusal? {
        if let first = self.used[transaction] { return key == first && !first.isEmpty ? nil : .used }
        guard self.used.count < Self.limit else { return .full }
        self.used[transaction] = key ?? ""
        return nil
    }

    /// Verifies a reward, as the server of an app does.
    static let endpoint = Endpoint(
        path: .exact("/reward"),
        methods: ["GET", "POST"],
        about: "verifies a reward (transaction, user, data, amount, type); a second use of a transaction is refused",
        billed: .tracker
    ) { request, state in
        guard let transaction = request.queryValue("transaction"), !transaction.isEmpty else {
            return .failure(
                400,
                "the query field \"transaction\" is missing; give ${TRANSACTION_ID}",
                field: "transaction"
            )
        }
        guard transaction.utf8.count <= 200 else {
            return .failure(400, "\"transaction\" is longer than 200 bytes", field: "transaction")
        }
        switch state.rewards.use(transaction, key: request.headers["idempotency-key"]) {
        case nil: return .json(["transaction": .string(transaction), "accepted": true])
        case .used: return .failure(409, "the transaction was used before", field: "transaction")
        case .full: return .failure(503, "too many transactions are stored; POST /sandbox/reset")
        }
    }
}
