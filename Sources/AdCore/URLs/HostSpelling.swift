/// One spelling for host names that look the same: without it they would lead to different hosts.
///
/// Registries know a name composed (NFC), in small letters and in usual width; browsers bring it there (UTS 46) with
/// tables that the standard library keeps to itself. What it does show is enough for the scripts in which composing
/// matters: equal texts are those that would compose to the same. What is spelt in any other way is refused instead of
/// being sent to a host of another name.
enum HostSpelling {
    /// The text in small letters and usual width, letters and their marks composed.
    static func unified(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            let scalar = self.usualWidth(scalar)
            if let last = result.last, !scalar.isASCII, let composed = self.composed[String(last) + String(scalar)] {
                result.removeLast()
                result.append(composed)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a letter has no other spelling in which it should have come.
    static func isStable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Folded away by the older rules, and letters of their own by those of today.
        case "\u{DF}", "\u{3C2}": true
        // Parts of a Korean syllable, and marks of which several may stand in any order.
        case "\u{1100}"..."\u{11FF}", "\u{300}"..."\u{36F}": false
        default: !scalar.properties.changesWhenNFKCCaseFolded
        }
    }

    private static func usualWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard ("\u{FF01}"..."\u{FF5E}").contains(scalar) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Letters of Latin, Greek, Cyrillic, Arabic and Japanese by all the ways to write them with marks.
    ///
    /// Texts that compose to the same are equal, and so are their hashes.
    private static let composed: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xC0...0x24F, 0x370...0x52F, 0x622...0x626, 0x6C0...0x6D3, 0x1E00...0x1FFF, 0x3040...0x30FF,
        ]
        var composed: [String: Unicode.Scalar] = [:]
        for scalar in ranges.joined().lazy.compactMap(Unicode.Scalar.init) {
            let key = String(scalar)
            // The first of several equal letters is the one that composing leads to.
            if composed[key] == nil { composed[key] = scalar }
        }
        return composed
    }()
}
