import AdCore
import LibC

/// Playwright (PyPI), doing the same as the stage with the same browser.
final class PlaywrightPeer {
    private let requests: UnsafeMutablePointer<FILE>
    private let responses: UnsafeMutablePointer<FILE>

    /// Starts Playwright with a warm browser; the error has the way to install it.
    init(browser: String, creative: String, _ folder: BenchFolder) throws(BenchError) {
        let (script, page, pipe) = (folder.file("peer"), folder.file("creative"), folder.file("requests"))
        let command = "python3 '\(script)' '\(browser)' '\(page)' < '\(pipe)' 2>&1"
        guard BenchFolder.write(PackageResources.playwright_py, script),
            BenchFolder.write(Array(creative.utf8), page), mkfifo(pipe, 0o600) == 0,
            let responses = popen(command, "r")
        else { throw BenchError(message: "can't start Playwright") }
        // The shell opens the pipe's other end before Python runs.
        guard let requests = fopen(pipe, "w") else {
            pclose(responses)
            throw BenchError(message: "can't open the pipe to Playwright")
        }
        self.requests = requests
        self.responses = responses
        do throws(BenchError) {
            _ = try self.send("ready")
        } catch {
            self.end()
            throw BenchError(message: "Playwright is not available (pip install playwright): \(error.message)")
        }
    }

    /// The milliseconds from a browser's start to its first screenshot.
    func cold() throws(BenchError) -> Double { try self.send("cold") }

    /// The number of ads per second, with a number of concurrent lanes.
    func throughput(lanes: Int, ads: Int) throws(BenchError) -> Double { try self.send("warm \(lanes) \(ads)") }

    /// The seconds for loading, tapping and picturing the creatives of a folder.
    func scan(lanes: Int, folder: String) throws(BenchError) -> Double { try self.send("scan \(lanes) \(folder)") }

    /// The seconds for the same in one warm page for each lane, with nothing logged.
    func showOnly(lanes: Int, folder: String) throws(BenchError) -> Double { try self.send("show \(lanes) \(folder)") }

    /// Ends Playwright and its browser.
    func end() {
        fclose(self.requests)
        pclose(self.responses)
    }

    private func send(_ request: String) throws(BenchError) -> Double {
        fputs(request + "\n", self.requests)
        fflush(self.requests)
        var last = ""
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), self.responses) != nil {
            last = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let answer = try? AdJSON(parsing: last)["answer"]?.number { return answer }
        }
        throw BenchError(message: last.excerpt(200))
    }
}
