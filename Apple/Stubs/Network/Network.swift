@_exported import Dispatch

/// https://developer.apple.com/documentation/network/nwpathmonitor
final public class NWPathMonitor: @unchecked Sendable {
    /// https://developer.apple.com/documentation/network/nwpathmonitor/init()
    public init()

    /// https://developer.apple.com/documentation/network/nwpathmonitor/currentpath
    final public var currentPath: NWPath { get }

    /// https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler
    @preconcurrency final public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? { get set }

    /// https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)
    final public func start(queue: DispatchQueue)

    /// https://developer.apple.com/documentation/network/nwpathmonitor/cancel()
    final public func cancel()
}

/// https://developer.apple.com/documentation/network/nwpath
public struct NWPath: Equatable, Sendable {
    /// https://developer.apple.com/documentation/network/nwpath/status-swift.property
    public let status: NWPath.Status

    /// https://developer.apple.com/documentation/network/nwpath/isexpensive
    public var isExpensive: Bool { get }

    /// https://developer.apple.com/documentation/network/nwpath/isconstrained
    public var isConstrained: Bool { get }

    /// https://developer.apple.com/documentation/network/nwpath/usesinterfacetype(_:)
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool

    /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum
    public enum Status: Equatable, Sendable {
        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/satisfied
        case satisfied

        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/unsatisfied
        case unsatisfied

        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/requiresconnection
        case requiresConnection
    }
}

/// https://developer.apple.com/documentation/network/nwinterface
public struct NWInterface: Hashable, Sendable {
    /// https://developer.apple.com/documentation/network/nwinterface/interfacetype
    public enum InterfaceType: Sendable {
        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/other
        case other

        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/wifi
        case wifi

        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/cellular
        case cellular

        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/wiredethernet
        case wiredEthernet

        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/loopback
        case loopback
    }
}
