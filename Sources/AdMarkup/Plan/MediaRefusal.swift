package import AdCore

/// The reason why a media file can't be played, with the fix.
package enum MediaRefusal: Error, Hashable, Sendable {
    /// It is executable and needs this framework.
    case program(String)
    /// Its URL is invalid.
    case address(String)
    /// Neither its type nor its file extension is known.
    case unknownType
    /// It is a stream (HLS or DASH) of this type.
    case stream(String)
    /// Its container can't be played.
    case container(String, playable: [String])
    /// Its URL is not https, and the policy requires that.
    case insecure
    /// Its codec can't be decoded.
    case codec(String)
    /// It is 3D or 360° video.
    case projection(String)
    /// It may not be scaled, and does not fit.
    case tooLarge(Size, container: Size)

    /// What is wrong, as the predicate of a clause whose subject is the media file.
    var reason: String {
        switch self {
        case .program(let framework): "needs \(framework), which is not supported"
        case .address(let reason): "has an invalid URL: \(reason)"
        case .unknownType: "has no usable type"
        case .stream(let type): "is a stream (\(type.excerpt(60))), and only progressive files are played"
        case .container(let type, let playable):
            "is \(type.excerpt(60)), not one of \(playable.joined(separator: ", "))"
        case .insecure: "has a URL that is not https"
        case .codec(let codec): "has the codec \(codec), which can't be decoded"
        case .projection(let kind): "is \(kind) video, and only 2D video is played"
        case .tooLarge(let size, let container): "may not be scaled, and \(size) does not fit into \(container)"
        }
    }

    /// The error code that is reported when no other file can be played (VAST 4.3 §2.3.6.3).
    var vastCode: Int {
        switch self {
        case .program("VPAID"): 901
        case .program, .unknownType, .stream, .container, .insecure: 403
        case .address: 401
        case .codec, .projection: 405
        case .tooLarge: 203
        }
    }

    var fix: String {
        switch self {
        case .program("VPAID"): "add an MP4 <MediaFile>"
        case .program: "remove apiFramework from a video, or move the interactive file to <InteractiveCreativeFile>"
        case .address: "use an absolute http or https URL"
        case .unknownType: "write type=\"video/mp4\""
        case .stream: "add an MP4 <MediaFile> with delivery=\"progressive\""
        case .container: "add an MP4 (H.264, AAC)"
        case .insecure: "use https"
        case .codec: "encode it with H.264 and AAC"
        case .projection: "add a 2D video"
        case .tooLarge: "remove scalable=\"false\", or add a smaller file"
        }
    }

    /// The reason and the fix, with the error code; media files are counted from 1.
    func error(file number: Int, line: Int) -> VASTError {
        VASTError(self.vastCode, "media file \(number) \(self.reason); \(self.fix)", line: line)
    }
}
