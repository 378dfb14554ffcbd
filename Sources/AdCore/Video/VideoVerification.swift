/// A verification vendor of a spot: scripts that measure it (VAST 4.3 §3.16, §3.17).
///
/// A stage that hosts such scripts (Open Measurement, OMID) runs the first one that loads.
public struct VideoVerification: Hashable, Sendable {
    /// The vendor's key, as in `company.example-omid`; nil if the markup has none.
    public var vendor: String?
    /// The scripts for OMID, in the order of the markup.
    public var scripts: [HTTPURL]
    /// The `<VerificationParameters>`, which only this vendor gets.
    public var parameters: String?

    /// Creates a verification.
    public init(vendor: String?, scripts: [HTTPURL], parameters: String? = nil) {
        self.vendor = vendor
        self.scripts = scripts
        self.parameters = parameters
    }
}

/// What became of a verification script.
///
/// A stage that hosts scripts reports `loading` before the spot starts. A script of which no stage has reported anything
/// is not supported.
public enum VerificationState: Hashable, Sendable {
    /// The stage loads it.
    case loading
    /// It is loaded, and was run.
    case executed
    /// It is not run; nothing more follows.
    case notExecuted(Reason, String)

    /// Why a script is not run: the value of `[REASON]` (VAST 4.3 §3.17.4).
    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        /// The host does not allow it.
        case rejected = 1
        /// The stage can't run it.
        case notSupported = 2
        /// It could not be loaded.
        case notLoaded = 3
    }
}
