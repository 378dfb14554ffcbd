import Foundation

/// https://developer.apple.com/documentation/adsupport/asidentifiermanager
open class ASIdentifierManager: NSObject {
    /// https://developer.apple.com/documentation/adsupport/asidentifiermanager/shared()
    open class func shared() -> ASIdentifierManager

    /// https://developer.apple.com/documentation/adsupport/asidentifiermanager/advertisingidentifier
    open var advertisingIdentifier: UUID { get }
}
