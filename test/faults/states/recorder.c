/*
 * Records what a process and its children do to the files below one directory, in the order in which it happens:
 *   cc -shared -fPIC -O2 -o recorder.so recorder.c -ldl -pthread
 *   TOPOLOG_RECORD=ops TOPOLOG_RECORD_ROOT=/real/path LD_PRELOAD=./recorder.so program
 * An operation and its record are one step under a lock of all processes, so the record file has one order. Nothing is really synced:
 * a sync is recorded where it begins and where it ends, with a random pause (TOPOLOG_RECORD_PAUSE, microseconds at most) in between, so
 * that others overlap it as they would on a disk. record.ts reads the file.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, SYNCED, CLOSE, RENAME, LINK, SYMLINK, UNLINK, MKDIR, RMDIR, MARK, UNSEEN };
#define MOST_FDS 65536

struct head {
  uint32_t length;
  uint32_t type;
  uint64_t handle;
  int64_t a, b;
  uint32_t one, two, data;
  uint32_t pid;
};

static char root[PATH_MAX];
static size_t rootLength;
static int recordFd = -1;
static pid_t owner;
static long pauseMost;
static uint64_t handles[MOST_FDS];
static uint32_t counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ({ static __typeof__(&name) f; if (!f) f = dlsym(RTLD_NEXT, #name); f; })

static long rawSyscall(long n, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = n;
  register long result __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#else
#error "the recorder knows x86-64 and arm64 only"
#endif
  if (result < 0 && result > -4096) {
    errno = (int)-result;
    return -1;
  }
  return result;
}
#define RAW(n, ...) RAW_(n, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define RAW_(n, a, b, c, d, e, f, ...) rawSyscall(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static void start(void) {
  const char *file = getenv("TOPOLOG_RECORD");
  const char *place = getenv("TOPOLOG_RECORD_ROOT");
  if (file == NULL || place == NULL || strlen(place) >= sizeof root) return;
  strcpy(root, place);
  rootLength = strlen(root);
  pauseMost = atol(getenv("TOPOLOG_RECORD_PAUSE") ? getenv("TOPOLOG_RECORD_PAUSE") : "0");
  int fd = (int)RAW(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;
  /* High up, where no program that closes or counts its descriptors meets it. */
  recordFd = (int)RAW(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
  RAW(SYS_close, fd);
  owner = getpid();
}

static void lock(void) {
  pthread_mutex_lock(&mutex);
  if (recordFd >= 0 && owner != getpid()) {
    /* After a fork: an open file of its own, as locks belong to those. */
    start();
    counter = 0;
  }
  RAW(SYS_flock, recordFd, LOCK_EX);
}

