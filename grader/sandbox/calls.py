"""The system calls a worker may make; every other is refused with EPERM.

One line a call: its name, its numbers on x86-64 and aarch64 (None where the architecture has none), and what an honest submission, the
interpreter or NumPy needs it for. A call with checks is allowed for the named values of its arguments only.
"""

from __future__ import annotations

from typing import NamedTuple

from grader.worker.control import ITSELF


class OneOf(NamedTuple):
    """An argument's lower 32 bits are one of these values; the kernel reads no more of it."""

    argument: int
    values: tuple[int, ...]


class Within(NamedTuple):
    """An argument's lower 32 bits have all of `required` and nothing beyond `allowed`."""

    argument: int
    allowed: int
    required: int


class Zero(NamedTuple):
    """All 64 bits of an argument are zero: no pointer is given."""

    argument: int


class Call(NamedTuple):
    """A system call that is allowed, and why."""

    name: str
    x86_64: int | None
    aarch64: int | None
    reason: str
    checks: tuple[OneOf | Within | Zero, ...] = ()


_STREAM, _CLOSE_ON_EXEC, _NONBLOCKING = 1, 0x80000, 0x800
_STREAMS = tuple(_STREAM | more for more in (0, _CLOSE_ON_EXEC, _NONBLOCKING, _CLOSE_ON_EXEC | _NONBLOCKING))
_CLONE_THREAD = 0x00010000
# VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID, CHILD_CLEARTID, and DETACHED, which musl adds.
_A_THREAD = 0x007D0F00
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
_HARMLESS_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_NO_NEW_PRIVS, SET_VMA.
_HARMLESS_PRCTLS = (3, 15, 16, 21, 23, 39, 0x53564D41)
# DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, SETLK, SETLKW, OFD_GETLK, OFD_SETLK, OFD_SETLKW, DUPFD_CLOEXEC: none that sends signals.
_HARMLESS_FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030)
# DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP: none that has a file's pages read or written back.
_OWN_PAGES = OneOf(2, (4, 8, 14, 15, 16, 17))
# PEEK, DONTWAIT, WAITALL, NOSIGNAL: no byte out of turn, which the kernel keeps apart from all others.
_PLAIN_MESSAGE = Within(3, 0x4142, 0)
_ITSELF = OneOf(0, (ITSELF,))

