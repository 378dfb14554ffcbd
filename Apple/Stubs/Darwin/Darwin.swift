@_exported import Darwin

// What C's macros and variable arguments hide from Swift; Apple's overlay of its C library has it.
// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift

/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/errno.html
public var errno: Int32 { get set }

/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/open.html
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32

/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/open.html
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32

/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/fcntl.html
public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32

/// https://pubs.opengroup.org/onlinepubs/9799919799/functions/fcntl.html
public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32

/// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/sys_stat.h.html
public var S_IFMT: mode_t { get }

/// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/sys_stat.h.html
public var S_IFDIR: mode_t { get }

/// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/sys_stat.h.html
public var S_IFREG: mode_t { get }
