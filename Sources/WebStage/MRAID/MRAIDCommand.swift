import AdCore

/// Why a command is refused; the ad gets the message in an `error` event.
struct MRAIDError: Error, Hashable, Sendable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// The methods of `mraid` that the host executes.
enum MRAIDMethod: String, Hashable, Sendable, CaseIterable {
    case open, close, unload, expand, resize
    case setExpandProperties, setOrientationProperties, setResizeProperties, useCustomClose
    case playVideo, storePicture, createCalendarEvent, initVpaid
}

/// A command with valid arguments.
enum MRAIDCommand: Hashable, Sendable {
    case open(String)
    case close
    case unload
    /// The URL of a two-part creative; nil to expand the ad itself.
    case expand(String?)
    case resize
    /// A nil property keeps its value.
    case setExpandProperties(width: Double?, height: Double?)
    case setOrientationProperties(allowsChange: Bool?, force: MRAIDOrientationProperties.Force?)
    case setResizeProperties(MRAIDResizeProperties)
    /// Ignored: the host always shows its close button (deprecated in MRAID 3.0 §5.7, `useCustomClose`).
    case useCustomClose
    /// A feature that the host does not support; the reason.
    case unsupported(String)
}

/// A command with its number, validated.
///
/// A creative can bypass the injected script, so every value is checked here.
struct MRAIDCall: Hashable, Sendable {
    /// Matches the reply to the command.
    let number: Int
    /// The method's name, also if no such method exists.
    let name: String
    let command: Result<MRAIDCommand, MRAIDError>

    /// Reads a message; nil if it has no valid number and name to reply to.
    init?(_ message: AdJSON) {
        guard let number = message["n"]?.number.flatMap(Int.init(exactly:)), (1...1 << 53).contains(number),
            let name = message["c"]?.string, !name.isEmpty
        else { return nil }
        self.number = number
        self.name = name.excerpt(40)
        do throws(MRAIDError) {
            guard let method = MRAIDMethod(rawValue: name) else { throw MRAIDError("unknown method") }
            self.command = .success(try MRAIDCall.command(method, MRAIDArguments(message)))
        } catch {
            self.command = .failure(error)
        }
    }

    private static func command(_ method: MRAIDMethod, _ arguments: MRAIDArguments) throws(MRAIDError) -> MRAIDCommand {
        switch method {
        case .open:
            guard let url = try arguments.url("url") else { throw MRAIDError("url is missing") }
            return .open(url)
        case .close: return .close
        case .unload: return .unload
        case .expand:
            guard let url = try arguments.url("url") else { return .expand(nil) }
            // Other schemes would run code in the host page (`javascript:`) or read local files (`file:`).
            guard let link = ClickThroughURL(url), link.scheme == "https" || link.scheme == "http" else {
                throw MRAIDError("url must be http or https")
            }
            return .expand(link.text)
        case .resize: return .resize
        case .setExpandProperties:
            return .setExpandProperties(
                width: try arguments.number("width", 0...MRAIDArguments.maxLength),
                height: try arguments.number("height", 0...MRAIDArguments.maxLength)
            )
        case .setOrientationProperties:
            return .setOrientationProperties(
                allowsChange: try arguments.boolean("allowOrientationChange"),
                force: try arguments.orientation("forceOrientation")
            )
        case .setResizeProperties: return .setResizeProperties(try arguments.resize)
        case .useCustomClose: return .useCustomClose
        case .playVideo: return .unsupported("not supported; use a video element")
        case .storePicture: return .unsupported("not supported; see supports(\"storePicture\")")
        case .createCalendarEvent: return .unsupported("not supported; see supports(\"calendar\")")
        case .initVpaid: return .unsupported("not supported; see supports(\"vpaid\")")
        }
    }
}

/// The arguments of a command, of any JSON type.
private struct MRAIDArguments {
    /// The largest size and offset, in points.
    static let maxLength = 16_384.0
    /// The longest URL, in bytes.
    private static let maxURLBytes = 16_384

    let message: AdJSON

    init(_ message: AdJSON) { self.message = message }

    func url(_ name: String) throws(MRAIDError) -> String? {
        guard let value = self.message[name] else { return nil }
        guard let text = value.string else { throw MRAIDError("\(name) must be a string, not \(value.kind)") }
        guard text.utf8.count <= MRAIDArguments.maxURLBytes else { throw MRAIDError("\(name) is too long") }
        return text.isEmpty ? nil : text
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(MRAIDError) -> Double? {
        guard let value = self.message[name] else { return nil }
        guard let number = value.number else { throw MRAIDError("\(name) must be a finite number") }
        guard range.contains(number) else {
            let minimum = AdJSON.double(range.lowerBound).text()
            throw MRAIDError(number < range.lowerBound ? "\(name) must be at least \(minimum)" : "\(name) is too large")
        }
        return number
    }

    func boolean(_ name: String) throws(MRAIDError) -> Bool? {
        guard let value = self.message[name] else { return nil }
        guard case .bool(let boolean) = value else { throw MRAIDError("\(name) must be true or false") }
        return boolean
    }

    func orientation(_ name: String) throws(MRAIDError) -> MRAIDOrientationProperties.Force? {
        guard let value = self.message[name] else { return nil }
        guard let force = value.string.flatMap(MRAIDOrientationProperties.Force.init(rawValue:)) else {
            throw MRAIDError("\(name) must be portrait, landscape or none")
        }
        return force
    }

    var resize: MRAIDResizeProperties {
        get throws(MRAIDError) {
            // A resized ad is at least as large as the close region, 50 × 50 (MRAID 3.0 chapter 6, `resizeProperties`).
            let sides = 50...MRAIDArguments.maxLength
            let offsets = -MRAIDArguments.maxLength...MRAIDArguments.maxLength
            return MRAIDResizeProperties(
                width: try self.required("width", sides),
                height: try self.required("height", sides),
                offsetX: try self.required("offsetX", offsets),
                offsetY: try self.required("offsetY", offsets),
                allowsOffscreen: try self.boolean("allowOffscreen") ?? true
            )
        }
    }

    private func required(_ name: String, _ range: ClosedRange<Double>) throws(MRAIDError) -> Double {
        guard let number = try self.number(name, range) else { throw MRAIDError("\(name) is missing") }
        return number
    }
}
