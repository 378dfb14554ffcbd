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
        let (format, requests) = try AccessLog.peek(path)
        self.format = format
        self.hasKeys = requests.contains { $0.key != nil }
        self.hasHosts = !requests.isEmpty && requests.allSatisfy { $0.host != nil }
    }

    /// The format of a log, and some of its requests.
    private static func peek(_ path: String) throws(UsageError) -> (AccessLogFormat, [LoggedRequest]) {
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
        var format: AccessLogFormat?
        var requests: [LoggedRequest] = []
        for _ in 0..<self.peeked {
            guard case .text(let line)? = reader.next() else { break }
            // Extended logs begin with other directives.
            if line.isEmpty || line.starts(with: "#".utf8) && !line.starts(with: "#Fields:".utf8) { continue }
            if let format {
                if let request = format.request(line) { requests.append(request) }
            } else {
                // The first requests of a public server may be anything.
                guard let found = AccessLogFormat(firstLine: line) else { continue }
                format = found
                if let request = found.hasHeader ? nil : found.request(line) { requests.append(request) }
            }
        }
        if let format { return (format, requests) }
        throw UsageError(
            "\(path) is in no known format: lines of nginx or Apache, an extended log, CSV with names, or JSON lines; "
                + "describe it with --log-format"
        )
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
