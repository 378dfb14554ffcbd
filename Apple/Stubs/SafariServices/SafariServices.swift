import Foundation
import UIKit

/// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller
@MainActor open class SFSafariViewController: UIViewController {
    /// https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller/init(url:)
    public convenience init(url URL: URL)
}
