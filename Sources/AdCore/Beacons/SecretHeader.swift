/// The name of a secret; recorded beacons contain this name instead of the secret.
public struct CredentialName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as in `attentionmarket.apiKey`.
    public let rawValue: String

    /// Creates a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The name itself.
    public var description: String { self.rawValue }
}

/// A header of a beacon with a secret value, which is looked up by its name for each attempt.
public struct SecretHeader: Hashable, Sendable {
    /// The header's name.
    public let name: String
    /// The secret's name.
    public let credential: CredentialName
    /// The text in front of the secret, as in `Bearer `.
    public let prefix: String

    /// Creates a header; nil if its name or prefix is not valid in HTTP.
    public init?(_ name: String, _ credential: CredentialName, prefix: String = "") {
        guard AdHTTPHeaders.Field(name, prefix) != nil else { return nil }
        self.name = name
        self.credential = credential
        self.prefix = prefix
    }
}
