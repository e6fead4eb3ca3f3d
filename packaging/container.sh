#!/usr/bin/env bash
# Builds the image localhost/receiptmill:VERSION by packaging/Containerfile, of the Debian package that `make package` built
# and of the packages with its libraries, which apt-get downloads. No registry is asked.
#
#   container.sh          builds the image, and writes packages/receiptmill-VERSION-ARCH.oci.tar
#   container.sh files    lays the files of the image out in packages/container, and builds nothing
set -euo pipefail
cd "$(dirname "$0")/.."
fail() {
    echo "container: $*" >&2
    exit 1
}

package=$(ls packages/receiptmill_*.deb 2> /dev/null) || fail "packages/ has no Debian package: \`make package\` builds one"
version=$(dpkg-deb --field "$package" Version)
arch=$(dpkg-deb --field "$package" Architecture)
[ "${1:-}" = files ] || command -v buildah > /dev/null ||
    fail "buildah is missing: \`make setup-container\` installs it, with apt-get; \`packaging/container.sh files\` needs none"
echo "container: laying out the files and building the image takes about a minute"

context=packages/container
root=$context/root
rm -rf "$context"
mkdir -p "$context/debs" "$context/empty" "$root"/usr/{bin,lib,lib64} "$root"/{etc,tmp,proc,sys,dev} "$root"/var/{tmp,lib/dpkg/status.d}
# As in Debian, so that files of its packages land where the loader looks.
for folder in bin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done

# unpacked PACKAGE: all of its files. Scanners of images read in status.d which version they are.
unpacked() {
    dpkg-deb --fsys-tarfile "$1" | tar -x -C "$root" --keep-directory-symlink --no-same-owner
    dpkg-deb --field "$1" > "$root/var/lib/dpkg/status.d/$(dpkg-deb --field "$1" Package)"
}

# The program's libraries are of the Debian packages that brought them here. What these packages depend on besides, such as
# debconf, is for an installation, and nothing is installed in an image.
unpacked "$package"
mapfile -t libraries < <(ldd "$root/usr/bin/receiptmill" | sed -n 's#.*=> \(/[^ ]*\) .*#\1#p')
[ "${#libraries[@]}" -gt 0 ] || fail "ldd finds no library of the program"
for library in "${libraries[@]}"; do
    path=$(realpath "$library")
    # A package states /lib/… or /usr/lib/…, which are one folder.
    { dpkg-query --search "$path" "${path#/usr}" 2> /dev/null || true; } | cut -d : -f 1 | grep . || fail "no package brings $path"
done | sort -u > "$context/names"
(cd "$context/debs" && xargs apt-get download tzdata < ../names > ../log 2>&1) ||
    fail "apt-get can't download $(xargs < "$context/names") tzdata: $(tail -n 1 "$context/log")"
for deb in "$context"/debs/*.deb; do unpacked "$deb"; done

# What the program never reads: tables of glibc's character sets, pages and completions, and files of installations.
rm -rf "$root"/usr/lib/*/{gconv,audit,ossl-modules,engines-3,pkgconfig,libreceiptmill.so*} "$root"/usr/{include,sbin,lib/systemd} \
    "$root"/usr/lib/{sysusers.d,tmpfiles.d} "$root"/usr/share/{man,lintian,locale,gcc,gdb,bash-completion,zsh,fish} \
    "$root"/etc/{logrotate.d,ld.so.conf.d}
find "$root/usr/share/doc" -type f ! -name copyright -delete
find "$root/usr/share/doc" -type l -delete
find "$root/usr/share/doc" -type d -empty -delete
find "$root/usr/bin" -type f ! -name receiptmill -delete
echo "receiptmill:x:10001:10001:ReceiptMill:/var/lib/receiptmill:/usr/sbin/nologin" > "$root/etc/passwd"
echo "receiptmill:x:10001:" > "$root/etc/group"
cp /etc/os-release "$root/etc/"
chmod 1777 "$root/tmp" "$root/var/tmp"
rm -r "$context/debs" "$context/names" "$context/log"
[ "${1:-}" != files ] || exit 0

image=localhost/receiptmill:$version
archive=packages/receiptmill-$version-$arch.oci.tar
rm -f "$archive"
# The time is that of the commit, so that one commit is one image.
buildah build --quiet --timestamp "$(git log -1 --format=%ct)" --tag "$image" --file packaging/Containerfile \
    --label org.opencontainers.image.title=receiptmill --label "org.opencontainers.image.version=$version" "$context" > /dev/null
buildah push --quiet "$image" "oci-archive:$archive:$image"
cat <<END

$image ($(du -sh "$root" | cut -f 1)), also in $archive for podman load and skopeo copy.
Without root, on any machine with podman:

  podman load --input $archive
  podman run --rm --network none $image version
  podman run --rm --network none --volume mill:/var/lib/receiptmill $image init --database /var/lib/receiptmill/mill.sqlite
  podman run --rm --network none --volume mill:/var/lib/receiptmill --volume /srv/receipts:/var/spool/receipts \\
      $image run /etc/receiptmill/nightly.yaml

docs/operations.md#container goes on from here.
END
