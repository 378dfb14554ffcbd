import Foundation

/// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager
open class ATTrackingManager: NSObject {
    /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/trackingauthorizationstatus
    open class var trackingAuthorizationStatus: ATTrackingManager.AuthorizationStatus { get }

    /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/requesttrackingauthorization(completionhandler:)
    open class func requestTrackingAuthorization(
        completionHandler completion: @escaping @Sendable (ATTrackingManager.AuthorizationStatus) -> Void
    )

    /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/requesttrackingauthorization(completionhandler:)
    open class func requestTrackingAuthorization() async -> ATTrackingManager.AuthorizationStatus

    /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/authorizationstatus
    @objc public enum AuthorizationStatus: UInt, Sendable {
        /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/authorizationstatus/notdetermined
        case notDetermined

        /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/authorizationstatus/restricted
        case restricted

        /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/authorizationstatus/denied
        case denied

        /// https://developer.apple.com/documentation/apptrackingtransparency/attrackingmanager/authorizationstatus/authorized
        case authorized
    }
}
