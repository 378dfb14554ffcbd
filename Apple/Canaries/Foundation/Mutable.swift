import Foundation

// A session calls its delegate on a queue of its own.
private final class Delegate: NSObject, URLSessionDataDelegate {
    var count = 0  // error: stored property 'count' of 'Sendable'-conforming class 'Delegate' is mutable
}
