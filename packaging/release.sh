#!/usr/bin/env bash
# Builds all release files into packages/: the Debian package, the tarball, the wheel and, where buildah is
# installed, the image. INSTALL.md says how each is installed, and SHA256SUMS has their digests.
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
unset RECEIPTMILL_BINARY RECEIPTMILL_LIBRARY
command -v dpkg-shlibdeps > /dev/null || { echo "release: dpkg-dev is missing: apt-get install dpkg-dev" >&2; exit 1; }
rm -f packages/receiptmill-*.oci.tar packages/INSTALL.md packages/SHA256SUMS
packaging/package.sh > /dev/null
packaging/wheel.sh > /dev/null
packaging/container.sh > /dev/null || {
    echo "release: built without an image" >&2
    rm -f packages/receiptmill-*.oci.tar
}

cd packages
deb=$(echo receiptmill_*.deb)
tarball=$(echo receiptmill-*.tar.gz)
wheel=$(echo receiptmill-*.whl)
version=$(dpkg-deb --field "$deb" Version)
{
    cat <<END
# ReceiptMill $version

\`sha256sum --check SHA256SUMS\` compares the files with what was built. The owner of the project has not chosen a licence
yet: without one, nobody else may copy or change it.

- **Debian package**, on $(. /etc/os-release && echo "$PRETTY_NAME"), with a timer for nightly runs: \`sudo apt install ./$deb\`
- **Tarball**, on any Linux with glibc $(ldd --version | sed -n '1s/.* //p') or later, without root:
  \`mkdir -p ~/.local && tar -C ~/.local --strip-components=1 -xzf $tarball\`
- **Python wheel**, with the program inside, Python 3.10 or later: \`pip install ./$wheel\`
END
    for image in receiptmill-*.oci.tar; do
        [ -f "$image" ] || continue
        echo "- **Image**: \`podman load --input $image\`, then"
        echo "  \`podman run --rm --network none localhost/receiptmill:$version version\`"
    done
    echo
    echo "Then \`receiptmill try\` shows a made-up company in a few seconds."
} > INSTALL.md
mapfile -t files < <(ls receiptmill[-_]*.{deb,tar.gz,whl,oci.tar} 2> /dev/null || true)
sha256sum INSTALL.md "${files[@]}" > SHA256SUMS
cd ..
echo "release: $((SECONDS - started)) s"
(cd packages && ls -l "${files[@]}" INSTALL.md SHA256SUMS) | awk '{ print $5, $NF }'
