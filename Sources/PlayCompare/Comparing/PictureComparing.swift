package import PlayReport

/// Says how much two pictures differ: a browser can decode them.
package protocol PictureComparing: Sendable {
    /// The share of pixels that differ, from 0 to 1; nil if one of the pictures can't be decoded.
    ///
    /// Both have bytes, and the same size.
    func differingShare(_ a: RunPicture, _ b: RunPicture) async -> Double?
}
