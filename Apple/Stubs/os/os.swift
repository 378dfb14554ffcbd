/// https://developer.apple.com/documentation/os/logger
@frozen public struct Logger: @unchecked Sendable {
    /// https://developer.apple.com/documentation/os/logger/init(subsystem:category:)
    public init(subsystem: String, category: String)

    /// https://developer.apple.com/documentation/os/logger/debug(_:)
    public func debug(_ message: OSLogMessage)

    /// https://developer.apple.com/documentation/os/logger/info(_:)
    public func info(_ message: OSLogMessage)

    /// https://developer.apple.com/documentation/os/logger/notice(_:)
    public func notice(_ message: OSLogMessage)

    /// https://developer.apple.com/documentation/os/logger/error(_:)
    public func error(_ message: OSLogMessage)

    /// https://developer.apple.com/documentation/os/logger/fault(_:)
    public func fault(_ message: OSLogMessage)
}

/// https://developer.apple.com/documentation/os/oslogprivacy
@frozen public struct OSLogPrivacy: Sendable {
    /// https://developer.apple.com/documentation/os/oslogprivacy/public
    public static var `public`: OSLogPrivacy { get }

    /// https://developer.apple.com/documentation/os/oslogprivacy/private
    public static var `private`: OSLogPrivacy { get }

    /// https://developer.apple.com/documentation/os/oslogprivacy/auto
    public static var auto: OSLogPrivacy { get }
}

/// https://developer.apple.com/documentation/os/oslogmessage
@frozen public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// https://developer.apple.com/documentation/os/oslogmessage/init(stringliteral:)
    public init(stringLiteral value: String)

    /// https://developer.apple.com/documentation/os/oslogmessage/init(stringinterpolation:)
    public init(stringInterpolation: OSLogInterpolation)

    /// https://developer.apple.com/documentation/os/oslogmessage
    public typealias StringInterpolation = OSLogInterpolation
}

/// https://developer.apple.com/documentation/os/osloginterpolation
@frozen public struct OSLogInterpolation: StringInterpolationProtocol {
    /// https://developer.apple.com/documentation/os/osloginterpolation/init(literalcapacity:interpolationcount:)
    public init(literalCapacity: Int, interpolationCount: Int)

    /// https://developer.apple.com/documentation/os/osloginterpolation/appendliteral(_:)
    public mutating func appendLiteral(_ literal: String)

    /// https://developer.apple.com/documentation/os/osloginterpolation/appendinterpolation(_:align:privacy:)
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String,
        privacy: OSLogPrivacy = .auto
    )

    /// https://developer.apple.com/documentation/os/osloginterpolation/appendinterpolation(_:format:align:privacy:)
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure @escaping () -> T,
        privacy: OSLogPrivacy = .auto
    )
}
