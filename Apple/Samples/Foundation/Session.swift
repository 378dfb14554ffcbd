import Foundation
import Network

/// What a transport over URLSession uses.
final class SampleSession: NSObject, URLSessionDataDelegate, URLSessionWebSocketDelegate {
    func load(_ url: URL) async throws -> Int? {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = "POST"
        request.httpBody = Data([1, 2])
        request.setValue("1", forHTTPHeaderField: "X-Number")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        do {
            return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode
        } catch let error as URLError where error.code == .cannotFindHost {
            return nil
        }
    }

    func listen(_ task: URLSessionWebSocketTask) async throws -> String? {
        switch try await task.receive() {
        case .string(let text): text
        case .data: nil
        @unknown default: nil
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(response.statusCode == 302 ? request : nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if data.count > 100 { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let last = metrics.transactionMetrics.last
        _ = last?.requestStartDate == nil && last?.isReusedConnection == false
    }

    static func watch(_ handle: @escaping @Sendable (Bool) -> Void) -> NWPathMonitor {
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { handle($0.status == .satisfied && !$0.usesInterfaceType(.cellular)) }
        monitor.start(queue: .main)
        return monitor
    }
}
