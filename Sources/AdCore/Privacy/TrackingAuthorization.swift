/// What a user of Apple's systems has answered to the app's question whether it may track.
///
/// The numbers are those of `device.ext.atts` (IAB Tech Lab, OpenRTB extension *SKAdNetwork*, "Device Extension").
package enum TrackingAuthorization: Int, CaseIterable, Hashable, Sendable {
    /// The app has not asked yet.
    case notDetermined = 0
    /// The device does not allow apps to ask, as that of a child.
    case restricted = 1
    case denied = 2
    case authorized = 3

    /// Whether tracking is limited: everything but consent limits it (the same, "DNT, LMT and App Tracking Transparency
    /// Guidance").
    package var limitsTracking: Bool { self != .authorized }
}
