import Foundation
import UIKit

/// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller
@MainActor open class SFSafariViewController: UIViewController {
    /// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller/init(url:)
    public convenience init(url URL: URL)

    /// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller/delegate
    weak open var delegate: (any SFSafariViewControllerDelegate)?
}

/// https://developer.apple.com/documentation/safariservices/sfsafariviewcontrollerdelegate
@MainActor @objc public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/safariservices/sfsafariviewcontrollerdelegate/safariviewcontrollerdidfinish(_:)
    @objc optional func safariViewControllerDidFinish(_ controller: SFSafariViewController)
}
