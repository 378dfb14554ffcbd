import AdCore
import AdRuntime
import ChromiumStage
import CurlTransport
import LibC
import PlayConsole
import PlayStages
import SQLiteLedger
import SandboxSSP
import WebKitStage
import WebStage

/// The probes of `doctor`.
///
/// They change nothing, except that starting a browser removes old profiles.
enum Probes {
    /// The time limit for showing a small page.
    private static let timeout = Duration.seconds(20)

    // MARK: Stages

    /// Shows a small page in a browser without network.
    static func browser(_ engine: BrowserEngineKind) async -> BrowserProbe {
        let path: String
        do throws(BrowserFailure) {
            path = try self.presenter(engine, isSandboxed: true).path
        } catch {
            return .missing(error.message)
        }
        let start = ContinuousClock.now
        switch await self.show(engine, isSandboxed: true) {
        case .success(let version): return .shown(path: path, version: version, after: start.duration(to: .now))
        case .failure(let failure):
            let unsandboxed = await self.show(engine, isSandboxed: false)
            let worksUnsandboxed = if case .success = unsandboxed { true } else { false }
            return .failed(path: path, reason: failure.message, worksUnsandboxed: worksUnsandboxed)
        }
    }

    /// A presenter, with the path of the program that it starts.
    private static func presenter(
        _ engine: BrowserEngineKind,
        isSandboxed: Bool
    ) throws(BrowserFailure) -> (path: String, presenter: any BrowserPresenter) {
        do {
            switch engine {
            case .chromium:
                var options = ChromiumOptions()
                options.network = .closed
                options.isSandboxed = isSandboxed
                let presenter = try ChromiumPresenter(options)
                return (presenter.browserPath, presenter)
            case .webKit:
                var options = WebKitOptions()
                options.isSandboxed = isSandboxed
                let presenter = try WebKitPresenter(options, transport: ClosedTransport())
                return (presenter.helperPath, presenter)
            }
        } catch {
            throw BrowserFailure(message: "\(error)")
        }
    }

    /// The network of a page that needs none.
    private struct ClosedTransport: Transport {
        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            throw TransportError(.notSent(.refused), "the page has no network")
        }
    }

    /// Shows the page, and returns the browser's version.
    private static func show(_ engine: BrowserEngineKind, isSandboxed: Bool) async -> Result<String?, ProbeFailure> {
        let presenter: any BrowserPresenter
        do throws(BrowserFailure) {
            presenter = try self.presenter(engine, isSandboxed: isSandboxed).presenter
        } catch {
            return .failure(ProbeFailure(message: error.message))
        }
        let show = Task { await self.show(on: presenter) }
        let timer = Timer.after(self.timeout) { show.cancel() }
        let outcome = await show.value
        timer.cancel()
        let version = await presenter.browserVersion()
        await presenter.close()
        return outcome.map { version }
    }

    private static func show(on presenter: any BrowserPresenter) async -> Result<Void, ProbeFailure> {
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
            var failure: ProbeFailure? = ProbeFailure(message: "the page was not visible in time")
            for await event in events {
                if case .revealed = event { failure = nil }
                if case .crashed(let reason, _) = event {
                    failure = ProbeFailure(message: "the page crashed: \(reason)")
                }
                if case .gone = event { failure = ProbeFailure(message: "the browser went away") }
                switch event {
                case .revealed, .crashed, .gone: continuation.finish()
                default: break
                }
            }
            await stage.close(.host)
            return failure.map { .failure($0) } ?? .success(())
        } catch {
            return .failure(ProbeFailure(message: error.message))
        }
    }

    /// The browser that `--headful` would use.
    ///
    /// It is not started.
    static func window() -> Result<String, ProbeFailure> {
        var options = ChromiumOptions()
        options.hasWindows = true
        do throws(ChromiumError) {
            return .success(try ChromiumPresenter(options).browserPath)
        } catch {
            return .failure(ProbeFailure(message: error.description))
        }
    }

    // MARK: Environment

    static func creatives(in folder: String?) -> Result<Int, ProbeFailure> {
        guard let folder else { return .success(0) }
        do throws(SandboxError) {
            return .success(try CreativeCatalogue.load(directory: folder).creatives.count)
        } catch {
            return .failure(ProbeFailure(message: error.message))
        }
    }

    /// Starts the built-in server and sends it a request.
    static func server() async -> Result<Duration, ProbeFailure> {
        let start = ContinuousClock.now
        do {
            let sandbox = try Sandbox.start()
            defer { sandbox.stop() }
            guard let url = sandbox.url("/sandbox/hits") else {
                preconditionFailure("A constant path makes a valid URL.")
            }
            let transport = try CurlTransport.forCommand()
            let limits = AdHTTPRequest.Limits(total: .seconds(5))
            let response = try await transport.send(AdHTTPRequest(.get, url, limits: limits))
            guard response.status == 200 else {
                return .failure(ProbeFailure(message: "it responded with status \(response.status)"))
            }
            return .success(start.duration(to: .now))
        } catch let error as SandboxError {
            return .failure(ProbeFailure(message: error.message))
        } catch let error as PlayError {
            return .failure(ProbeFailure(message: error.message))
        } catch {
            return .failure(ProbeFailure(message: "\(error)"))
        }
    }

    /// Why a folder is not writable; nil if it is.
    static func writeError(in folder: String) -> String? {
        var template = Array("\(folder)/yabbi-doctor-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        defer {
            close(file)
            unlink(template)
        }
        // On a full disk a file can be created, but not written.
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        errno = 0
        guard write(file, bytes, bytes.count) == bytes.count else {
            return errno == 0 ? "no space left" : String(cString: strerror(errno))
        }
        return nil
    }

    // MARK: Ledger

    /// Reads all beacons of a ledger.
    static func ledger(_ name: String) async -> LedgerProbe {
        do throws(PlayError) {
            let ledger = try await NamedLedger.existing(name)
            let probe: LedgerProbe
            do throws(LedgerError) {
                probe = .read(try await self.read(ledger))
            } catch {
                probe = .unreadable(error.message)
            }
            await ledger.close()
            return probe
        } catch {
            return .unreadable(error.message)
        }
    }

    private static func read(_ ledger: any StoredLedger) async throws(LedgerError) -> LedgerState {
        var state = LedgerState()
        state.integrityErrors = try await ledger.integrityErrors()
        guard state.integrityErrors.isEmpty else { return state }
        let now = SystemClock().wallTime
        var last = Int64.min
        while true {
            let page = try await ledger.entries(after: last, limit: 500)
            guard let end = page.last else { break }
            last = end.number
            for entry in page {
                state.counts.add(entry)
                guard !entry.state.isSettled else { continue }
                state.oldest = max(state.oldest ?? .zero, now - entry.recorded)
            }
        }
        state.dropped = try await ledger.summary().dropped
        return state
    }
}
