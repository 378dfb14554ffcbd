// Re-exports the platform's C library; no other file imports it directly.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Darwin
#endif
