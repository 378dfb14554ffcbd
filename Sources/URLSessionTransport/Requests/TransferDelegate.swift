import Foundation
import SystemSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes what URLSession reports of a transfer to its exchange.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[ObjectIdentifier: Exchange]>([:])

    func add(_ exchange: Exchange, for transfer: URLSessionTask) {
        self.exchanges.withLock { $0[ObjectIdentifier(transfer)] = exchange }
    }

    func remove(_ transfer: URLSessionTask) {
        self.exchanges.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(transfer)) }
    }

    private func exchange(of transfer: URLSessionTask) -> Exchange? {
        self.exchanges.withLock { $0[ObjectIdentifier(transfer)] }
    }

    // MARK: URLSession

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // After a cancellation the answer would end the process, so the exchange decides.
            self.exchange(of: task)?.decline { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let start = ResponseStart(response) { self.exchange(of: dataTask)?.post(.head(start)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.exchange(of: dataTask)?.post(.bytes(Array(data)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let evidence = SendEvidence(metrics) else { return }
        self.exchange(of: task)?.post(.measured(evidence))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = self.exchange(of: task) else { return }
        #if canImport(FoundationNetworking)
            // A redirect without a usable URL is reported with the end only.
            if error == nil, let start = task.response.flatMap({ ResponseStart($0) }) { exchange.post(.head(start)) }
        #endif
        exchange.post(.ended(error.map { TransferError($0) }))
    }

    #if canImport(FoundationNetworking)
        // The response with status 401 is complete here. The default on Apple's systems is to return it; here the
        // transfer would never end.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            self.exchange(of: task)?.post(.ended(nil))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif
}
