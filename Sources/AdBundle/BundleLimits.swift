/// The limits of a bundle.
///
/// The defaults are many times what ad servers accept, so that an ad that is only too heavy is shown nevertheless.
package struct BundleLimits: Hashable, Sendable {
    /// Files, folders and what is left out, together.
    package var entries = 5_000
    /// The bytes of one file, unpacked.
    package var file = 64 << 20
    /// The bytes of all files, unpacked; also those of the zip file itself.
    package var total = 128 << 20
    /// How many times as large a packed file may become.
    ///
    /// Deflate reaches 1,032; scripts and pictures stay below 20.
    package var ratio = 200
    /// Up to this many unpacked bytes any ratio is accepted: an empty picture or a list of zeros is no zip bomb.
    package var ratioFrom = 1 << 20
    /// The bytes of a path.
    package var name = 1_024
    /// The names in a path.
    package var depth = 32
    /// The entries with damaged data in one zip; a zip with more is refused.
    package var damaged = 16
    /// The issues that are kept; the last one says how many more there were.
    package var issues = 100

    package static let standard = BundleLimits()

    package init() {}
}
