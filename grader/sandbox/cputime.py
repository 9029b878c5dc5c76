"""The CPU seconds of another process, as its kernel counts them."""

from __future__ import annotations

import ctypes
import sys
import time

if sys.platform == "win32":

    def cpu_seconds(pid: int) -> float:
        """Return the user and system CPU seconds of a living process, all its threads together.

        Raises:
            OSError: There is no such process, or it may not be asked about.
        """
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        process = ctypes.c_void_p(kernel.OpenProcess(0x1000, 0, pid))  # PROCESS_QUERY_LIMITED_INFORMATION
        times = (ctypes.c_uint64 * 4)()
        found = kernel.GetProcessTimes(process, *(ctypes.byref(times, 8 * index) for index in range(4)))
        error = ctypes.get_last_error()
        kernel.CloseHandle(process)
        if not found:
            raise ctypes.WinError(error)
        return float(times[2] + times[3]) / 1e7  # kernel and user time, in steps of 100 ns

elif sys.platform == "darwin":

    def cpu_seconds(pid: int) -> float:
        """Return the user and system CPU seconds of a living process, all its threads together.

        Raises:
            OSError: There is no such process, or it may not be asked about.
        """
        system = ctypes.CDLL(None, use_errno=True)
        usage = (ctypes.c_uint64 * 64)()  # rusage_info_v0: a 16-byte uuid, then user and system time
        if system.proc_pid_rusage(ctypes.c_int(pid), ctypes.c_int(0), usage):
            raise OSError(ctypes.get_errno(), "proc_pid_rusage")
        scale = (ctypes.c_uint32 * 2)()
        system.mach_timebase_info(scale)
        return float(usage[2] + usage[3]) * scale[0] / scale[1] / 1e9

else:

    def cpu_seconds(pid: int) -> float:
        """Return the user and system CPU seconds of a living process, all its threads together.

        Raises:
            OSError: There is no such process.
        """
        # The kernel's clock of a process, numbered as clock_getcpuclockid(3) does: finer than the ticks of /proc/<pid>/stat.
        return time.clock_gettime(~pid << 3 | 2)
