import AdCore
import AdMarkup

/// The address of a link that is code: `javascript:buy()`.
package enum JavaScriptAddress {
    /// The code of an address; nil for one of another scheme.
    ///
    /// White space around an address is no part of it, and what follows the colon is percent-decoded before it runs
    /// (HTML standard, "javascript: URL special case").
    package static func code(of address: String) -> String? {
        let address = address.trimmed
        guard address.utf8.startsIgnoringCase("javascript:") else { return nil }
        let code = address.dropFirst(11)
        return code.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decoded(code) : String(code)
    }
}
