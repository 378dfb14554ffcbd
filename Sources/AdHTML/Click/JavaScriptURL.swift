import AdCore
import AdMarkup

/// A link that runs code: `javascript:buy()`.
package enum JavaScriptURL {
    /// The code of a `javascript:` URL; nil for another scheme.
    ///
    /// White space around the URL is ignored, and the code is percent-decoded before it runs (HTML, "javascript: URL
    /// special case").
    package static func code(of address: String) -> String? {
        let address = address.trimmed
        guard address.utf8.startsIgnoringCase("javascript:") else { return nil }
        let code = address.dropFirst(11)
        return code.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decoded(code) : String(code)
    }
}