ALLOWED: tuple[Call, ...] = (
    # Reading and writing what is open.
    Call("read", 0, 63, "frames, modules, files of the box"),
    Call("write", 1, 64, "frames, printed text, files of the box"),
    Call("readv", 19, 65, "buffered reading in several parts"),
    Call("writev", 20, 66, "buffered writing in several parts"),
    Call("pread64", 17, 67, "the dynamic loader reads a library's head"),
    Call("pwrite64", 18, 68, "numpy.memmap and files written at a place"),
    Call("preadv", 295, 69, "os.preadv"),
    Call("pwritev", 296, 70, "os.pwritev"),
    # With a flag they tell what other processes have read before: whether a page of a file is in memory.
    Call("preadv2", 327, 286, "os.preadv", (Zero(5),)),
    Call("pwritev2", 328, 287, "os.pwritev", (Zero(5),)),
    Call("lseek", 8, 62, "every buffered file"),
    Call("sendfile", 40, 71, "shutil.copyfile"),
    Call("copy_file_range", 326, 285, "shutil.copyfile"),
    Call("sendto", 44, 206, "send on the worker's own socket; never to an address", (_PLAIN_MESSAGE, Zero(4))),
    Call("recvfrom", 45, 207, "receive on the worker's own socket", (_PLAIN_MESSAGE,)),
    Call("shutdown", 48, 210, "say on the worker's own socket that no more comes"),
    Call("getsockname", 51, 204, "Python asks a socket it is given what it is"),
    Call("getpeername", 52, 205, "likewise"),
    Call("getsockopt", 55, 209, "likewise"),
    Call("socketpair", 53, 199, "asyncio wakes itself through a local pair", (OneOf(0, (1,)), OneOf(1, _STREAMS))),
    # Descriptors.
    Call("close", 3, 57, "every file"),
    Call("close_range", 436, 436, "os.closerange"),
    Call("dup", 32, 23, "os.dup, numpy.fromfile"),
    Call("dup2", 33, None, "os.dup2, capturing printed text"),
    Call("dup3", 292, 24, "os.dup2"),
    Call("pipe", 22, None, "os.pipe"),
    Call("pipe2", 293, 59, "os.pipe, capturing printed text"),
    Call("eventfd2", 290, 19, "event loops"),
    Call("fcntl", 72, 25, "flags and locks of a file", (OneOf(1, _HARMLESS_FCNTLS),)),
    Call("ioctl", 16, 29, "is this a terminal, how much can be read, do not block", (OneOf(1, _HARMLESS_IOCTLS),)),
    Call("poll", 7, None, "waiting on the socket"),
    Call("ppoll", 271, 73, "likewise"),
    Call("select", 23, None, "likewise, and time.sleep on old systems"),
    Call("pselect6", 270, 72, "likewise"),
    Call("epoll_create", 213, None, "asyncio"),
    Call("epoll_create1", 291, 20, "asyncio"),
    Call("epoll_ctl", 233, 21, "asyncio"),
    Call("epoll_wait", 232, None, "asyncio"),
    Call("epoll_pwait", 281, 22, "asyncio"),
    Call("epoll_pwait2", 441, 441, "asyncio"),
    # Files, which Landlock and the view of the file system leave to be found.
    Call("open", 2, None, "modules, libraries, files of the box"),
    Call("openat", 257, 56, "likewise"),
    Call("stat", 4, None, "the import system looks whether a module is there"),
    Call("fstat", 5, 80, "every buffered file"),
    Call("lstat", 6, None, "os.path.realpath"),
    Call("newfstatat", 262, 79, "the import system on newer C libraries"),
    Call("statx", 332, 291, "likewise"),
    Call("statfs", 137, 43, "shutil.disk_usage"),
    Call("fstatfs", 138, 44, "shutil.disk_usage"),
    Call("access", 21, None, "os.access, the dynamic loader"),
    Call("faccessat", 269, 48, "os.access"),
    Call("faccessat2", 439, 439, "os.access"),
    Call("readlink", 89, None, "os.path.realpath"),
    Call("readlinkat", 267, 78, "os.path.realpath"),
    Call("getcwd", 79, 17, "relative paths"),
    Call("chdir", 80, 49, "os.chdir"),
    Call("fchdir", 81, 50, "os.chdir"),
    Call("getdents64", 217, 61, "the import system lists a folder"),
    Call("umask", 95, 166, "tempfile"),
    Call("fsync", 74, 82, "os.fsync"),
    Call("fdatasync", 75, 83, "os.fdatasync"),
    Call("flock", 73, 32, "fcntl.flock"),
    Call("getxattr", 191, 8, "shutil.copy2 fails hard where attributes cannot be asked for"),
    Call("lgetxattr", 192, 9, "likewise"),
    Call("fgetxattr", 193, 10, "likewise"),
    Call("listxattr", 194, 11, "likewise"),
    Call("llistxattr", 195, 12, "likewise"),
    Call("flistxattr", 196, 13, "likewise"),
    # Memory, which the limits bound.
    Call("mmap", 9, 222, "arrays, libraries, thread stacks"),
    Call("munmap", 11, 215, "likewise"),
    Call("mprotect", 10, 226, "the dynamic loader, thread stacks"),
    Call("mremap", 25, 216, "arrays that grow"),
    Call("madvise", 28, 233, "NumPy asks for huge pages, the allocator gives pages back", (_OWN_PAGES,)),
    Call("brk", 12, 214, "malloc"),
    Call("msync", 26, 227, "numpy.memmap flushes"),
    # Threads of its own.
    Call("clone", 56, 220, "a thread; no process and no namespace", (Within(0, _A_THREAD, _CLONE_THREAD),)),
    Call("futex", 202, 98, "locks"),
    Call("set_robust_list", 273, 99, "a thread starts"),
    Call("rseq", 334, 293, "a thread starts"),
    Call("set_tid_address", 218, 96, "a thread starts"),
    Call("sched_yield", 24, 124, "OpenBLAS waits"),
    Call("sched_getaffinity", 204, 123, "how many cores are there"),
    Call("getcpu", 309, 168, "the memory allocator"),
    Call("membarrier", 324, 283, "the C library"),
    # Signals to itself.
    Call("rt_sigaction", 13, 134, "signal handlers"),
    Call("rt_sigprocmask", 14, 135, "a thread starts"),
    Call("rt_sigreturn", 15, 139, "a signal handler ends"),
    Call("rt_sigpending", 127, 136, "signal.sigpending"),
    Call("rt_sigtimedwait", 128, 137, "signal.sigtimedwait"),
    Call("rt_sigsuspend", 130, 133, "signal.pause"),
    Call("sigaltstack", 131, 132, "faulthandler"),
    Call("pause", 34, None, "signal.pause"),
    Call("restart_syscall", 219, 128, "the kernel resumes a sleep"),
    Call("alarm", 37, None, "signal.alarm"),
    Call("setitimer", 38, 103, "signal.setitimer"),
    Call("getitimer", 36, 102, "signal.getitimer"),
    Call("kill", 62, 129, "os.kill of itself", (_ITSELF,)),
    Call("tgkill", 234, 131, "raise and abort", (_ITSELF,)),
    # Time.
    Call("clock_gettime", 228, 113, "time.time where the kernel's shared page does not serve"),
    Call("clock_getres", 229, 114, "time.get_clock_info"),
    Call("gettimeofday", 96, 169, "as clock_gettime"),
    Call("time", 201, None, "as clock_gettime"),
    Call("nanosleep", 35, 101, "time.sleep"),
    Call("clock_nanosleep", 230, 115, "time.sleep"),
    Call("times", 100, 153, "os.times"),
    Call("getrusage", 98, 165, "resource.getrusage"),
    # What and where am I.
    Call("getpid", 39, 172, "os.getpid"),
    Call("getppid", 110, 173, "os.getppid"),
    Call("gettid", 186, 178, "threading.get_native_id"),
    Call("getpgrp", 111, None, "os.getpgrp"),
    Call("getpgid", 121, 155, "os.getpgid"),
    Call("getsid", 124, 156, "os.getsid"),
    Call("getuid", 102, 174, "os.getuid"),
    Call("geteuid", 107, 175, "os.geteuid"),
    Call("getgid", 104, 176, "os.getgid"),
    Call("getegid", 108, 177, "os.getegid"),
    Call("getresuid", 118, 148, "os.getresuid"),
    Call("getresgid", 120, 150, "os.getresgid"),
    Call("getgroups", 115, 158, "os.getgroups"),
    Call("capget", 125, 90, "asking which capabilities it has"),
    Call("getrlimit", 97, 163, "resource.getrlimit"),
    Call("prlimit64", 302, 261, "reading its own limits, never setting one", (OneOf(0, (0,)), Zero(2))),
    Call("prctl", 157, 167, "naming a thread, asking what holds", (OneOf(0, _HARMLESS_PRCTLS),)),
    Call("sysinfo", 99, 179, "how much memory is there"),
    Call("uname", 63, 160, "platform"),
    Call("getrandom", 318, 278, "random seeds itself"),
    # The end.
    Call("wait4", 61, 260, "os.wait, which finds no child"),
    Call("waitid", 247, 95, "likewise"),
    Call("exit", 60, 93, "a thread ends"),
    Call("exit_group", 231, 94, "the process ends"),
)

