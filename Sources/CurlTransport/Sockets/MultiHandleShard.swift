import CLibcurl
import LibC

/// A libcurl multi handle for a few dozen sockets.
///
/// libcurl looks through all connections of a multi handle whenever one of them sends or receives, so many sockets
/// need several handles; each of these costs two file descriptors, so not each socket gets one of its own. A thousand
/// sockets in one handle carried 31,000 echoes a second, 32 in each carried 40,000 to 50,000.
final class MultiHandleShard {
    /// How many sockets share a handle.
    static let room = 32

    let multi: UnsafeMutableRawPointer
    /// How many sockets it has.
    var count = 0
    /// When libcurl wants to be called even if nothing is ready; nil where it has nothing to wait for.
    private(set) var due: ContinuousClock.Instant?
    /// What libcurl waits for while it connects, and where that stands in the watch.
    var places: [curl_socket_t: Int] = [:]
    /// Is told what libcurl wants to know of a socket.
    var onInterest: (MultiHandleShard, curl_socket_t, Int32) -> Void = { _, _, _ in }

    init?() {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        // A cache that is full would close the socket that has been silent for the longest time.
        yabbi_multi_set_long(multi, CURLMOPT_MAXCONNECTS, MultiHandleShard.room * 4)
        let context = Unmanaged.passUnretained(self).toOpaque()
        yabbi_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        yabbi_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        yabbi_multi_set_socket_callback(multi) { _, socket, what, context, _ in
            guard let context else { return 0 }
            let stall = Unmanaged<MultiHandleShard>.fromOpaque(context).takeUnretainedValue()
            stall.onInterest(stall, socket, what)
            return 0
        }
        yabbi_multi_set_timer_callback(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            let stall = Unmanaged<MultiHandleShard>.fromOpaque(context).takeUnretainedValue()
            stall.due = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
            return 0
        }
    }

    deinit { curl_multi_cleanup(self.multi) }

    /// Lets libcurl go on with what became ready.
    func act(_ socket: curl_socket_t, _ events: Int16) {
        var what: Int32 = 0
        if events & Int16(POLLIN | POLLHUP) != 0 { what |= CURL_CSELECT_IN }
        if events & Int16(POLLOUT) != 0 { what |= CURL_CSELECT_OUT }
        if events & Int16(POLLERR | POLLNVAL) != 0 { what |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        curl_multi_socket_action(self.multi, socket, what, &running)
    }

    /// Lets libcurl do what is due; false where nothing is.
    func actIfDue(_ now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        var running: Int32 = 0
        curl_multi_socket_action(self.multi, CURL_SOCKET_TIMEOUT, 0, &running)
        return true
    }

    /// The handles that are connected or have failed since the last time.
    func finished() -> [(handle: UnsafeMutableRawPointer, code: CURLcode)] {
        var result: [(UnsafeMutableRawPointer, CURLcode)] = []
        var left: Int32 = 0
        while let message = curl_multi_info_read(self.multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            result.append((handle, yabbi_message_result(message)))
        }
        return result
    }
}
