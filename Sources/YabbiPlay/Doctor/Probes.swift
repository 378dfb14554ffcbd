import AdCore
import AdRuntime
import ChromiumStage
import CurlTransport
import LibC
import PlayConsole
import SQLiteLedger
import SandboxSSP

/// What the doctor does to find out what works: each leaves everything as it was, or cleaner.
enum Probes {
    /// How long a browser has to show a small page.
    private static let patience = Duration.seconds(20)

    // MARK: Stages

    /// Shows a small page in a browser that reaches nothing.
    static func browser() async -> BrowserProbe {
        let path: String
        do throws(ChromiumError) {
            path = try self.presenter(isSandboxed: true).browserPath
        } catch {
            return .missing(error.description)
        }
        let start = ContinuousClock.now
        switch await self.show(isSandboxed: true) {
        case .success(let version): return .shown(path: path, version: version, after: start.duration(to: .now))
        case .failure(let fault):
            let bare = await self.show(isSandboxed: false)
            let worksUnsandboxed = if case .success = bare { true } else { false }
            return .failed(path: path, why: fault.message, worksUnsandboxed: worksUnsandboxed)
        }
    }

    private static func presenter(isSandboxed: Bool) throws(ChromiumError) -> ChromiumPresenter {
        var options = ChromiumOptions()
        options.network = .closed
        options.isSandboxed = isSandboxed
        return try ChromiumPresenter(options)
    }

    /// Shows the page; returns what the browser calls itself.
    private static func show(isSandboxed: Bool) async -> Result<String?, DoctorFault> {
        let presenter: ChromiumPresenter
        do throws(ChromiumError) {
            presenter = try self.presenter(isSandboxed: isSandboxed)
        } catch {
            return .failure(DoctorFault(message: error.description))
        }
        let show = Task { await self.show(on: presenter) }
        let alarm = Task {
            guard (try? await Task.sleep(for: self.patience)) != nil else { return }
            show.cancel()
        }
        let outcome = await show.value
        alarm.cancel()
        let version = await presenter.browserVersion()
        await presenter.close()
        return outcome.map { version }
    }

    private static func show(on presenter: ChromiumPresenter) async -> Result<Void, DoctorFault> {
        let markup = "<p>Hello</p>"
        let creative = Creative.html(HTMLCreative(markup: markup, document: "<!DOCTYPE html><body>\(markup)</body>"))
        let size = CreativeLayout(.adaptive, in: await presenter.container(for: .banner))
        let (events, continuation) = AsyncStream.makeStream(of: StageEvent.self)
        do throws(StageError) {
            let stage = try await presenter.stage(creative, StageOptions(ad: AdID("doctor"), kind: .banner, size: size))
            {
                continuation.yield($0)
            }
            await stage.reveal()
            var fault: DoctorFault? = DoctorFault(message: "the page was not to be seen in time")
            for await event in events {
                if case .revealed = event { fault = nil }
                if case .crashed(let reason, _) = event { fault = DoctorFault(message: "the page crashed: \(reason)") }
                if case .gone = event { fault = DoctorFault(message: "the browser went away") }
                switch event {
                case .revealed, .crashed, .gone: continuation.finish()
                default: break
                }
            }
            await stage.close(.host)
            return fault.map { .failure($0) } ?? .success(())
        } catch {
            return .failure(DoctorFault(message: error.message))
        }
    }

    /// The browser that would open a window; none is opened.
    static func window() -> Result<String, DoctorFault> {
        var options = ChromiumOptions()
        options.hasWindows = true
        do throws(ChromiumError) {
            return .success(try ChromiumPresenter(options).browserPath)
        } catch {
            return .failure(DoctorFault(message: error.description))
        }
    }

    // MARK: What is around

    static func creatives(in folder: String?) -> Result<Int, DoctorFault> {
        guard let folder else { return .success(0) }
        do throws(SandboxError) {
            return .success(try CreativeCatalogue.load(directory: folder).creatives.count)
        } catch {
            return .failure(DoctorFault(message: error.message))
        }
    }

    /// Starts the built-in server and asks it something.
    static func server() async -> Result<Duration, DoctorFault> {
        let start = ContinuousClock.now
        do {
            let sandbox = try Sandbox.start()
            defer { sandbox.stop() }
            guard let url = sandbox.url("/sandbox/hits") else { preconditionFailure("A path of ours is an address.") }
            let transport = try CurlTransport.forCommand()
            let limits = AdHTTPRequest.Limits(total: .seconds(5))
            let answer = try await transport.send(AdHTTPRequest(.get, url, limits: limits))
            guard answer.status == 200 else {
                return .failure(DoctorFault(message: "it answers with \(answer.status)"))
            }
            return .success(start.duration(to: .now))
        } catch let error as SandboxError {
            return .failure(DoctorFault(message: error.message))
        } catch let error as PlayError {
            return .failure(DoctorFault(message: error.message))
        } catch {
            return .failure(DoctorFault(message: "\(error)"))
        }
    }

    /// Why nothing can be written to a folder; nil where it can.
    static func refusal(of folder: String) -> String? {
        var template = Array("\(folder)/yabbi-doctor-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        defer {
            close(file)
            unlink(template)
        }
        // A full disk gives a name, and no room.
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        errno = 0
        guard write(file, bytes, bytes.count) == bytes.count else {
            return errno == 0 ? "there is no room" : String(cString: strerror(errno))
        }
        return nil
    }

    // MARK: The ledger

    /// Reads a ledger from its first beacon to its last.
    static func ledger(_ name: String) async -> LedgerLook {
        do throws(PlayError) {
            let ledger = try await LedgerFile.existing(name)
            let look: LedgerLook
            do throws(LedgerError) {
                look = .read(try await self.read(ledger))
            } catch {
                look = .refused(error.message)
            }
            await ledger.close()
            return look
        } catch {
            return .refused(error.message)
        }
    }

    private static func read(_ ledger: SQLiteLedger) async throws(LedgerError) -> LedgerFinding {
        var finding = LedgerFinding()
        finding.faults = try await ledger.faults()
        guard finding.faults.isEmpty else { return finding }
        let now = SystemClock().wallTime
        var last = Int64.min
        while true {
            let page = try await ledger.entries(after: last, limit: 500)
            guard let end = page.last else { break }
            last = end.number
            for entry in page {
                finding.counts.add(entry)
                guard !entry.state.isSettled else { continue }
                finding.oldest = max(finding.oldest ?? .zero, now - entry.recorded)
            }
        }
        finding.dropped = try await ledger.summary().dropped
        return finding
    }
}
