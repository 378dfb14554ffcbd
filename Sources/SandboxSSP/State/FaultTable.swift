import AdCore
import LoopbackServer

/// The faults that are still to be injected, by path prefix.
///
/// The longest matching prefix decides. Its list is used up in order; an empty list means normal responses there,
/// whatever a shorter prefix has.
struct FaultTable: Hashable, Sendable {
    static let maxPrefixes = 1000
    static let maxFaults = 10_000

    private var lists: [String: [Sandbox.Fault]] = [:]

    /// Replaces the lists of the given prefixes and keeps the others; on an error nothing changes.
    mutating func set(_ changes: [String: [Sandbox.Fault]]) throws(FieldError) {
        for (prefix, faults) in changes {
            guard prefix.utf8.first == UInt8(ascii: "/") else {
                throw FieldError(prefix, "is not a path prefix: it must start with a slash")
            }
            guard !Endpoint.isControl(prefix) else {
                throw FieldError(prefix, "can't have faults: the control endpoints always work")
            }
            for (index, fault) in faults.enumerated() {
                let faultPath = "\(prefix)[\(index)]"
                try fault.validate(at: faultPath)
                if case .socket = fault.kind, !Sandbox.socketPath.isPath(below: prefix) {
                    let path = Sandbox.socketPath
                    throw FieldError("\(faultPath).kind", "has no effect there: sockets are opened at \(path)")
                }
            }
        }
        let result = self.lists.merging(changes) { $1 }
        guard result.count <= FaultTable.maxPrefixes,
            result.values.reduce(0, { $0 + $1.count }) <= FaultTable.maxFaults
        else {
            throw FieldError(
                "",
                "would exceed \(FaultTable.maxPrefixes) prefixes or \(FaultTable.maxFaults) faults"
            )
        }
        self.lists = result
    }

    /// Removes and returns the next fault for a path.
    mutating func next(for path: String) -> Sandbox.Fault.Kind? {
        guard let prefix = self.lists.keys.filter(path.isPath(below:)).max(by: { $0.utf8.count < $1.utf8.count }),
            var list = self.lists[prefix], let fault = list.first
        else { return nil }
        if fault.times > 1 {
            list[0].times -= 1
        } else {
            list.removeFirst()
        }
        self.lists[prefix] = list
        return fault.kind
    }

    /// The remaining faults as JSON.
    var json: AdJSON {
        let members = self.lists.sorted { $0.key < $1.key }.map { prefix, faults in
            AdJSON.Member(prefix, .array(faults.map(\.json)))
        }
        return .object(members)
    }
}
