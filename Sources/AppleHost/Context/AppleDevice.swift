import AdCore

/// What the system says about the device.
struct AppleDevice: Hashable, Sendable {
    /// As in `iOS`, `iPadOS` or `tvOS`.
    var systemName: String
    /// As in `18.1`.
    var systemVersion: String
    /// As in `iPhone`.
    var model: String
    /// The screen's size in points; nil before there is a scene.
    var screen: Size?
    /// The screen's pixels per point.
    var scale: Double?
    /// The languages that the user prefers, the first one first, as in `de-BG`.
    var languages: [String]

    /// The device of requests; what the app knows better stays as it is.
    func completing(_ known: AdContext.Device) -> AdContext.Device {
        var device = known
        device.os = known.os ?? self.systemName
        device.osVersion = known.osVersion ?? self.systemVersion
        device.make = known.make ?? "Apple"
        device.model = known.model ?? self.model
        device.language = known.language ?? self.languages.first
        device.pixelRatio = known.pixelRatio ?? self.scale
        guard let screen, let scale, known.width == nil, known.height == nil else { return device }
        device.width = Int(exactly: (screen.width * scale).rounded())
        device.height = Int(exactly: (screen.height * scale).rounded())
        return device
    }
}
