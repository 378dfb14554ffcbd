import AdCore

/// Why a command is not executed, for the author of the ad.
struct MRAIDFault: Error, Hashable, Sendable {
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
    /// Nil for the same page.
    case expand(String?)
    case resize
    /// A property that is nil stays as it was.
    case setExpandProperties(width: Double?, height: Double?)
    case setOrientationProperties(allowsChange: Bool?, force: MRAIDOrientationProperties.Force?)
    case setResizeProperties(MRAIDResizeProperties)
    /// Without effect: our button is always there (deprecated in MRAID 3.0).
    case useCustomClose
    /// A feature that this host does not support.
    case unsupported(String)
}

/// A command as it came over the bridge.
///
/// The creative can send it past our script, so that all of it is validated.
struct MRAIDCall: Hashable, Sendable {
    /// By which its sender recognises the reply.
    let number: Int
    /// The name of the method, also where none has that name.
    let name: String
    let command: Result<MRAIDCommand, MRAIDFault>

    /// Reads a message; nil where it is none that could be replied to.
    init?(_ message: AdJSON) {
        guard let number = message["n"]?.number.flatMap(Int.init(exactly:)), (1...1 << 53).contains(number),
            let name = message["c"]?.string, !name.isEmpty
        else { return nil }
        self.number = number
        self.name = name.excerpt(40)
        do throws(MRAIDFault) {
            guard let method = MRAIDMethod(rawValue: name) else { throw MRAIDFault("there is no such method") }
            self.command = .success(try MRAIDCall.command(method, MRAIDArguments(message)))
        } catch {
            self.command = .failure(error)
        }
    }

    private static func command(_ method: MRAIDMethod, _ arguments: MRAIDArguments) throws(MRAIDFault) -> MRAIDCommand {
        switch method {
        case .open:
            guard let url = try arguments.address("url") else { throw MRAIDFault("it needs an address") }
            return .open(url)
        case .close: return .close
        case .unload: return .unload
        case .expand:
            guard let url = try arguments.address("url") else { return .expand(nil) }
            // Other schemes would run in a page of ours, or read from a disk.
            guard let link = ClickThroughURL(url), link.scheme == "https" || link.scheme == "http" else {
                throw MRAIDFault("it expands to pages of http and https only")
            }
            return .expand(link.text)
        case .resize: return .resize
        case .setExpandProperties:
            return .setExpandProperties(
                width: try arguments.number("width", 0...MRAIDArguments.far),
                height: try arguments.number("height", 0...MRAIDArguments.far)
            )
        case .setOrientationProperties:
            return .setOrientationProperties(
                allowsChange: try arguments.truth("allowOrientationChange"),
                force: try arguments.orientation("forceOrientation")
            )
        case .setResizeProperties: return .setResizeProperties(try arguments.resize)
        case .useCustomClose: return .useCustomClose
        case .playVideo: return .unsupported("this host has no player of its own; use a video element")
        case .storePicture: return .unsupported("this host stores no pictures")
        case .createCalendarEvent: return .unsupported("this host has no calendar")
        case .initVpaid: return .unsupported("this host speaks no VPAID")
        }
    }
}

/// The arguments of a command, of any type at all.
private struct MRAIDArguments {
    /// Farther than any screen reaches.
    static let far = 16_384.0
    /// Longer than any page's address is.
    private static let longest = 16_384

    let message: AdJSON

    init(_ message: AdJSON) { self.message = message }

    func address(_ name: String) throws(MRAIDFault) -> String? {
        guard let value = self.message[name] else { return nil }
        guard let text = value.string else { throw MRAIDFault("\(name) must be a text, not \(value.kind)") }
        guard text.utf8.count <= MRAIDArguments.longest else { throw MRAIDFault("\(name) is too long") }
        return text.isEmpty ? nil : text
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(MRAIDFault) -> Double? {
        guard let value = self.message[name] else { return nil }
        guard let number = value.number else { throw MRAIDFault("\(name) must be a finite number") }
        guard range.contains(number) else {
            let least = AdJSON.double(range.lowerBound).text()
            throw MRAIDFault(number < range.lowerBound ? "\(name) must be at least \(least)" : "\(name) is too large")
        }
        return number
    }

    func truth(_ name: String) throws(MRAIDFault) -> Bool? {
        guard let value = self.message[name] else { return nil }
        guard case .bool(let truth) = value else { throw MRAIDFault("\(name) must be true or false") }
        return truth
    }

    func orientation(_ name: String) throws(MRAIDFault) -> MRAIDOrientationProperties.Force? {
        guard let value = self.message[name] else { return nil }
        guard let force = value.string.flatMap(MRAIDOrientationProperties.Force.init(rawValue:)) else {
            throw MRAIDFault("\(name) must be portrait, landscape or none")
        }
        return force
    }

    var resize: MRAIDResizeProperties {
        get throws(MRAIDFault) {
            let sides = 50...MRAIDArguments.far
            let offsets = -MRAIDArguments.far...MRAIDArguments.far
            return MRAIDResizeProperties(
                width: try self.needed("width", sides),
                height: try self.needed("height", sides),
                offsetX: try self.needed("offsetX", offsets),
                offsetY: try self.needed("offsetY", offsets),
                allowsOffscreen: try self.truth("allowOffscreen") ?? true
            )
        }
    }

    private func needed(_ name: String, _ range: ClosedRange<Double>) throws(MRAIDFault) -> Double {
        guard let number = try self.number(name, range) else { throw MRAIDFault("\(name) is missing") }
        return number
    }
}
