#!/usr/bin/env bash
# Builds packages/receiptmill_VERSION_ARCH.deb and packages/receiptmill-VERSION-ARCH.tar.gz, of the release that `make build`
# compiles. What uses them needs no Swift. The package is for this release of Debian, whose libraries it depends on; the
# tarball needs the C library alone, and is for a home folder or /usr/local. MAINTAINER="Name <address>" says whom users of
# the package write to, in the place of the last commit's author.
set -euo pipefail
cd "$(dirname "$0")/.."
packaging/compile.sh package 40

version=$(sed -n 's/.*receiptMillVersion = "\(.*\)"/\1/p' Sources/MillSystem/Version.swift)
arch=$(dpkg --print-architecture)
triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
out=packages
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>')}
deb=receiptmill_${version}_$arch.deb
tarball=receiptmill-$version-$arch.tar.gz
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
started=$SECONDS
mkdir -p "$out"
rm -f "$out"/receiptmill_*.deb "$out"/receiptmill-*.tar.gz

put() { install -D -m "$1" "$2" "$tree/$3"; }

# documents SHARE: what is the same in both, in the folder `share`.
documents() {
    mkdir -p "$1/receiptmill" "$1/doc/receiptmill"
    git ls-files -z sql pipelines python/receiptmill | xargs -0 cp --parents -t "$1/receiptmill"
    git ls-files -z 'docs/*' README.md CHANGELOG.md SECURITY.md | xargs -0 cp -t "$1/doc/receiptmill"
    # The samples with which the operator's page begins.
    for file in receipts-001.jsonl.gz root.pem rates.csv signed/receipts-001.jsonl.gz signed/root.pem; do
        install -D -m 0644 "data-samples/$file" "$1/doc/receiptmill/examples/$file"
    done
    python3 packaging/manual.py "$scratch/receiptmill" "$1/man/man1" "$version"
}

# completions BASH ZSH FISH: a folder for each shell.
completions() {
    mkdir -p "$@"
    # Bash reads the script, and never runs it.
    "$scratch/receiptmill" --generate-completion-script bash | sed '1{/^#!/d}' > "$1/receiptmill"
    "$scratch/receiptmill" --generate-completion-script zsh > "$2/_receiptmill"
    "$scratch/receiptmill" --generate-completion-script fish > "$3/receiptmill.fish"
}

# pkg_config PREFIX FOLDER: the file by which compilers find the library.
pkg_config() {
    cat <<END
prefix=$1
includedir=\${prefix}/include
libdir=$2

Name: libreceiptmill
Description: Verdicts on what the App Store signs
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lreceiptmill
END
}

# licence NAME READER FILE
licence() { printf '\n== %s\n\n' "$1" && "$2" "$3"; }
# copyright READER: the licences of all that is linked in, each as READER FILE writes it.
copyright() {
    echo "ReceiptMill $version"
    echo
    echo "Its owner has not chosen a licence yet. What is linked into the program has these:"
    local name
    for name in GRDB.swift swift-argument-parser swift-log Yams; do
        licence "$name" "$1" "$(echo ".build/checkouts/$name"/LICENSE*)"
    done
    licence "Swift runtime and Foundation" "$1" \
        "$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt"
}
# Debian has the text of the Apache License; what a project adds to it follows.
without_apache() {
    grep -q 'Apache License' "$1" || { cat "$1"; return; }
    echo "Apache License, version 2.0: see /usr/share/common-licenses/Apache-2.0."
    echo
    sed -n '/^## Runtime Library Exception/,$p' "$1"
}
with_modes() {
    find "$1" -type d -exec chmod 0755 {} +
    find "$1/$2" -type f -exec chmod 0644 {} +
    find "$1/$2" -path '*/pipelines/failure/*' ! -name '*.*' -type f -exec chmod 0755 {} +
}

packaging/program.sh "$scratch/receiptmill"

# The tarball.
tree=$scratch/${tarball%.tar.gz}
packaging/standalone.sh "$tree"
put 0644 Sources/CReceiptMill/include/receiptmill.h include/receiptmill.h
mkdir -p "$tree/lib/pkgconfig"
# shellcheck disable=SC2016 # pkg-config's own variables
pkg_config '${pcfiledir}/../..' '${prefix}/lib' > "$tree/lib/pkgconfig/receiptmill.pc"
documents "$tree/share"
completions "$tree/share/bash-completion/completions" "$tree/share/zsh/site-functions" "$tree/share/fish/vendor_completions.d"
# A pipeline file for one folder, which holds all; paths start there.
sed -e '/^# What the nightly run does/,/^database:/c\
# What the nightly run does; pipeline-files.md lists every key. Relative paths start at the\
# folder of this file. The database is made once, by `receiptmill init --database mill.sqlite`.\
database: mill.sqlite' -e 's#/var/lib/receiptmill/##; s#/var/spool/receipts/#spool/#' packaging/nightly.yaml \
    > "$tree/share/receiptmill/home.yaml"
# Units of a person, for that folder as ~/receiptmill. A person's service manager can't restrict as the machine's can.
for unit in pipelines/systemd/*.{service,timer}; do
    put 0644 "$unit" "share/systemd/user/${unit##*/}"
    sed -i -e '/^# Nothing is needed/,$d' -e '/^#/d' -e '/^\(User\|Group\|StateDirectory.*\|RequiresMountsFor\|IOSchedulingClass\)=/d' \
        -e 's#/usr/local/bin/#%h/.local/bin/#g; s#/var/backups/receiptmill/#%h/receiptmill/backups/#g' \
        -e 's#/\(var/lib\|etc\)/receiptmill/#%h/receiptmill/#g' "$tree/share/systemd/user/${unit##*/}"