# Only where a worker has a folder to write to. Landlock does not see modes and times changed, nor, in its first versions, files cut short: without
# a file system of its own a worker could do that to any file of its user's.
IN_THE_BOX: tuple[Call, ...] = (
    Call("mkdir", 83, None, "folders in the box"),
    Call("mkdirat", 258, 34, "folders in the box"),
    Call("rmdir", 84, None, "tempfile cleans up in the box"),
    Call("unlink", 87, None, "tempfile cleans up in the box"),
    Call("unlinkat", 263, 35, "tempfile cleans up in the box"),
    Call("rename", 82, None, "files written whole, in the box"),
    Call("renameat", 264, 38, "likewise"),
    Call("renameat2", 316, 276, "likewise"),
    Call("link", 86, None, "os.link in the box"),
    Call("linkat", 265, 37, "os.link in the box"),
    Call("symlink", 88, None, "os.symlink in the box"),
    Call("symlinkat", 266, 36, "os.symlink in the box"),
    Call("chmod", 90, None, "shutil.copy in the box"),
    Call("fchmod", 91, 52, "shutil.copy in the box"),
    Call("fchmodat", 268, 53, "shutil.copy in the box"),
    Call("utimensat", 280, 88, "shutil.copy2 in the box"),
    Call("truncate", 76, 45, "os.truncate in the box"),
    Call("ftruncate", 77, 46, "numpy.memmap in the box"),
    Call("fallocate", 285, 47, "os.posix_fallocate in the box"),
)

# Not refused but absent: the C library then falls back on clone, whose flags can be checked; those of clone3 lie behind a pointer.
ABSENT: tuple[Call, ...] = (Call("clone3", 435, 435, "starting a thread, which falls back on clone"),)
