public import AdCore
import SystemSupport

/// The secrets that beacons need, by name: what is written down of a beacon holds the name alone.
///
/// Whoever sends what another process has left behind must know the same names.
///
/// ```swift
/// let credentials = Credentials(["cards.apiKey": apiKey])
/// let services = AdServices(transport: transport, ledger: ledger, credentials: credentials)
/// ```
public final class Credentials: Sendable {
    private let values: Locked<[CredentialName: String]>

    /// Secrets by their names.
    public init(_ values: [CredentialName: String] = [:]) { self.values = Locked(values) }

    /// All that are known now.
    var all: [String] { self.values.withLock { Array($0.values) } }

    /// A secret; nil where none has this name.
    ///
    /// It may be set at any time, and is used from then on.
    public subscript(name: CredentialName) -> String? {
        get { self.values.withLock { $0[name] } }
        set { self.values.withLock { $0[name] = newValue } }
    }
}
