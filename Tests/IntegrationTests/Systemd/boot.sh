#!/bin/bash
# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
#
# boot.sh STAGE [FOLDER...]: boots this machine's own systemd in namespaces of its own, over a throw-away copy of /.
#
# The files in STAGE lie over the copy; each FOLDER is there read-only under its own name, for what / does not hold.
# Prints "ready PID" once the system is up, PID being its init as seen from here; all else it prints is an error.
# Lives until its standard input closes, which it does however its starter ends; nothing is left behind then.
set -u

inside() {  # the first process of the new namespaces: makes the root and becomes init
  set -eu
  local stage=$1 root=$2/root name folder
  shift 2
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 machine "${root%/root}"
  mkdir "$root" "$root/../upper" "$root/../work"
  cp -a "$stage/." "$root/../upper"
  mount -t overlay machine -o "lowerdir=/,upperdir=${root%/root}/upper,workdir=${root%/root}/work" "$root"
  mkdir -p "$root"/{proc,sys,dev,run,tmp}
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  for name in sys sysrq-trigger; do  # the machine's own settings stay out of reach
    [ -e "$root/proc/$name" ] || continue
    mount --bind "$root/proc/$name" "$root/proc/$name"
    mount -o remount,bind,ro "$root/proc/$name"
  done
  mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
  mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root/run"
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
  # After those, as a folder may lie in one of them.
  for folder; do
    mkdir -p "$root$folder"
    mount --bind -o ro "$folder" "$root$folder"
  done
  mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
  mkdir "$root"/dev/{pts,shm}
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5,nosuid,noexec devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
  for name in null zero full random urandom tty; do
    : > "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  # None of this machine's services, an id and a journal of its own.
  rm -rf "$root/etc/systemd/system" "$root"/etc/rc?.d/S* "$root/var/log/journal" "$root/etc/fstab" \
    "$root/var/lib/systemd/linger" "$root/etc/machine-id"
  mkdir -p "$root/etc/systemd/system"
  [ ! -d "$stage/etc/systemd/system" ] || cp -a "$stage/etc/systemd/system/." "$root/etc/systemd/system"
  ln -s /lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
  for name in dev-hugepages.mount sys-{kernel-{debug,tracing,config},fs-fuse-connections}.mount \
    systemd-journald-audit.socket systemd-firstboot.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$name"
  done
  tr -d - < /proc/sys/kernel/random/uuid > "$root/etc/machine-id"
  echo machine > "$root/etc/hostname"
  cd "$root"
  pivot_root . .
  umount -l .
  cd /
  mount --make-rshared /
  exec env -i container=machine PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin \
    /lib/systemd/systemd --system --show-status=no
}

if [ "${1-}" = --inside ]; then
  shift
  inside "$@"
fi

fail() {
  echo "$*"
  exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root"
[ -x /lib/systemd/systemd ] || fail "needs systemd"
# Our own control group in the unified hierarchy: what the new system takes for the root of all.
hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
[ -n "$hierarchy" ] || fail "needs the unified control group hierarchy"
group=$hierarchy$(sed -n 's/^0:://p' /proc/self/cgroup)
group=${group%/}/claimsd-machine.$$
mkdir "$group" || fail "cannot make a control group"
mount_point=$(mktemp -d) || fail "cannot make a folder"

(
  echo "$BASHPID" > "$group/cgroup.procs"
  # Out of reach for the new system: the clock, modules, and devices' raw memory.
  exec setsid setpriv --bounding-set -sys_time,-sys_module,-sys_rawio,-syslog,-wake_alarm,-block_suspend \
    unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child \
    "$0" --inside "$1" "$mount_point" "${@:2}"
) < /dev/null 2>&1 &
machine=$!

clean_up() {
  kill -KILL $machine 2>/dev/null
  wait $machine 2>/dev/null
  for _ in {1..500}; do
    [ ! -e "$group/cgroup.kill" ] || echo 1 > "$group/cgroup.kill"
    find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
    [ -d "$group" ] || break
    read -r -t 0.01 <> <(:)
  done
  rmdir "$mount_point"
}
trap clean_up EXIT
trap '' INT TERM HUP PIPE

# The init is there once it listens for systemctl.
for _ in {1..3000}; do
  kill -0 $machine 2>/dev/null || fail "the system did not come up"
  init=$(tr -d ' ' 2>/dev/null < /proc/$machine/task/$machine/children)
  [ -z "$init" ] || [ ! -S "/proc/$init/root/run/systemd/private" ] || break
  read -r -t 0.01 <> <(:)
done
[ -S "/proc/${init:-none}/root/run/systemd/private" ] || fail "the system did not come up in time"
echo "ready $init"
cat > /dev/null
