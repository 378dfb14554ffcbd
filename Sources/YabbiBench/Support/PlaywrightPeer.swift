import AdCore
import LibC

/// Playwright (PyPI) doing what the stage does with the same browser, a turn at a time.
final class PlaywrightPeer {
    private let orders: UnsafeMutablePointer<FILE>
    private let answers: UnsafeMutablePointer<FILE>

    /// Starts it with a warm browser; says how to get it where there is none.
    init(browser: String, creative: String, _ folder: BenchFolder) throws(WishError) {
        let (script, page, pipe) = (folder.file("peer"), folder.file("creative"), folder.file("orders"))
        let command = "python3 '\(script)' '\(browser)' '\(page)' < '\(pipe)' 2>&1"
        guard PlaywrightPeer.write(PackageResources.playwright_py, script),
            PlaywrightPeer.write(Array(creative.utf8), page), mkfifo(pipe, 0o600) == 0,
            let answers = popen(command, "r")
        else { throw WishError(message: "the peer can't be started") }
        // Its other end is opened before Python runs.
        guard let orders = fopen(pipe, "w") else {
            pclose(answers)
            throw WishError(message: "the peer can't be told anything")
        }
        self.orders = orders
        self.answers = answers
        do throws(WishError) {
            _ = try self.ask("ready")
        } catch {
            self.end()
            throw WishError(message: "no Playwright (pip install playwright): \(error.message)")
        }
    }

    /// The milliseconds from a browser's start to its first picture.
    func cold() throws(WishError) -> Double { try self.ask("cold") }

    /// The ads in a second, so many of them in so many lanes.
    func throughput(lanes: Int, ads: Int) throws(WishError) -> Double { try self.ask("warm \(lanes) \(ads)") }

    /// Lets it end.
    func end() {
        fclose(self.orders)
        pclose(self.answers)
    }

    private func ask(_ order: String) throws(WishError) -> Double {
        fputs(order + "\n", self.orders)
        fflush(self.orders)
        var last = ""
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), self.answers) != nil {
            last = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let answer = try? AdJSON(parsing: last)["answer"]?.number { return answer }
        }
        throw WishError(message: last.excerpt(200))
    }

    private static func write(_ bytes: [UInt8], _ path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }
}
