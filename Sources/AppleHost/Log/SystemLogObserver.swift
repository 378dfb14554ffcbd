#if canImport(os)
    public import AdCore
    import Foundation
    import os

    /// Writes the events of ads to the system's log, where Console and `log stream` show them.
    ///
    /// Names and ids are public. Details are private: the log shows them only while a debugger is attached, or with a
    /// profile that allows it. Secrets in URLs are redacted in any case.
    public struct SystemLogObserver: AdObserver {
        private let logger: Logger
        private let next: (any AdObserver)?

        /// Creates an observer.
        ///
        /// - Parameters:
        ///   - subsystem: The subsystem of the log; nil for the app's bundle identifier.
        ///   - category: The category of the log.
        ///   - next: Observes the same.
        public init(subsystem: String? = nil, category: String = "ads", next: (any AdObserver)? = nil) {
            self.logger = Logger(subsystem: subsystem ?? Bundle.main.bundleIdentifier ?? "yabbi", category: category)
            self.next = next
        }

        /// Writes an event of an ad.
        public func observe(_ record: AdRecord) {
            self.write(LogLine(record))
            self.next?.observe(record)
        }

        /// Writes an input that changed nothing.
        public func observe(_ input: IgnoredInput) {
            self.write(LogLine(input))
            self.next?.observe(input)
        }

        /// Writes an event of a session.
        public func observe(_ record: SessionRecord) {
            if let line = LogLine(record) { self.write(line) }
            self.next?.observe(record)
        }

        private func write(_ line: LogLine) {
            let (text, detail) = (line.text, line.detail)
            switch line.level {
            case .debug: self.logger.debug("\(text, privacy: .public) \(detail, privacy: .private)")
            case .info: self.logger.info("\(text, privacy: .public) \(detail, privacy: .private)")
            case .notice: self.logger.notice("\(text, privacy: .public) \(detail, privacy: .private)")
            case .error: self.logger.error("\(text, privacy: .public) \(detail, privacy: .private)")
            }
        }
    }
#endif
