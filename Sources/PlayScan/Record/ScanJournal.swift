package import AdCore
import LibC
import PlayConsole
import SystemSupport

/// The records of a scan in a file: one line each, written when the creative is judged, so that a scan that was killed
/// goes on.
package final class ScanJournal: Sendable {
    /// Why a journal can't be used.
    package struct Failure: Error, Hashable, Sendable {
        package let message: String
    }

    package let path: String
    private let descriptor: Int32
    private let failure = Locked<String?>(nil)

    /// Opens the journal, and makes it if it does not exist.
    ///
    /// A last line that a killed scan has not finished is ended, and left out when the journal is read.
    /// - Parameters:
    ///   - path: The file.
    ///   - isNew: Whether what it has is removed.
    /// - Throws: `Failure` if it can't be written, or is in use.
    package init(_ path: String, isNew: Bool = false) throws(Failure) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ScanJournal.error(path, "can't be written") }
        self.descriptor = descriptor
        // Two scans would judge each creative twice and mix their lines.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure(message: "\(path) is in use by another scan; wait for it, or use another folder")
        }
        if isNew, ftruncate(descriptor, 0) != 0 {
            close(descriptor)
            throw ScanJournal.error(path, "can't be written")
        }
        let size = lseek(descriptor, 0, SEEK_END)
        var last: UInt8 = 0x0A
        if size > 0, pread(descriptor, &last, 1, size - 1) == 1, last != 0x0A { _ = self.write([0x0A]) }
    }

    deinit { close(self.descriptor) }

    private static func error(_ path: String, _ what: String) -> Failure {
        Failure(message: "\(path) \(what): \(String(cString: strerror(errno)))")
    }

    /// Why a line could not be written; nil if all were.
    package var lostReason: String? { self.failure.withLock { $0 } }

    /// Adds a line.
    package func append(_ record: JudgedRecord) {
        if let reason = self.write(record.line + [0x0A]) { self.failure.withLock { $0 = $0 ?? reason } }
    }

    /// Writes bytes in one call if the system permits; returns an error message on failure.
    private func write(_ bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { LibC.write(self.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return ScanJournal.error(self.path, "can't be written").message }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    // MARK: Reading

    /// Where the last line of each creative is, by the checksum of its id: a journal of a million creatives is not held in
    /// memory.
    package struct Index: Sendable {
        private struct Entry {
            let digest: UInt64
            let offset: Int
        }

        private var entries: [UInt64: Entry] = [:]
        private let path: String

        /// Reads which creatives a journal has.
        package init(_ path: String) throws(Failure) {
            self.path = path
            guard let reader = LineReader(path) else { throw ScanJournal.error(path, "can't be read") }
            var offset = 0
            while let line = reader.next() {
                defer { offset = reader.offset }
                guard case .text(let bytes) = line, let json = try? AdJSON.reading(bytes).json,
                    let record = ScanRecord(json)
                else { continue }
                self.entries[Checksum.of(record.id)] = Entry(digest: Checksum.of(record.digest), offset: offset)
            }
        }

        /// The record of a creative with this digest, and its line; nil if there is none that is new enough, or if there
        /// was nothing to measure, so that it is worth another try.
        ///
        /// - Parameters:
        ///   - id: The creative.
        ///   - digest: The checksum of its source.
        ///   - oldest: The time before which records do not count; nil for any.
        /// - Returns: The record, and its line without the end.
        package func record(
            _ id: String,
            digest: String,
            since oldest: String? = nil
        ) -> (record: ScanRecord, line: [UInt8])? {
            guard let entry = self.entries[Checksum.of(id)], entry.digest == Checksum.of(digest),
                let reader = LineReader(self.path)
            else { return nil }
            reader.seek(to: entry.offset)
            guard case .text(let bytes)? = reader.next(), let json = try? AdJSON.reading(bytes).json,
                let record = ScanRecord(json), record.id == id, record.digest == digest, !record.isWithoutMeasures,
                oldest.map({ $0 <= record.scannedAt ?? "" }) ?? true
            else { return nil }
            return (record, bytes)
        }
    }

    /// Calls a closure with each record of a file, in order; returns the number of other lines.
    @discardableResult
    package static func read(_ path: String, _ body: (ScanRecord, AdJSON) -> Void) throws(Failure) -> Int {
        guard let reader = LineReader(path) else { throw self.error(path, "can't be read") }
        var others = 0
        while let line = reader.next() {
            guard case .text(let bytes) = line, let json = try? AdJSON.reading(bytes).json,
                let record = ScanRecord(json)
            else {
                others += 1
                continue
            }
            body(record, json)
        }
        return others
    }
}

/// The reasons that an earlier scan had, by creative.
package struct ScanBaseline: Sendable {
    private var rules: [String: [String: ScanLevel]] = [:]

    package init() {}

    /// Reads a journal or the lines of `scan --json`.
    package init(_ path: String) throws(ScanJournal.Failure) {
        var rules: [String: [String: ScanLevel]] = [:]
        try ScanJournal.read(path) { record, json in
            let known = (json["reasons"]?.array ?? []).compactMap(ScanReason.init).map { ($0.rule, $0.level) }
            rules[record.id] = Dictionary(known, uniquingKeysWith: max)
        }
        guard !rules.isEmpty else {
            throw ScanJournal.Failure(message: "\(path) has no verdicts; give the journal.jsonl of a scan's folder")
        }
        self.rules = rules
    }

    package var isEmpty: Bool { self.rules.isEmpty }

    /// The rules of a creative's reasons, with the most severe level of each.
    package subscript(id: String) -> [String: ScanLevel] { self.rules[id] ?? [:] }
}
