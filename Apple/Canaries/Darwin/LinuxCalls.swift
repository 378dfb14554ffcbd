import Darwin

// Calls and constants that only Linux has.

private func wait() -> Int32 { epoll_create1(0) }  // error: cannot find 'epoll_create1' in scope

private func flags() -> Int32 { MSG_NOSIGNAL }  // error: cannot find 'MSG_NOSIGNAL' in scope

private func name(_ thread: pthread_t) { pthread_setname_np(thread, "name") }  // error: extra argument in call
