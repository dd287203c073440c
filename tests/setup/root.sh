# Shared by the scripts that run tests in a fresh Debian root. Sourced, not run.

# make_root FOLDER: installs Debian 12 there, with only apt, bash and the packages named after it; an existing root is
# kept. Mounts what programs need until the script ends. MIRROR: the source of packages.
make_root() {
    root=$1
    shift
    [ "$(id -u)" -eq 0 ] || { echo "run as root: this makes a root with debootstrap" >&2; exit 1; }
    command -v debootstrap >/dev/null || { echo "install debootstrap first" >&2; exit 1; }
    if [ ! -x "$root/bin/bash" ]; then
        echo "making $root"
        local packages="ca-certificates $*"
        debootstrap --variant=minbase --include="${packages// /,}" bookworm "$root" \
            "${MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
    fi
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    trap leave_root EXIT
    local mount
    for mount in proc sys dev; do
        mountpoint -q "$root/$mount" || { mount --rbind "/$mount" "$root/$mount" && mount --make-rslave "$root/$mount"; }
    done
}
leave_root() { for mount in proc sys dev; do umount -R -l "$root/$mount" 2>/dev/null || true; done; }

# in_root FOLDER COMMAND: runs COMMAND in a folder of the root, without this environment.
in_root() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 bash -c "cd $1 && $2"; }
