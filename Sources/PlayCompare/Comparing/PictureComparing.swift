package import PlayReport

/// Compares pictures, which a browser can decode.
package protocol PictureComparing: Sendable {
    /// How much two pictures of the same size differ. Both have bytes.
    func difference(_ a: RunPicture, _ b: RunPicture) async -> PictureDifference
}

/// What is known of two pictures with other bytes.
package enum PictureDifference: Hashable, Sendable {
    /// No browser compared them.
    case unknown
    /// A browser could not decode them.
    case undecodable
    /// This share of the pixels differs, from 0 to 1; a picture (PNG) shows which.
    case known(share: Double, picture: [UInt8])
}

/// Two pictures of the same moment in two runs, or one that the other run lacks.
package struct ComparedPictures: Sendable {
    /// The heading of the ad.
    package let ad: String
    /// The numbers of the ad in both runs.
    let place: RunDifference.Place
    package let caption: String
    package let a: RunPicture?
    package let b: RunPicture?
    /// How much they differ; nil if the bytes are equal, or if they can't be compared.
    package let difference: PictureDifference?
}
