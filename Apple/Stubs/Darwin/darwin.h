// What this package uses of Apple's C library, with Apple's types: mode_t has 16 bits, nfds_t is an int, pthread_t is a
// pointer. Above each group is the page that it was written from. POSIX has the functions; where the widths are Apple's
// choice, they are those of the public sources of its system.

#ifndef YABBI_APPLE_DARWIN_H
#define YABBI_APPLE_DARWIN_H

#include <stddef.h>
#include <stdint.h>

// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/types.h
typedef long ssize_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef uint32_t useconds_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/errno.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/errno.h
extern int *__error(void);
#define errno (*__error())
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define ENOSPC 28
#define EROFS 30
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EMSGSIZE 40
#define ELOOP 62
#define ENAMETOOLONG 63
#define EDQUOT 69

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/stdio.h.html
typedef struct __sFILE FILE;

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/stdlib.h.html
void *malloc(size_t);
void free(void *);
char *getenv(const char *);
int atexit(void (*_Nonnull)(void));
void abort(void) __attribute__((__noreturn__));

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/string.h.html
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
size_t strlen(const char *);
char *strerror(int);
int strerror_r(int, char *, size_t);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/iconv.h.html
typedef void *iconv_t;

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/time.h.html
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
// https://github.com/apple-oss-distributions/Libc/blob/main/include/time.h
typedef enum {
    CLOCK_REALTIME = 0,
    CLOCK_MONOTONIC = 6,
    CLOCK_UPTIME_RAW = 8,
} clockid_t;
int clock_gettime(clockid_t, struct timespec *);
struct tm *localtime_r(const time_t *, struct tm *);
void tzset(void);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/sys_stat.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/stat.h
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int mkdir(const char *, mode_t);
int fchmod(int, mode_t);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/fcntl.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/fcntl.h
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/unistd.h.html
#define F_OK 0
int access(const char *, int);
int close(int);
int fchown(int, uid_t, gid_t);
int fsync(int);
uid_t geteuid(void);
pid_t getpid(void);
int pipe(int *);
ssize_t read(int, void *, size_t);
int rename(const char *, const char *);
int unlink(const char *);
int usleep(useconds_t);
ssize_t write(int, const void *, size_t);

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
int flock(int, int);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/poll.h.html
#define POLLIN 0x0001
#define POLLOUT 0x0004
struct pollfd {
    int fd;
    short events;
    short revents;
};
typedef unsigned int nfds_t;
int poll(struct pollfd *, nfds_t, int);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/sys_socket.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/socket.h
#define SOCK_STREAM 1
#define AF_UNSPEC 0
#define AF_INET 2
#define AF_INET6 30
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
struct sockaddr {
    uint8_t sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/netinet_in.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/netinet/in.h
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/netinet6/in6.h
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in {
    uint8_t sin_len;
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};
struct in6_addr {
    union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __u6_addr;
};
struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/netdb.h.html
struct addrinfo {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    socklen_t ai_addrlen;
    char *ai_canonname;
    struct sockaddr *ai_addr;
    struct addrinfo *ai_next;
};
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/signal.h.html
// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/signal.h
typedef uint32_t sigset_t;
#define SIG_BLOCK 1
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
int sigfillset(sigset_t *);
int sigdelset(sigset_t *, int);

// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/pthread.h.html
// https://github.com/apple-oss-distributions/libpthread/blob/main/include/pthread/pthread.h
// All are structs of a fixed size; a thread is a pointer to one.
struct _opaque_pthread_t { long signature; char content[8184]; };
struct _opaque_pthread_attr_t { long signature; char content[56]; };
struct _opaque_pthread_mutex_t { long signature; char content[56]; };
struct _opaque_pthread_mutexattr_t { long signature; char content[8]; };
struct _opaque_pthread_cond_t { long signature; char content[40]; };
struct _opaque_pthread_condattr_t { long signature; char content[8]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t pthread_cond_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(
    pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable, void *_Nullable (*_Nonnull)(void *_Nonnull),
    void *_Nullable
);
int pthread_detach(pthread_t _Nonnull);
int pthread_join(pthread_t _Nonnull, void *_Nullable *_Nullable);
pthread_t _Nonnull pthread_self(void);
int pthread_setname_np(const char *_Nonnull);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
int pthread_mutex_init(pthread_mutex_t *_Nonnull, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *_Nonnull);
int pthread_mutex_lock(pthread_mutex_t *_Nonnull);
int pthread_mutex_unlock(pthread_mutex_t *_Nonnull);
int pthread_cond_init(pthread_cond_t *_Nonnull, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *_Nonnull);
int pthread_cond_signal(pthread_cond_t *_Nonnull);
int pthread_cond_wait(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull);

#endif