done
{
    copyright cat
    for package in libssl3 libsqlite3-0 zlib1g libstdc++6 libisal2; do
        [ ! -f "/usr/share/doc/$package/copyright" ] || licence "$package of Debian" cat "/usr/share/doc/$package/copyright"
    done
} > "$tree/share/doc/receiptmill/copyright"
with_modes "$tree" share
tar -C "$scratch" --owner=0 --group=0 --numeric-owner --sort=name -czf "$out/$tarball" "${tree##*/}"
rm -r "$tree"

# The package.
tree=$scratch/deb
put 0755 "$scratch/receiptmill" usr/bin/receiptmill
SKIP_BUILD=1 SONAME=libreceiptmill.so.1 packaging/library.sh "$tree/usr/lib/$triplet/libreceiptmill.so.1"
strip --remove-section=.comment --remove-section=.note "$tree/usr/lib/$triplet/libreceiptmill.so.1"
chmod 0644 "$tree/usr/lib/$triplet/libreceiptmill.so.1"
ln -s libreceiptmill.so.1 "$tree/usr/lib/$triplet/libreceiptmill.so"
mkdir "$tree/usr/lib/$triplet/pkgconfig"
pkg_config /usr "\${prefix}/lib/$triplet" > "$tree/usr/lib/$triplet/pkgconfig/receiptmill.pc"
put 0644 Sources/CReceiptMill/include/receiptmill.h usr/include/receiptmill.h
share=$tree/usr/share
documents "$share"
completions "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
for unit in pipelines/systemd/*.{service,timer}; do
    put 0644 "$unit" "usr/lib/systemd/system/${unit##*/}"
done
sed -i 's#/usr/local/bin/#/usr/bin/#' "$tree"/usr/lib/systemd/system/*
put 0644 packaging/sysusers.conf usr/lib/sysusers.d/receiptmill.conf
put 0644 packaging/tmpfiles.conf usr/lib/tmpfiles.d/receiptmill.conf
put 0644 packaging/nightly.yaml etc/receiptmill/nightly.yaml
put 0644 pipelines/logrotate etc/logrotate.d/receiptmill
put 0644 packaging/lintian-overrides usr/share/lintian/overrides/receiptmill
copyright without_apache > "$share/doc/receiptmill/copyright"
gzip -9n > "$share/doc/receiptmill/changelog.gz" <<END
receiptmill ($version) unstable; urgency=medium

  * See /usr/share/doc/receiptmill/CHANGELOG.md.

 -- $maintainer  $(git log -1 --format=%cD)
END
with_modes "$tree" usr/share

# dpkg-shlibdeps finds the packages of the libraries, and reads a source package's control file.
mkdir "$scratch/debian"
printf 'Source: receiptmill\n\nPackage: receiptmill\nArchitecture: any\n' > "$scratch/debian/control"
depends=$(cd "$scratch" && dpkg-shlibdeps -O deb/usr/bin/receiptmill "deb/usr/lib/$triplet/libreceiptmill.so.1" 2> /dev/null |
    sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 1; }
mkdir "$tree/DEBIAN"
for script in postinst prerm postrm; do put 0755 packaging/$script DEBIAN/$script; done
printf '/etc/%s\n' receiptmill/nightly.yaml logrotate.d/receiptmill > "$tree/DEBIAN/conffiles"
echo "libreceiptmill 1 receiptmill (>= $version)" > "$tree/DEBIAN/shlibs"
echo "activate-noawait ldconfig" > "$tree/DEBIAN/triggers"
cat > "$tree/DEBIAN/control" <<END
Package: receiptmill
Version: $version
Architecture: $arch
Maintainer: $maintainer
Section: utils
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)
Depends: $depends, passwd
Recommends: sqlite3
Suggests: python3
Description: verifies archives of what the App Store signs
 Reads gzipped JSON lines of App Store receipts and of the signed data of
 StoreKit 2, verifies every signature up to Apple's root, and loads purchases
 into SQLite for reports in SQL.
 .
 The library libreceiptmill verifies single documents for programs in C, for
 SQLite, whose extension it is, and for whole columns of Arrow.
END
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
chmod 0644 "$tree"/DEBIAN/{control,conffiles,md5sums,shlibs,triggers}
# Level 6 makes the package a tenth smaller, in more than twice the time.
dpkg-deb --root-owner-group -Zxz -z3 --build "$tree" "$out/$deb" > /dev/null

size() { numfmt --to=si --suffix=B "$(stat -c %s "$1")"; }
cat <<END
package: packaged in $((SECONDS - started)) s

$out/$deb ($(size "$out/$deb")), for whoever may become root on a machine with this Debian; it prints what comes next:

  sudo apt install ./$out/$deb

$out/$tarball ($(size "$out/$tarball")), for a home folder, without root, on any Linux with this C library or a newer one:

  mkdir -p ~/.local && tar -C ~/.local --strip-components=1 -xzf $out/$tarball
  PATH=~/.local/bin:\$PATH    # Debian's ~/.profile does so, once the folder is there
  mkdir -p ~/receiptmill/spool && cp ~/.local/share/receiptmill/home.yaml ~/receiptmill/nightly.yaml
  receiptmill init --database ~/receiptmill/mill.sqlite
  receiptmill run ~/receiptmill/nightly.yaml

docs/operations.md#install goes on from here.
END
