import Foundation
import LibC

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionWebSocketTask: SocketTask {
    func send(_ text: String, report: @escaping @Sendable ((any Error)?) -> Void) {
        self.send(.string(text), completionHandler: report)
    }

    func receive(report: @escaping @Sendable (SocketTaskMachine.Input) -> Void) {
        self.receive { result in
            switch result {
            case .success(.string(let text)): report(.text(text))
            case .success(.data(let data)): report(.binary(count: data.count))
            // A kind of message that a later system adds.
            case .success: report(.binary(count: 0))
            case .failure(let error):
                let known = error as NSError
                let isTooLong = known.domain == NSPOSIXErrorDomain && known.code == Int(EMSGSIZE)
                report(.receiveFailed(error.localizedDescription, isTooLong: isTooLong))
            }
        }
    }

    func close(code: UInt16) { self.cancel(with: CloseCode(rawValue: Int(code)) ?? .normalClosure, reason: nil) }
}
