import AdBundle
import AdCore
import AdRuntime
import LibC
import PlayConsole
import PlayQueue
import PlayScan
import PostgresClient

/// Puts creatives into a queue.
struct QueueSubmit: Command {
    static let name = "submit"
    static let summary = "Stores creatives in a queue, with their bytes and the policy."
    static let operand = ScanCommand.operand
    static let options: [any OptionDeclaration] =
        [QueueOptions.queue, QueueOptions.label, priority, keep, keepPictures, ScanOptions.policy] + ScanSettings.own
        + ScanSettings.stored + [OutputOptions.json]

    static let priority = Option(
        "--priority",
        .other("<number>"),
        "Creatives with a higher one are scanned first, from -100 to 100.",
        OptionValue.count(-100...100)
    ).default("0")
    static let keep = Option(
        "--keep",
        .other("<days>"),
        "How long verdicts are kept.",
        OptionValue.count(1...3650)
    ).default("90")
    static let keepPictures = Option(
        "--keep-pictures",
        .other("<days>"),
        "How long pictures are kept; 0 for none.",
        OptionValue.count(0...3650)
    ).default("30")

    private let address: PostgresAddress
    private let sources: [String]
    private let label: String?
    private let policyName: String
    private let priority: Int
    private let kept: (days: Int, pictureDays: Int)
    private let isJSON: Bool
    private let arguments: Arguments

    /// How many creatives and bytes are sent at once.
    private static let batch = (count: 500, bytes: 4 << 20)
    /// The greatest size of a creative, packed.
    private static let maxBytes = 32 << 20

    init(_ arguments: Arguments) throws(UsageError) {
        self.address = try QueueOptions.address(arguments)
        self.sources = try ScanOptions.sources(arguments.operands)
        self.label = try arguments.value(QueueOptions.label)
        self.policyName = try arguments.value(ScanOptions.policy)
        self.priority = try arguments.value(Self.priority)
        self.kept = (try arguments.value(Self.keep), try arguments.value(Self.keepPictures))
        self.isJSON = arguments.has(OutputOptions.json)
        self.arguments = arguments
        // What is wrong with a combination is told before anything is stored.
        _ = try ScanSettings(stored: ScanSettings.stored(arguments, for: ScanItem("", .markup([]), from: "")), [])
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let source = try ScanSession.source(self.policyName)
        let policy: ScanPolicy
        do throws(PolicyError) {
            policy = try source.policy()
        } catch {
            throw PlayError(.usage, "the policy can't be used: \(error.message)")
        }
        let queued = QueuedPolicy(policy.name, version: policy.version, files: source.json.text())
        let label = self.label ?? CalendarText.iso8601(SystemClock().wallTime)
        return try await QueueOptions.withQueue(self.address, createsTables: true, console) { queue throws(PlayError) in
            let number = try await QueueOptions.call { () throws(QueueError) in try await queue.add(queued) }
            let submission = Submission(
                label,
                by: number,
                priority: self.priority,
                keptDays: self.kept.days,
                keptPictureDays: self.kept.pictureDays
            )
            let counts = try await self.submit(to: queue, submission, console)
            guard counts.total > 0 else { throw PlayError(.usage, "the sources have no creatives") }
            self.print(counts, label, queued, console)
            return .done
        }
    }

    private func submit(
        to queue: CreativeQueue,
        _ submission: Submission,
        _ console: any Console
    ) async throws(PlayError) -> SubmittedCounts {
        let feed = ScanFeed(self.sources)
        var counts = SubmittedCounts()
        var (batch, bytes) = ([SubmittedCreative](), 0)
        while let item = try await self.next(feed) {
            let creative = self.creative(item)
            batch.append(creative)
            bytes += creative.bytes.count
            guard batch.count >= Self.batch.count || bytes >= Self.batch.bytes else { continue }
            counts += try await self.send(batch, to: queue, submission, after: counts.total)
            (batch, bytes) = ([], 0)
            if !self.isJSON, console.showsProgress { console.showProgress("submitted \(counts.total)") }
        }
        if !batch.isEmpty { counts += try await self.send(batch, to: queue, submission, after: counts.total) }
        console.showProgress(nil)
        return counts
    }

    /// Sends a batch; an error says how to go on.
    private func send(
        _ batch: [SubmittedCreative],
        to queue: CreativeQueue,
        _ submission: Submission,
        after count: Int
    ) async throws(PlayError) -> SubmittedCounts {
        do throws(PlayError) {
            return try await QueueOptions.call { () throws(QueueError) in try await queue.submit(batch, submission) }
        } catch {
            throw PlayError(
                error.code,
                """
                \(error.message); \(Quantity.text(count, "creative")) submitted before; submit all again with \
                --label "\(submission.label)": what is in the queue is not added twice
                """
            )
        }
    }

    private func next(_ feed: ScanFeed) async throws(PlayError) -> ScanItem? {
        do throws(ScanList.Failure) {
            return try await feed.next()
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    private func print(
        _ counts: SubmittedCounts,
        _ label: String,
        _ policy: QueuedPolicy,
        _ console: any Console
    ) {
        guard !self.isJSON else {
            let line: AdJSON = [
                "event": "submitted", "label": .string(label), "total": .int(counts.total),
                "new": .int(counts.new), "judged": .int(counts.judged), "policy": .string(policy.name),
                "policyVersion": .string(policy.version),
            ]
            return console.out(line.text())
        }
        var parts = ["\(counts.new) new"]
        if counts.judged > 0 { parts.append("\(counts.judged) have a verdict by this version of the policy") }
        if counts.known > 0 { parts.append("\(counts.known) are in the queue already") }
        console.out("\(Quantity.text(counts.total, "creative")) submitted: \(parts.joined(separator: ", "))")
        console.out("  label \(Style.printable(label)), policy \(Style.printable(policy.name))")
    }

    // MARK: Creatives

    /// The creative with its bytes; what can't be read is a creative that fails.
    private func creative(_ item: ScanItem) -> SubmittedCreative {
        let settings = ScanSettings.stored(self.arguments, for: item)
        func submitted(_ kind: SubmittedCreative.Kind, _ bytes: [UInt8]) -> SubmittedCreative {
            SubmittedCreative(item.id, from: item.source, kind, bytes, settings: settings)
        }
        switch item.content {
        case .url(let text): return submitted(.url, Array(text.utf8))
        case .markup(let bytes): return submitted(.markup, bytes)
        case .invalid(let reason): return submitted(.invalid, Array(reason.utf8))
        case .path(let path):
            do throws(PlayError) {
                let bytes = try self.bytes(of: path)
                guard bytes.count <= Self.maxBytes else {
                    let limit = Quantity.bytes(Self.maxBytes)
                    throw PlayError(.usage, "\(path) is larger than \(limit); put its media on a server")
                }
                return submitted(.markup, bytes)
            } catch {
                return submitted(.invalid, Array(error.message.utf8))
            }
        }
    }

    private func bytes(of path: String) throws(PlayError) -> [UInt8] {
        guard SourceReader.isFolder(path) else { return try SourceReader.file(path) }
        guard let bytes = try SourceReader.bundle(path).zipped() else {
            throw PlayError(.usage, "\(path) can't be packed into a zip file; pack it, and submit that file")
        }
        return bytes
    }
}
