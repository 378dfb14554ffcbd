package import AdCore

/// Why a media file can't be played here, with the fix.
package enum MediaRefusal: Error, Hashable, Sendable {
    /// It is a program, and needs this framework to run it.
    case program(String)
    /// Its address can't be called.
    case address(String)
    /// Neither its type nor its name is known.
    case unknownType
    /// It is sent in pieces.
    case stream(String)
    /// It is of a container that can't be played.
    case container(String, playable: [String])
    /// Its URL is not https, and the policy requires it.
    case insecure
    /// It is encoded by a codec that can't be decoded.
    case codec(String)
    /// It is no flat video.
    case projection(String)
    /// It may not be scaled, and does not fit.
    case tooLarge(Size, room: Size)

    /// What is wrong, in a clause.
    var reason: String {
        switch self {
        case .program("VPAID"): "it is a VPAID program, which is not run"
        case .program(let framework): "it needs \(framework), which is not there"
        case .address(let reason): "its address can't be called: \(reason)"
        case .unknownType: "it does not say its type"
        case .stream(let type): "it is a stream (\(type.excerpt(60))), and only whole files are played"
        case .container(let type, let playable):
            "its type is \(type.excerpt(60)), and \(playable.joined(separator: ", ")) can be played"
        case .insecure: "its address is not encrypted"
        case .codec(let codec): "its codec is \(codec), which can't be decoded"
        case .projection(let kind): "it is \(kind), and only flat video can be shown"
        case .tooLarge(let size, let room): "it may not be scaled, and with \(size) it does not fit into \(room)"
        }
    }

    /// The error code that is reported where no other file can be played (VAST 4.3 §2.3.6.3).
    var vastCode: Int {
        switch self {
        case .program("VPAID"): 901
        case .program, .unknownType, .stream, .container, .insecure: 403
        case .address: 401
        case .codec, .projection: 405
        case .tooLarge: 203
        }
    }

    /// What to do about it.
    var fix: String {
        switch self {
        case .program("VPAID"): "add an MP4 <MediaFile> beside it"
        case .program: "leave apiFramework out on a video, and put the program into <InteractiveCreativeFile>"
        case .address: "give a whole http or https address"
        case .unknownType: "write type=\"video/mp4\""
        case .stream: "add an MP4 <MediaFile> with delivery=\"progressive\""
        case .container: "add an MP4 (H.264, AAC)"
        case .insecure: "write https"
        case .codec: "encode it with H.264 and AAC"
        case .projection: "add a flat video"
        case .tooLarge: "leave scalable=\"false\" out, or add a smaller file"
        }
    }

    /// What is wrong and what to do, with the code.
    func error(line: Int) -> VASTError { VASTError(self.vastCode, "\(self.reason); \(self.fix)", line: line) }
}
