#!/usr/bin/env bash
# Builds packages/receiptmill_VERSION_ARCH.deb and a tarball of the same files. Needs Swift; what it
# builds needs none. MAINTAINER="Name <address>" says whom users of the package write to, in the place of
# the last commit's author.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/.*receiptMillVersion = "\(.*\)"/\1/p' Sources/MillSystem/Version.swift)
arch=$(dpkg --print-architecture)
traits=$(pkg-config --exists libisal && echo --traits ISAL || true)
build=.build-package
out=packages
maintainer=${MAINTAINER:-$(git log -1 --format='%an <%ae>')}
tree=$out/receiptmill_${version}_$arch

# shellcheck disable=SC2086 # none, or an option and its value
swift build -c release --static-swift-stdlib $traits --scratch-path "$build" --product receiptmill >&2

rm -rf "$tree"
share=$tree/usr/share
put() { install -D -m "$1" "$2" "$tree/$3"; }
put 0755 "$build/release/receiptmill" usr/bin/receiptmill
strip --remove-section=.comment --remove-section=.note "$tree/usr/bin/receiptmill"
mill=$tree/usr/bin/receiptmill
python3 packaging/manual.py "$mill" "$share/man/man1" "$version"
mkdir -p "$share/bash-completion/completions" "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
# Bash reads the script, and never runs it.
"$mill" --generate-completion-script bash | sed '1{/^#!/d}' > "$share/bash-completion/completions/receiptmill"
"$mill" --generate-completion-script zsh > "$share/zsh/vendor-completions/_receiptmill"
"$mill" --generate-completion-script fish > "$share/fish/vendor_completions.d/receiptmill.fish"
for unit in pipelines/systemd/*; do
    put 0644 "$unit" "usr/lib/systemd/system/${unit##*/}"
done
sed -i 's#/usr/local/bin/#/usr/bin/#' "$tree"/usr/lib/systemd/system/*
put 0644 packaging/sysusers.conf usr/lib/sysusers.d/receiptmill.conf
put 0644 packaging/tmpfiles.conf usr/lib/tmpfiles.d/receiptmill.conf
put 0644 packaging/nightly.yaml etc/receiptmill/nightly.yaml
put 0644 pipelines/logrotate etc/logrotate.d/receiptmill
mkdir -p "$share/receiptmill" "$share/doc/receiptmill"
git ls-files -z sql pipelines python/receiptmill | xargs -0 cp --parents -t "$share/receiptmill"
git ls-files -z 'docs/*' README.md CHANGELOG.md SECURITY.md | xargs -0 cp -t "$share/doc/receiptmill"
# copyright READER: all licences, each as READER FILE writes it.
copyright() {
    echo "ReceiptMill $version"
    echo
    echo "Its owner has not chosen a licence yet. What is linked into the binary has these:"
    for text in "$build"/checkouts/{GRDB.swift,swift-argument-parser,swift-log,Yams}/LICENSE* \
        "$(dirname "$(readlink -f "$(command -v swift)")")"/../share/swift/LICENSE.txt; do
        name=${text#"$build"/checkouts/}
        printf '\n== %s\n\n' "$([ "$name" = "$text" ] && echo 'Swift runtime and Foundation' || echo "${name%%/*}")"
        "$1" "$text"
    done
}
# Debian has the text of the Apache License; what a project adds to it follows.
without_apache() {
    grep -q 'Apache License' "$1" || { cat "$1"; return; }
    echo "Apache License, version 2.0: see /usr/share/common-licenses/Apache-2.0."
    echo
    sed -n '/^## Runtime Library Exception/,$p' "$1"
}
copyright cat > "$share/doc/receiptmill/copyright"
find "$tree" -type d -exec chmod 0755 {} +
find "$share" -type f -exec chmod 0644 {} +
chmod 0755 "$share"/receiptmill/pipelines/failure/mail "$share"/receiptmill/pipelines/failure/webhook

tar -C "$out" --owner=0 --group=0 --numeric-owner -czf "$out/receiptmill-$version-$arch.tar.gz" "${tree##*/}"

copyright without_apache > "$share/doc/receiptmill/copyright"
gzip -9n > "$share/doc/receiptmill/changelog.gz" <<END
receiptmill ($version) unstable; urgency=medium

  * See /usr/share/doc/receiptmill/CHANGELOG.md.

 -- $maintainer  $(git log -1 --format=%cD)
END
chmod 0644 "$share/doc/receiptmill/changelog.gz"

# dpkg-shlibdeps finds the packages of the libraries, and reads a source package's control file.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/debian"
printf 'Source: receiptmill\n\nPackage: receiptmill\nArchitecture: any\n' > "$scratch/debian/control"
depends=$(cd "$scratch" && dpkg-shlibdeps -O "$OLDPWD/$mill" 2> /dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 1; }
mkdir "$tree/DEBIAN"
for script in postinst prerm postrm; do put 0755 packaging/$script DEBIAN/$script; done
printf '/etc/%s\n' receiptmill/nightly.yaml logrotate.d/receiptmill > "$tree/DEBIAN/conffiles"
cat > "$tree/DEBIAN/control" <<END
Package: receiptmill
Version: $version
Architecture: $arch
Maintainer: $maintainer
Section: utils
Priority: optional
Installed-Size: $(du -sk "$tree" | cut -f 1)
Depends: $depends, passwd
Recommends: sqlite3
Suggests: python3
Description: verifies archives of what the App Store signs
 Reads gzipped JSON lines of App Store receipts and of the signed data of
 StoreKit 2, verifies every signature up to Apple's root, and loads purchases
 into SQLite for reports in SQL.
END
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
chmod 0644 "$tree/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$tree" "$out/receiptmill_${version}_$arch.deb" > /dev/null
rm -rf "$tree"
ls -l "$out"/receiptmill*
echo "Depends: $depends"
