/// The script by which a creative asks its host for MRAID.
package enum MRAIDScript {
    /// Whether an address names it, whole or relative, and whatever stands in its query.
    ///
    /// MRAID 3.0 §3.2 writes `mraid.js`. Hosts take it in any case, and so does every stage here.
    package static func isNamed(by address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...].asciiLowercased
            == "mraid.js"
    }
}
