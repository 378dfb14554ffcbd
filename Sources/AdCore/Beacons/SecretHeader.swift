/// Names a secret that is kept elsewhere: what is written down of a beacon holds this name and never the secret.
public struct CredentialName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as in `attentionmarket.apiKey`.
    public let rawValue: String

    /// Takes the name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Takes the name from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The name itself.
    public var description: String { self.rawValue }
}

/// A header of a beacon whose value is a secret: it is looked up by its name each time the beacon is sent.
public struct SecretHeader: Hashable, Sendable {
    /// The header's name.
    public let name: String
    /// The secret's name.
    public let credential: CredentialName
    /// What stands before the secret, as in `Bearer `.
    public let prefix: String

    /// A header; nil where HTTP does not allow its name or what stands before the secret.
    public init?(_ name: String, _ credential: CredentialName, prefix: String = "") {
        guard AdHTTPHeaders.Field(name, prefix) != nil else { return nil }
        self.name = name
        self.credential = credential
        self.prefix = prefix
    }
}
