"""Opens memory, disks, terminals, virtual machines, file systems in user space, and makes a file in shared memory."""

import glob
import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    names = "mem kmem port kmsg kvm fuse tty ptmx console net/tun vda sda nvme0n1 loop-control loop0 mapper/control dri/card0 nvidia0 vhost-net uinput snapshot hwrng rtc0".split()
    for path in [f"/dev/{name}" for name in names] + glob.glob("/dev/*")[:50]:
        if os.path.basename(path) in ("null", "zero", "full", "random", "urandom"):
            continue
        try:
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY))
        except OSError as error:
            print(path, error.strerror)
        else:
            print("BREACH", path)
    try:
        os.close(os.open("/dev/shm/{{tag}}", os.O_CREAT | os.O_RDWR))
        os.remove("/dev/shm/{{tag}}")
        print("BREACH /dev/shm")
    except OSError as error:
        print("/dev/shm", error.strerror)
    return a / a.sum(axis=0, keepdims=True)
