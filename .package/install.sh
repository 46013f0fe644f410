#!/bin/sh
# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
#
# install.sh [--prefix DIR] [--destdir DIR] [--uninstall]
#
# Copies claimsd from the folder of this script to --prefix (/usr), below --destdir. It starts nothing. With --uninstall
# it removes what it copied, and nothing else: /etc/claimsd and the state stay, and so do the files of a package.
set -eu

prefix=/usr
destdir=
uninstall=
while [ $# -gt 0 ]; do
    case $1 in
    --prefix=* | --destdir=*)
        option=${1%%=*}
        value=${1#*=}
        shift
        set -- "$option" "$value" "$@"
        continue
        ;;
    --prefix | --destdir)
        [ $# -gt 1 ] || { echo "install.sh: $1 needs a folder" >&2; exit 2; }
        case $2 in
        /*) ;;
        *) echo "install.sh: $1 needs an absolute path, not '$2'" >&2; exit 2 ;;
        esac
        if [ "$1" = --prefix ]; then prefix=${2%/}; else destdir=${2%/}; fi
        shift 2
        ;;
    --uninstall)
        uninstall=yes
        shift
        ;;
    -h | --help)
        sed -n '5,8s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *)
        echo "install.sh: unknown argument '$1'; usage: install.sh [--prefix DIR] [--destdir DIR] [--uninstall]" >&2
        exit 2
        ;;
    esac
done

here=$(cd "$(dirname "$0")" && pwd)
target=$destdir$prefix
list=$target/share/claimsd/installed-files

# Whether the machine's systemd takes a unit from the files below --prefix.
owns() {
    [ -z "$destdir" ] && [ -d /run/systemd/system ] || return 1
    fragment=$(systemctl show --property=FragmentPath --value "$1" 2>/dev/null) || return 1
    [ -n "$fragment" ] && [ "$fragment" -ef "$target/lib/systemd/system/$1" ]
}

# The unit of a package, where there is one beside the files below --prefix; else nothing.
packaged() {
    for folder in /usr/lib/systemd/system /lib/systemd/system; do
        unit=$folder/claimsd.service
        [ -f "$unit" ] || continue
        [ "$unit" -ef "$target/lib/systemd/system/claimsd.service" ] || echo "$unit"
        return
    done
}

# Those of the installed files that packages have, too. A package may name those of /usr/lib below /lib.
packages_files() {
    [ -z "$destdir" ] && command -v dpkg-query >/dev/null || return 0
    merged=
    [ "$target" != /usr ] || merged=$(sed -n 's|^lib/|/lib/|p' "$list")
    # shellcheck disable=SC2046,SC2086
    dpkg-query --search $(sed "s|^|$target/|" "$list") $merged 2>/dev/null |
        sed -n "s|^[^/]*: /lib/|lib/|p; s|^[^/]*: $target/||p" | sort -u
}

if [ -n "$uninstall" ]; then
    [ -f "$list" ] || { echo "install.sh: nothing of it is installed below $target" >&2; exit 1; }
    other=
    shared=$(packages_files)
    for unit in claimsd-metrics.timer claimsd.service claimsd.socket; do
        # The unit of a package is the package's, whoever wrote the file last.
        case "
$shared
" in *"
lib/systemd/system/$unit
"*) continue ;; esac
        ! owns $unit || own="${own:-} $unit"
    done
    # Triggers run these files, too, unless those of a package come first.
    fragment=$(systemctl show --property=FragmentPath --value claimsd-trigger@x.service 2>/dev/null) || fragment=
    if [ -z "$destdir" ] && [ "$fragment" -ef "$target/lib/systemd/system/claimsd-trigger@.service" ]; then
        systemctl stop 'claimsd-trigger@*.service' 2>/dev/null || true
    fi
    if [ -n "${own:-}" ]; then
        other=$(packaged)
        # The links that enable a unit have its name alone, so they are the package's, too.
        if [ -n "$other" ]; then stop=stop; else stop='disable --now'; fi
        # shellcheck disable=SC2086
        systemctl $stop $own 2>/dev/null || true
    fi
    folders=$(sed 's|/[^/]*$||' "$list" | sort -r -u)
    while IFS= read -r file; do
        case "
$shared
" in *"
$file
"*) ;; *) rm -f "$target/$file" ;; esac
    done <"$list"
    rm -f "$list"
    # Deepest folders first; a folder that has other files stays.
    for folder in $folders; do
        while rmdir "$target/$folder" 2>/dev/null; do
            case $folder in */*) folder=${folder%/*} ;; *) break ;; esac
        done
    done
    [ -n "$destdir" ] || [ ! -d /run/systemd/system ] || systemctl daemon-reload
    echo "Removed. /etc/claimsd, /var/lib/claimsd and /var/cache/claimsd stay."
    if [ -n "$shared" ]; then
        echo "Files that the package has, too, stay as this script has copied them, and its service runs on with them."
        echo "To have those of the package again: apt install --reinstall claimsd"
    fi
    [ -z "$other" ] || echo "The service is that of $other again. To start it: systemctl start claimsd.socket claimsd"
    exit 0
fi

while IFS= read -r file; do
    mode=644
    case $file in bin/* | share/claimsd/actions/*) mode=755 ;; esac
    mkdir -p "$target/${file%/*}"
    # A new file under another name, then renamed: a program that runs is not written to.
    cp "$here/usr/$file" "$target/$file.new"
    chmod "$mode" "$target/$file.new"
    mv "$target/$file.new" "$target/$file"
done <"$here/files"
if [ "$prefix" != /usr ]; then
    units="lib/systemd/system/claimsd.service lib/systemd/system/claimsd-trigger@.service lib/systemd/user/claimsd.service"
    for unit in $units lib/systemd/system/claimsd-metrics.service; do
        [ -f "$here/usr/$unit" ] || continue
        sed "s|=/usr/bin/|=$prefix/bin/|" "$here/usr/$unit" >"$target/$unit"
    done
    # The daemon looks for its vendor files where the prefix has them.
    for unit in $units; do
        [ -f "$target/$unit" ] || continue
        sed -i "s|^ExecStart=.*|&\nEnvironment=CLAIMSD_DATA_DIR=$prefix/share/claimsd|" "$target/$unit"
    done
fi
cp "$here/files" "$list"

if [ -z "$destdir" ]; then
    if [ "$(id -u)" = 0 ]; then
        ! command -v systemd-sysusers >/dev/null || systemd-sysusers "$target/lib/sysusers.d/claimsd.conf"
        ! command -v systemd-tmpfiles >/dev/null || systemd-tmpfiles --create "$target/lib/tmpfiles.d/claimsd.conf"
        if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
    fi
    other=$(packaged)
    if [ -n "$other" ] && owns claimsd.service; then
        cat >&2 <<END
Warning: there is a package of claimsd beside this. From now on its service runs the files below $prefix, because systemd
takes $target/lib/systemd/system/claimsd.service
in place of $other.
To go back to the package: $0 --prefix $prefix --uninstall
END
    elif [ "$prefix" = /usr ] && dpkg-query --show --showformat='${db:Status-Abbrev}' claimsd 2>/dev/null | grep -q '^ii'
    then
        echo "Warning: these files take the place of those of the package claimsd, whose next upgrade puts its own back." >&2
    fi
    for library in libcurl.so.4 libsqlite3.so.0 libsystemd.so.0; do
        found=
        for folder in /lib /lib64 /usr/lib /usr/lib64 /usr/local/lib /lib/*-linux-gnu /usr/lib/*-linux-gnu; do
            [ ! -e "$folder/$library" ] || found=yes
        done
        [ -n "$found" ] || echo "Warning: claimsd needs $library, which is not here." >&2
    done
    echo "Installed. To start it: systemctl enable --now claimsd.socket claimsd"
fi
