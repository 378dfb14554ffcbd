import AdCore
import LibC
import PlayConsole

/// An access log, read line by line.
final class AccessLog {
    private let path: String
    private let format: AccessLogFormat
    /// Whether its requests have the keys of beacons.
    let hasKeys: Bool
    /// Whether its requests have hosts.
    let hasHosts: Bool
    private var lines = 0
    private var unreadable = 0
    private var firstUnreadable = 0

    /// How many lines are looked at to find out what a log has.
    private static let peeked = 200
    /// How many lines are looked at to find out whether one has a key: a log may begin with other traffic.
    private static let longestPeek = 20_000
    /// How many bytes are looked at.
    private static let peekedBytes = 16 << 20
    private static let longestLine = 1 << 20

    /// Recognizes the format of a log.
    init(_ path: String, pattern: String?) throws(UsageError) {
        self.path = path
        if let pattern {
            let format = AccessLogFormat(pattern: pattern)
            guard format.hasRequest else {
                throw UsageError("the value of --log-format has no $request or $request_uri, or no $status")
            }
            (self.format, self.hasKeys) = (format, format.mayHaveKeys)
            self.hasHosts = format.hasHost
            return
        }
        let start = try AccessLog.start(of: path)
        guard let format = start.format else {
            throw UsageError(
                "\(path) is in no known format: lines of nginx or Apache, an extended log, CSV with names, "
                    + "or JSON lines; describe it with --log-format"
            )
        }
        self.format = format
        self.hasKeys = format.variesByLine ? start.hasKeys : format.mayHaveKeys
        self.hasHosts = start.requests > 0 && start.hosts == start.requests
    }

    /// What the first lines of a log have.
    private struct Start {
        private(set) var format: AccessLogFormat?
        /// Whether a request has the key of a beacon.
        private(set) var hasKeys = false
        /// How many requests the first lines have.
        private(set) var requests = 0
        /// How many of them have a host.
        private(set) var hosts = 0
        private var lines = 0

        /// Whether further lines would tell nothing more.
        var isComplete: Bool {
            let mayFindKeys = self.format?.variesByLine ?? false && !self.hasKeys
            return self.lines >= (mayFindKeys ? AccessLog.longestPeek : AccessLog.peeked)
        }

        /// Looks at the next line; nil for one that is too long.
        mutating func add(_ line: [UInt8]?) {
            self.lines += 1
            guard let line, !line.isEmpty else { return }
            // Extended logs begin with other directives.
            if line.starts(with: "#".utf8), !line.starts(with: "#Fields:".utf8) { return }
            let isFirst = self.format == nil
            // The first requests of a public server may be anything.
            guard let format = self.format ?? AccessLogFormat(firstLine: line) else { return }
            self.format = format
            guard !(isFirst && format.hasHeader), let request = format.request(line) else { return }
            if request.key != nil { self.hasKeys = true }
            guard self.lines <= AccessLog.peeked else { return }
            self.requests += 1
            if request.host != nil { self.hosts += 1 }
        }
    }

    private static func start(of path: String) throws(UsageError) -> Start {
        guard path != "-" else {
            throw UsageError("the format of standard input can't be recognized; describe it with --log-format")
        }
        // A pipe can be read only once.
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw UsageError(
                "\(path) is no regular file, so its format can't be recognized; describe it with --log-format"
            )
        }
        let reader = try self.open(path)
        guard !reader.begins(with: [0x1F, 0x8B]) else {
            throw UsageError("\(path) is compressed; unpack it first, as with gunzip")
        }
        var start = Start()
        while !start.isComplete, reader.offset < self.peekedBytes, let line = reader.next() {
            if case .text(let bytes) = line { start.add(bytes) } else { start.add(nil) }
        }
        return start
    }

    private static func open(_ path: String) throws(UsageError) -> LineReader {
        guard let reader = LineReader(path, limit: self.longestLine) else {
            throw UsageError("\(path) can't be read; name an access log")
        }
        return reader
    }

    /// Calls a closure with each request.
    func forEach(_ body: (LoggedRequest) throws(UsageError) -> Void) throws(UsageError) {
        let reader = try AccessLog.open(self.path)
        var isFirst = self.format.hasHeader
        while let line = reader.next() {
            guard case .text(let bytes) = line else {
                self.skip(reader.number)
                continue
            }
            if bytes.isEmpty || bytes.first == UInt8(ascii: "#") { continue }
            if isFirst {
                isFirst = false
                // The names of a CSV file; an extended log has them in a directive.
                if self.format.request(bytes) == nil { continue }
            }
            self.lines += 1
            if let request = self.format.request(bytes) { try body(request) } else { self.skip(reader.number) }
        }
    }

    private func skip(_ number: Int) {
        self.unreadable += 1
        if self.firstUnreadable == 0 { self.firstUnreadable = number }
    }

    /// What could not be read; nil if everything was.
    var problem: String? {
        guard self.unreadable > 0 else { return nil }
        let lines = self.unreadable == 1 ? "1 line is" : "\(self.unreadable) of \(self.lines) lines are"
        return "\(self.path): \(lines) not in its format, the first is line \(self.firstUnreadable)"
    }
}
