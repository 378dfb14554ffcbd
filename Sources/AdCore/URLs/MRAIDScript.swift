/// The script `mraid.js`, by which a creative requests MRAID.
package enum MRAIDScript {
    /// The methods of the object `mraid` (MRAID 3.0).
    package static let methods: Set<String> = [
        "addEventListener", "close", "createCalendarEvent", "expand", "getCurrentAppOrientation", "getCurrentPosition",
        "getDefaultPosition", "getExpandProperties", "getLocation", "getMaxSize", "getOrientationProperties",
        "getPlacementType", "getResizeProperties", "getScreenSize", "getState", "getVersion", "initVpaid", "isViewable",
        "open", "playVideo", "removeEventListener", "resize", "setExpandProperties", "setOrientationProperties",
        "setResizeProperties", "storePicture", "supports", "unload", "useCustomClose",
    ]

    /// Whether a URL, absolute or relative and with any query, is that of `mraid.js`.
    ///
    /// MRAID 3.0 §3.1.3 spells it in lower case; hosts accept any case, and so does every stage here.
    package static func isNamed(by address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...].asciiLowercased
            == "mraid.js"
    }
}
