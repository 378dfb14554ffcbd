/// Replaces identifiers by pseudonyms, the same one for the same identifier.
package struct Pseudonyms: Sendable {
    /// The pseudonym of identifiers above the limit, and the prefix of all others; traces contain it.
    package static let placeholder = "veiled"
    /// The maximum number of different pseudonyms.
    private static let limit = 1_000

    private var names: [String: String] = [:]
    private var new: [String] = []

    package init() {}

    /// The pseudonym of an identifier.
    package mutating func name(_ secret: String) -> String {
        if let name = self.names[secret] { return name }
        self.new.append(secret)
        guard self.names.count < Pseudonyms.limit else { return Pseudonyms.placeholder }
        let name = "\(Pseudonyms.placeholder)-\(self.names.count + 1)"
        self.names[secret] = name
        return name
    }

    /// Returns and clears the identifiers that were new since the last call.
    package mutating func drainNew() -> [String] {
        defer { self.new = [] }
        return self.new
    }
}
