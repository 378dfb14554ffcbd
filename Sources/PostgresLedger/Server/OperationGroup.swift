import AdCore
import PostgresClient
import SQLiteLedger

/// Operations that are done in one transaction and one exchange of messages.
///
/// Recordings become one statement, outcomes another one; there is at most one claim, and only one outcome for each
/// beacon. All of them are waited for at the same time, so their order among each other doesn't matter.
struct OperationGroup {
    private(set) var operations: [ServerOperation] = []
    private(set) var hasClaim = false
    private var settled: Set<BeaconKey> = []
    private var isAlone = false

    /// Creates an empty group.
    init() {}

    /// Creates a group of one operation.
    init(_ operation: ServerOperation) { _ = self.add(operation) }

    /// Adds an operation; false if it needs another transaction.
    mutating func add(_ operation: ServerOperation) -> Bool {
        guard !self.isAlone else { return false }
        switch operation {
        case .record: break
        case .claim:
            guard !self.hasClaim else { return false }
            self.hasClaim = true
        case .settle(let claimed, _, _, _):
            guard self.settled.insert(claimed.beacon.key).inserted else { return false }
        case .open, .carry, .nextDue, .count, .entries, .entriesOf, .delete, .grant:
            guard self.operations.isEmpty else { return false }
            self.isAlone = true
        }
        self.operations.append(operation)
        return true
    }

    /// The groups of operations that were drained together.
    static func groups(_ operations: [ServerOperation]) -> [OperationGroup] {
        var groups: [OperationGroup] = []
        var group = OperationGroup()
        for operation in operations where !group.add(operation) {
            groups.append(group)
            group = OperationGroup()
            _ = group.add(operation)
        }
        return group.operations.isEmpty ? groups : groups + [group]
    }

    /// The latest time that a caller has passed in; nil if none has.
    var now: WallTime? {
        self.operations.compactMap { operation in
            switch operation {
            case .record(_, let now, _), .carry(_, let now, _), .settle(_, _, let now, _): now
            case .count(_, let now, _): now
            case .claim(let request, _): request.now
            case .open, .nextDue, .entries, .entriesOf, .delete, .grant: nil
            }
        }.max()
    }
}
