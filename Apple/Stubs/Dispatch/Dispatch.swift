import ObjectiveC

/// https://developer.apple.com/documentation/dispatch/dispatchqueue
open class DispatchQueue: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/main
    public class var main: DispatchQueue { get }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/init(label:qos:attributes:autoreleasefrequency:target:)
    public convenience init(label: String)

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/async(execute:)
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void)
}
