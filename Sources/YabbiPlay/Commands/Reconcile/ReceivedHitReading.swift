import AdCore
import PlayReconcile

extension ReceivedHit {
    /// Reads a hit of `GET /sandbox/hits`.
    ///
    /// The message of an error continues the hit's path, as in `hits[3].path`.
    ///
    /// Older sandboxes do not have `counted`. It then follows from `fault`.
    init(_ hit: AdJSON) throws(HitListError) {
        guard case .object = hit else { throw HitListError(message: " must be an object, not \(hit.kind)") }
        let fault = try ReceivedHit.text("fault", of: hit)
        let isCounted: Bool
        switch hit["counted"] ?? .null {
        case .bool(let counted): isCounted = counted
        case .null: isCounted = fault != "status" && fault != "redirectLoop"
        case let other: throw HitListError(message: ".counted must be true or false, not \(other.kind)")
        }
        guard let path = try ReceivedHit.text("path", of: hit) else { throw HitListError(message: ".path is missing") }
        self.init(
            n: Int(try ReceivedHit.integer("n", of: hit)),
            at: WallTime(milliseconds: try ReceivedHit.integer("at", of: hit)),
            key: try ReceivedHit.text("key", of: hit),
            path: path,
            host: hit["headers"]?["host"]?.string,
            fault: fault,
            isCounted: isCounted
        )
    }

    private static func text(_ name: String, of hit: AdJSON) throws(HitListError) -> String? {
        switch hit[name] ?? .null {
        case .string(let text): return text
        case .null: return nil
        case let other: throw HitListError(message: ".\(name) must be a string, not \(other.kind)")
        }
    }

    private static func integer(_ name: String, of hit: AdJSON) throws(HitListError) -> Int64 {
        guard let value = hit[name] else { throw HitListError(message: ".\(name) is missing") }
        guard let number = value.number, let whole = Int64(exactly: number) else {
            throw HitListError(message: ".\(name) must be an integer")
        }
        return whole
    }
}
