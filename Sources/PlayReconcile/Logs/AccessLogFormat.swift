import AdCore

/// The form of the lines of an access log.
enum AccessLogFormat: Hashable, Sendable {
    /// Values between literal texts, as in nginx's `log_format`.
    case pattern([Piece])
    /// Values in columns, in their order: CSV, or an extended log (W3C).
    ///
    /// A column is nil if its meaning is of no interest.
    case columns(separator: UInt8, fields: [LogColumn?])
    /// An object in each line.
    case json

    /// A piece of a pattern.
    enum Piece: Hashable, Sendable {
        case literal([UInt8])
        /// A value; nil if its meaning is of no interest.
        case value(LogColumn?)

        var field: LogField? {
            switch self {
            case .literal: nil
            case .value(let column): column?.field
            }
        }
    }

    /// The format of nginx and Apache when nothing else is configured: everything after the status may differ.
    static let common = AccessLogFormat(pattern: "$remote_addr $ident $remote_user [$time_local] \"$request\" $status ")

    /// A format as it is in nginx's configuration.
    init(pattern text: String) {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                literal.append(byte)
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
            let inBraces = rest.first == UInt8(ascii: "{")
            if inBraces { rest.removeFirst() }
            let name = rest.prefix { $0.isDigit || $0.isASCIILetter || $0 == UInt8(ascii: "_") }
            rest.removeFirst(name.count)
            if inBraces, rest.first == UInt8(ascii: "}") { rest.removeFirst() }
            pieces.append(.value(LogColumn(name: String(decoding: name, as: UTF8.self))))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self = .pattern(pieces)
    }

    /// The format of a log that begins with a line; nil if it is none of the known ones.
    init?(firstLine line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        if line.first == UInt8(ascii: "{") {
            self = .json
            return
        }
        if text.hasPrefix("#Fields:") {
            let names = text.dropFirst(8).split(whereSeparator: \.isWhitespace).map(String.init)
            self = .columns(separator: UInt8(ascii: "\t"), fields: names.map { LogColumn(name: $0) })
            return
        }
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            // A byte order mark is no part of the first name.
            let texts = AccessLogFormat.values(
                line.starts(with: [0xEF, 0xBB, 0xBF]) ? line[3...] : line[...],
                separator
            )
            let format = AccessLogFormat.columns(separator: separator, fields: texts.map { LogColumn(name: $0) })
            guard format.hasRequest else { continue }
            self = format
            return
        }
        guard AccessLogFormat.common.request(line) != nil else { return nil }
        self = .common
    }

    /// Whether the first line has the names of the columns, and no request.
    var hasHeader: Bool {
        if case .columns = self { true } else { false }
    }

    /// Whether lines may have the keys of beacons.
    var mayHaveKeys: Bool { self.has(.key) }

    /// Whether each line may have other fields, so that only lines tell what a log has.
    var variesByLine: Bool { self == .json }

    /// Whether lines have the host of a request.
    var hasHost: Bool { self.has(.host) }

    /// Whether lines have what a comparison needs.
    var hasRequest: Bool { (self.has(.request) || self.has(.target)) && self.has(.status) }

    private func has(_ field: LogField) -> Bool {
        switch self {
        case .json: true
        case .columns(_, let columns): columns.contains { $0?.field == field }
        case .pattern(let pieces): pieces.contains { $0.field == field }
        }
    }

    /// The request of a line; nil if the line is not in this format.
    func request(_ line: [UInt8]) -> LoggedRequest? {
        var fields = LoggedFields()
        switch self {
        case .pattern(let pieces):
            guard AccessLogFormat.match(line, pieces, &fields) else { return nil }
        case .columns(let separator, let columns):
            // Extended logs of some servers separate with spaces.
            let isSpaced = separator == UInt8(ascii: "\t") && !line.contains(separator)
            let values = AccessLogFormat.values(line[...], isSpaced ? UInt8(ascii: " ") : separator)
            for case (let column?, let value) in zip(columns, values) { fields.set(column, value) }
        case .json:
            guard let json = try? AdJSON(parsing: line), case .object(let members) = json else { return nil }
            for member in members {
                guard let column = LogColumn(name: member.name) else { continue }
                let number = member.value.number.map { Int64(exactly: $0).map(String.init) ?? AdJSON.double($0).text() }
                if let text = member.value.string ?? number { fields.set(column, text) }
            }
        }
        return fields.result
    }

    private static func match(_ line: [UInt8], _ pieces: [Piece], _ fields: inout LoggedFields) -> Bool {
        var rest = line[...]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal):
                // The line may end before the last literal does.
                guard rest.starts(with: literal) || index == pieces.count - 1 && literal.starts(with: rest) else {
                    return false
                }
                rest = rest.dropFirst(literal.count)
            case .value(let column):
                var end = rest.endIndex
                if index + 1 < pieces.count, case .literal(let next) = pieces[index + 1] {
                    guard let found = self.first(next, in: rest) ?? (index + 2 == pieces.count ? end : nil) else {
                        return false
                    }
                    end = found
                }
                if let column { fields.set(column, String(decoding: rest[..<end], as: UTF8.self)) }
                rest = rest[end...]
            }
        }
        return true
    }

    /// Where a text begins first.
    private static func first(_ text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let start = text.first else { return nil }
        var at = bytes.startIndex
        while let found = bytes[at...].firstIndex(of: start) {
            if bytes[found...].starts(with: text) { return found }
            at = found + 1
        }
        return nil
    }

    /// The values of a line, of which each may be in quotation marks (RFC 4180).
    private static func values(_ line: ArraySlice<UInt8>, _ separator: UInt8) -> [String] {
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false
        var rest = line
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                if isQuoted, rest.first == byte {
                    value.append(byte)
                    rest.removeFirst()
                } else {
                    isQuoted.toggle()
                }
            case separator where !isQuoted:
                values.append(String(decoding: value, as: UTF8.self))
                value = []
            default: value.append(byte)
            }
        }
        return values + [String(decoding: value, as: UTF8.self)]
    }
}
