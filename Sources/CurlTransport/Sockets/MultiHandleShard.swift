import CLibcurl
import LibC

/// A libcurl multi handle for up to 32 sockets.
///
/// libcurl searches all connections of a multi handle whenever one of them sends or receives, and each handle costs two
/// file descriptors. Measured: a thousand sockets in one handle carried 31,000 echoes a second, with 32 per handle
/// 40,000 to 50,000.
final class MultiHandleShard {
    /// The maximum number of sockets per handle.
    static let capacity = 32

    let multi: UnsafeMutableRawPointer
    /// The number of sockets in this handle.
    var count = 0
    /// When libcurl's timer fires; nil if it has none.
    private(set) var due: ContinuousClock.Instant?
    /// The poll set indices of the sockets that libcurl waits for while connecting.
    var pollIndices: [curl_socket_t: Int] = [:]
    /// Called when libcurl changes the events it waits for on a socket.
    var onInterest: (MultiHandleShard, curl_socket_t, Int32) -> Void = { _, _, _ in }

    init?() {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        // A full connection cache would close the socket that was idle for the longest time.
        yabbi_multi_set_long(multi, CURLMOPT_MAXCONNECTS, MultiHandleShard.capacity * 4)
        let context = Unmanaged.passUnretained(self).toOpaque()
        yabbi_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        yabbi_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        yabbi_multi_set_socket_callback(multi) { _, socket, what, context, _ in
            guard let context else { return 0 }
            let shard = Unmanaged<MultiHandleShard>.fromOpaque(context).takeUnretainedValue()
            shard.onInterest(shard, socket, what)
            return 0
        }
        yabbi_multi_set_timer_callback(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            let shard = Unmanaged<MultiHandleShard>.fromOpaque(context).takeUnretainedValue()
            shard.due = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
            return 0
        }
    }

    deinit { curl_multi_cleanup(self.multi) }

    /// Passes the ready events of a socket to libcurl.
    func perform(_ socket: curl_socket_t, _ events: Int16) {
        var what: Int32 = 0
        if events & Int16(POLLIN | POLLHUP) != 0 { what |= CURL_CSELECT_IN }
        if events & Int16(POLLOUT) != 0 { what |= CURL_CSELECT_OUT }
        if events & Int16(POLLERR | POLLNVAL) != 0 { what |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        curl_multi_socket_action(self.multi, socket, what, &running)
    }

    /// Runs libcurl's timer if it is due; false if it isn't.
    func runTimerIfDue(_ now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        var running: Int32 = 0
        curl_multi_socket_action(self.multi, CURL_SOCKET_TIMEOUT, 0, &running)
        return true
    }

    /// The handles that have connected or failed since the last call.
    func completedHandles() -> [(handle: UnsafeMutableRawPointer, code: CURLcode)] {
        var result: [(UnsafeMutableRawPointer, CURLcode)] = []
        var left: Int32 = 0
        while let message = curl_multi_info_read(self.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            result.append((handle, yabbi_message_result(message)))
        }
        return result
    }
}
