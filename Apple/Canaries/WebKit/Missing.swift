import UIKit
import WebKit

@MainActor
private final class Handler: NSObject, WKScriptMessageHandler {}  // error: type 'Handler' does not conform