static void unlock(void) {
  int kept = errno;
  RAW(SYS_flock, recordFd, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = kept;
}

static void put(int type, uint64_t handle, int64_t a, int64_t b, const char *one, const char *two, const void *data, size_t octets) {
  int kept = errno;
  struct head h = {0, (uint32_t)type, handle, a, b, one ? (uint32_t)strlen(one) : 0, two ? (uint32_t)strlen(two) : 0, (uint32_t)octets, (uint32_t)getpid()};
  h.length = (uint32_t)sizeof h + h.one + h.two + h.data;
  struct iovec parts[4] = {{&h, sizeof h}, {(void *)one, h.one}, {(void *)two, h.two}, {(void *)data, octets}};
  if (RAW(SYS_writev, recordFd, parts, 4) != (long)h.length) _exit(97);
  errno = kept;
}

static uint64_t track(int fd) {
  return handles[fd] = ((uint64_t)getpid() << 32) | ++counter;
}

static int tracked(int fd) {
  return recordFd >= 0 && fd >= 0 && fd < MOST_FDS && handles[fd] != 0;
}

static int isBelow(const char *path) {
  return strncmp(path, root, rootLength) == 0 && (path[rootLength] == '/' || path[rootLength] == 0);
}

/* The path below the root that a name means, its last part not followed; 0: it is elsewhere. */
static int below(int dirfd, const char *name, char *out) {
  if (recordFd < 0 || name == NULL) return 0;
  int kept = errno;
  char whole[PATH_MAX * 2], dir[PATH_MAX];
  if (name[0] == '/') {
    if (!isBelow(name)) return 0;
    snprintf(whole, sizeof whole, "%s", name);
  } else {
    char at[64], base[PATH_MAX];
    if (dirfd == AT_FDCWD) snprintf(at, sizeof at, "/proc/self/cwd");
    else snprintf(at, sizeof at, "/proc/self/fd/%d", dirfd);
    ssize_t n = readlink(at, base, sizeof base - 1);
    if (n < 0) return errno = kept, 0;
    base[n] = 0;
    if (!isBelow(base)) return errno = kept, 0;
    snprintf(whole, sizeof whole, "%s/%s", base, name);
  }
  size_t n = strlen(whole);
  while (n > rootLength && whole[n - 1] == '/') whole[--n] = 0;
  if (n == rootLength) return strcpy(out, "."), errno = kept, 1;
  char *slash = strrchr(whole, '/');
  *slash = 0;
  int found = realpath(whole, dir) != NULL && isBelow(dir);
  errno = kept;
  if (!found) return 0;
  if (dir[rootLength] == 0) snprintf(out, PATH_MAX, "%s", slash + 1);
  else snprintf(out, PATH_MAX, "%s/%s", dir + rootLength + 1, slash + 1);
  return 1;
}

/* Of an open file: where it really is. */
static int belowFd(int fd, char *out) {
  char at[64], found[PATH_MAX];
  snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(at, found, sizeof found - 1);
  if (n < 0) return 0;
  found[n] = 0;
  if (!isBelow(found)) return 0;
  snprintf(out, PATH_MAX, "%s", found[rootLength] == 0 ? "." : found + rootLength + 1);
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  start();
  if (recordFd < 0) return;
  /* Files that the process was started with. */
  char path[PATH_MAX];
  for (int fd = 0; fd < 256; fd++)
    if (belowFd(fd, path)) {
      int flags = fcntl(fd, F_GETFL);
      lock();
      put(OPEN, track(fd), flags & ~(O_TRUNC | O_CREAT | O_EXCL), 0, path, NULL, NULL, 0);
      unlock();
    }
}

static int doOpen(int dirfd, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (!below(dirfd, name, path)) return (int)RAW(SYS_openat, dirfd, name, flags, mode);
  lock();
  int fd = (int)RAW(SYS_openat, dirfd, name, flags, mode);
  if (fd >= MOST_FDS) put(UNSEEN, 0, 0, 0, "a descriptor beyond the table", NULL, NULL, 0);
  else if (fd >= 0 && belowFd(fd, path)) put(OPEN, track(fd), flags, mode, path, NULL, NULL, 0);
  unlock();
  return fd;
}

#define MODE_OF(flags) ({ mode_t m = 0; if ((flags) & (O_CREAT | O_TMPFILE)) { va_list l; va_start(l, flags); m = va_arg(l, mode_t); va_end(l); } m; })
int open(const char *name, int flags, ...) { return doOpen(AT_FDCWD, name, flags, MODE_OF(flags)); }
int open64(const char *name, int flags, ...) { return doOpen(AT_FDCWD, name, flags | O_LARGEFILE, MODE_OF(flags)); }
int openat(int dirfd, const char *name, int flags, ...) { return doOpen(dirfd, name, flags, MODE_OF(flags)); }
int openat64(int dirfd, const char *name, int flags, ...) { return doOpen(dirfd, name, flags | O_LARGEFILE, MODE_OF(flags)); }
int creat(const char *name, mode_t mode) { return doOpen(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return creat(name, mode); }

static int doClose(int fd) {
  if (!tracked(fd)) return (int)RAW(SYS_close, fd);
  lock();
  put(CLOSE, handles[fd], 0, 0, NULL, NULL, NULL, 0);
  handles[fd] = 0;
  int result = (int)RAW(SYS_close, fd);
  unlock();
  return result;
}
int close(int fd) { return doClose(fd); }

/* Where a write without a place of its own goes. */
static int64_t placeOf(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if ((flags & O_APPEND) == 0) return lseek(fd, 0, SEEK_CUR);
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_size : 0;
}

static void putParts(int fd, int64_t at, const struct iovec *parts, int count, size_t left) {
  for (int i = 0; i < count && left > 0; i++) {
    size_t n = parts[i].iov_len < left ? parts[i].iov_len : left;
    if (n > 0) put(WRITE, handles[fd], at, 0, NULL, NULL, parts[i].iov_base, n);
    at += (int64_t)n;
    left -= n;
  }
}

/* at -1: where the file stands. */
static ssize_t doWrite(int fd, const struct iovec *parts, int count, int64_t at) {
  if (!tracked(fd)) return at < 0 ? RAW(SYS_writev, fd, parts, count) : RAW(SYS_pwritev, fd, parts, count, at, 0);
  lock();
  int64_t place = at < 0 ? placeOf(fd) : at;
  ssize_t done = at < 0 ? RAW(SYS_writev, fd, parts, count) : RAW(SYS_pwritev, fd, parts, count, at, 0);
  if (done > 0) putParts(fd, place, parts, count, (size_t)done);
  unlock();
  return done;
}

ssize_t write(int fd, const void *data, size_t octets) {
  if (!tracked(fd)) return RAW(SYS_write, fd, data, octets);
  struct iovec part = {(void *)data, octets};
  return doWrite(fd, &part, 1, -1);
}
ssize_t pwrite(int fd, const void *data, size_t octets, off_t at) {
  if (!tracked(fd)) return RAW(SYS_pwrite64, fd, data, octets, at);
  struct iovec part = {(void *)data, octets};
  return doWrite(fd, &part, 1, at);
}
ssize_t pwrite64(int fd, const void *data, size_t octets, off64_t at) { return pwrite(fd, data, octets, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return doWrite(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return doWrite(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return doWrite(fd, parts, count, at); }
ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t at, int flags) { (void)flags; return doWrite(fd, parts, count, at); }

/* What the kernel has copied into a file, read back out of it. */
static void putRange(int fd, int64_t at, int64_t octets) {
  char name[64], block[65536];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  int in = (int)RAW(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
  while (in >= 0 && octets > 0) {
    long n = RAW(SYS_pread64, in, block, octets < (int64_t)sizeof block ? octets : (int64_t)sizeof block, at);
    if (n <= 0) break;
    put(WRITE, handles[fd], at, 0, NULL, NULL, block, (size_t)n);
    at += n;
    octets -= n;
  }
  if (in >= 0) RAW(SYS_close, in);
}

static ssize_t doCopy(int in, int64_t *inAt, int out, int64_t *outAt, size_t octets, unsigned flags) {
  if (!tracked(out)) return RAW(SYS_copy_file_range, in, inAt, out, outAt, octets, flags);
  lock();
  int64_t at = outAt ? *outAt : placeOf(out);
  ssize_t done = RAW(SYS_copy_file_range, in, inAt, out, outAt, octets, flags);
  if (done > 0) putRange(out, at, done);
  unlock();
  return done;
}
ssize_t copy_file_range(int in, off64_t *inAt, int out, off64_t *outAt, size_t octets, unsigned flags) {
  return doCopy(in, (int64_t *)inAt, out, (int64_t *)outAt, octets, flags);
}
ssize_t sendfile(int out, int in, off_t *inAt, size_t octets) {
  if (!tracked(out)) return RAW(SYS_sendfile, out, in, inAt, octets);
  lock();
  int64_t at = placeOf(out);
  ssize_t done = RAW(SYS_sendfile, out, in, inAt, octets);
  if (done > 0) putRange(out, at, done);
  unlock();
  return done;
}
ssize_t sendfile64(int out, int in, off64_t *inAt, size_t octets) { return sendfile(out, in, inAt, octets); }

int ftruncate(int fd, off_t size) {
  if (!tracked(fd)) return (int)RAW(SYS_ftruncate, fd, size);
  lock();
  int result = (int)RAW(SYS_ftruncate, fd, size);
  if (result == 0) put(TRUNCATE, handles[fd], size, 0, NULL, NULL, NULL, 0);
  unlock();
  return result;
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }
int truncate(const char *name, off_t size) {
  int fd = open(name, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  int result = ftruncate(fd, size);
  close(fd);
  return result;
}
int truncate64(const char *name, off64_t size) { return truncate(name, size); }

int fallocate(int fd, int mode, off_t at, off_t octets) {
  if (!tracked(fd)) return (int)RAW(SYS_fallocate, fd, mode, at, octets);
  lock();
  int result = (int)RAW(SYS_fallocate, fd, mode, at, octets);
  struct stat found;
  if (result == 0 && mode == 0 && fstat(fd, &found) == 0) put(TRUNCATE, handles[fd], found.st_size, 0, NULL, NULL, NULL, 0);
  else if (result == 0 && mode != FALLOC_FL_KEEP_SIZE) put(UNSEEN, 0, 0, 0, "fallocate with a mode", NULL, NULL, 0);
  unlock();
  return result;
}
int fallocate64(int fd, int mode, off64_t at, off64_t octets) { return fallocate(fd, mode, at, octets); }
int posix_fallocate(int fd, off_t at, off_t octets) { return fallocate(fd, 0, at, octets) == 0 ? 0 : errno; }
int posix_fallocate64(int fd, off64_t at, off64_t octets) { return posix_fallocate(fd, at, octets); }

static int doSync(int fd, int call) {
  if (!tracked(fd)) return (int)RAW(call, fd);
  static uint32_t syncs;
  lock();
  int64_t id = ((int64_t)getpid() << 32) | ++syncs;
  put(SYNC, handles[fd], id, 0, NULL, NULL, NULL, 0);
  unlock();
  if (pauseMost > 0) usleep((useconds_t)(random() % pauseMost));
  lock();
  put(SYNCED, 0, id, 0, NULL, NULL, NULL, 0);
  unlock();
  return 0;
}
int fsync(int fd) { return doSync(fd, SYS_fsync); }
int fdatasync(int fd) { return doSync(fd, SYS_fdatasync); }

static int doRename(int fromDir, const char *from, int toDir, const char *to, unsigned flags) {
  char one[PATH_MAX], two[PATH_MAX];
  int isOne = below(fromDir, from, one), isTwo = below(toDir, to, two);
  if (!isOne && !isTwo) return (int)RAW(SYS_renameat2, fromDir, from, toDir, to, flags);
  lock();
  int result = (int)RAW(SYS_renameat2, fromDir, from, toDir, to, flags);
  if (result == 0 && (!isOne || !isTwo || (flags & RENAME_EXCHANGE))) put(UNSEEN, 0, 0, 0, "a rename out, in or both ways", NULL, NULL, 0);
  else if (result == 0) put(RENAME, 0, 0, 0, one, two, NULL, 0);
  unlock();
  return result;
}
int rename(const char *from, const char *to) { return doRename(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int fromDir, const char *from, int toDir, const char *to) { return doRename(fromDir, from, toDir, to, 0); }
int renameat2(int fromDir, const char *from, int toDir, const char *to, unsigned flags) { return doRename(fromDir, from, toDir, to, flags); }

int linkat(int fromDir, const char *from, int toDir, const char *to, int flags) {
  char one[PATH_MAX], two[PATH_MAX];
  if (!below(toDir, to, two)) return (int)RAW(SYS_linkat, fromDir, from, toDir, to, flags);
  int isOne = below(fromDir, from, one);
  lock();
  int result = (int)RAW(SYS_linkat, fromDir, from, toDir, to, flags);
  if (result == 0 && !isOne) put(UNSEEN, 0, 0, 0, "a link from elsewhere", NULL, NULL, 0);
  else if (result == 0) put(LINK, 0, 0, 0, one, two, NULL, 0);
  unlock();
  return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int symlinkat(const char *target, int dirfd, const char *name) {
  char path[PATH_MAX];
  if (!below(dirfd, name, path)) return (int)RAW(SYS_symlinkat, target, dirfd, name);
  lock();
  int result = (int)RAW(SYS_symlinkat, target, dirfd, name);
  if (result == 0) put(SYMLINK, 0, 0, 0, target, path, NULL, 0);
  unlock();
  return result;
}
int symlink(const char *target, const char *name) { return symlinkat(target, AT_FDCWD, name); }

int unlinkat(int dirfd, const char *name, int flags) {
  char path[PATH_MAX];
  if (!below(dirfd, name, path)) return (int)RAW(SYS_unlinkat, dirfd, name, flags);
  lock();
  int result = (int)RAW(SYS_unlinkat, dirfd, name, flags);
  if (result == 0) put(flags & AT_REMOVEDIR ? RMDIR : UNLINK, 0, 0, 0, path, NULL, NULL, 0);
  unlock();
  return result;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int dirfd, const char *name, mode_t mode) {
  char path[PATH_MAX];
  if (!below(dirfd, name, path)) return (int)RAW(SYS_mkdirat, dirfd, name, mode);
  lock();
  int result = (int)RAW(SYS_mkdirat, dirfd, name, mode);
  if (result == 0) put(MKDIR, 0, mode, 0, path, NULL, NULL, 0);
  unlock();
  return result;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

static void *doMap(void *at, size_t octets, int protection, int flags, int fd, int64_t offset) {
  if (tracked(fd) && (flags & MAP_SHARED) && (protection & PROT_WRITE)) {
    lock();
    put(UNSEEN, 0, 0, 0, "a mapping that can be written", NULL, NULL, 0);
    unlock();
  }
  return (void *)RAW(SYS_mmap, at, octets, protection, flags, fd, offset);
}
void *mmap(void *at, size_t octets, int protection, int flags, int fd, off_t offset) { return doMap(at, octets, protection, flags, fd, offset); }
void *mmap64(void *at, size_t octets, int protection, int flags, int fd, off64_t offset) { return doMap(at, octets, protection, flags, fd, offset); }

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  /* Blocks shared between files are copied instead: their content is recorded. */
  if (request == 0x40049409UL && tracked(fd)) return errno = EOPNOTSUPP, -1;
  return (int)RAW(SYS_ioctl, fd, request, argument);
}

/*
 * LevelDB writes by streams. Those of the C library write without calling write(), so streams to recorded files are made of functions of
 * ours, with the buffer that the C library would have given them.
 */
#define MOST_STREAMS 256
static struct { FILE *stream; int fd; } streams[MOST_STREAMS];

static ssize_t streamWrite(void *at, const char *data, size_t octets) { return write(streams[(intptr_t)at].fd, data, octets); }
static int streamClose(void *at) {
  intptr_t n = (intptr_t)at;
  int fd = streams[n].fd;
  streams[n].stream = NULL;
  return close(fd);
}

static int slotOf(FILE *stream) {
  for (int n = 0; n < MOST_STREAMS; n++)
    if (streams[n].stream == stream) return n;
  return -1;
}

static FILE *doFopen(const char *name, const char *mode, FILE *(*real)(const char *, const char *)) {
  char path[PATH_MAX];
  int isAppend = mode[0] == 'a';
  if ((mode[0] != 'w' && !isAppend) || !below(AT_FDCWD, name, path)) return real(name, mode);
  int fd = open(name, O_WRONLY | O_CREAT | (isAppend ? O_APPEND : O_TRUNC), 0666);
  if (fd < 0) return NULL;
  lock();
  int n = slotOf(NULL);
  cookie_io_functions_t functions = {NULL, streamWrite, NULL, streamClose};
  FILE *stream = n < 0 ? NULL : fopencookie((void *)(intptr_t)n, mode, functions);
  if (stream == NULL) _exit(98);
  setvbuf(stream, NULL, _IOFBF, 4096);
  streams[n].stream = stream;
  streams[n].fd = fd;
  unlock();
  return stream;
}
FILE *fopen(const char *name, const char *mode) { return doFopen(name, mode, REAL(fopen)); }
FILE *fopen64(const char *name, const char *mode) { return doFopen(name, mode, REAL(fopen64)); }
static int doFileno(FILE *stream, int (*real)(FILE *)) {
  int n = stream == NULL ? -1 : slotOf(stream);
  return n < 0 ? real(stream) : streams[n].fd;
}
int fileno(FILE *stream) { return doFileno(stream, REAL(fileno)); }
int fileno_unlocked(FILE *stream) { return doFileno(stream, REAL(fileno_unlocked)); }

/* Node's libuv goes this way for some. */
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (recordFd >= 0) {
    if (number == SYS_close) return doClose((int)a);
    if (number == SYS_copy_file_range) return doCopy((int)a, (int64_t *)b, (int)c, (int64_t *)d, (size_t)e, (unsigned)f);
    if (number == SYS_renameat2) return doRename((int)a, (const char *)b, (int)c, (const char *)d, (unsigned)e);
    if (number == SYS_fsync || number == SYS_fdatasync) return doSync((int)a, (int)number);
    if (number == SYS_io_uring_setup) return errno = ENOSYS, -1;
  }
  return rawSyscall(number, a, b, c, d, e, f);
}
