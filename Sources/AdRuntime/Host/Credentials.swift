public import AdCore
import SystemSupport

/// The secrets of beacon requests, by name; a recorded beacon holds the name only.
///
/// A process that delivers the beacons of another one needs the same names.
///
/// ```swift
/// let credentials = Credentials(["cards.apiKey": apiKey])
/// let services = AdServices(transport: transport, opener: NoOpener(), ledger: ledger, credentials: credentials)
/// ```
public final class Credentials: Sendable {
    private let values: Locked<[CredentialName: String]>

    /// Creates credentials from secrets by name.
    public init(_ values: [CredentialName: String] = [:]) { self.values = Locked(values) }

    /// All secrets.
    var all: [String] { self.values.withLock { Array($0.values) } }

    /// The secret with this name; nil for none.
    ///
    /// It can be set at any time and is used from then on.
    public subscript(name: CredentialName) -> String? {
        get { self.values.withLock { $0[name] } }
        set { self.values.withLock { $0[name] = newValue } }
    }
}
