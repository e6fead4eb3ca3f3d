#!/usr/bin/env bash
# Unpacks the tarball in a home folder of a bare Debian; then installs the package there, lets a night run, upgrades it and
# the database of an older release, erases a person and purges it. Needs root, debootstrap, lintian and the packages/ of
# `make package`.
set -euo pipefail
cd "$(dirname "$0")/.."
package=$(ls packages/receiptmill_*.deb)
tarball=$(ls packages/receiptmill-*.tar.gz)
root=$(mktemp -d)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(grep -rhoE 'https?://[^ ]+' /etc/apt/sources.list /etc/apt/sources.list.d 2> /dev/null | grep -E '/debian/?$' | head -n 1 || true)
chmod 0755 "$root" # mktemp makes it root's alone
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf "$root"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

echo "== lintian"
[ "$(id -u)" = 0 ] || fail "a bare Debian can't be made without root"
# Overrides are in the package, each with its reason.
lintian --allow-root --pedantic --display-info --fail-on error,warning,info,pedantic "$package" || fail "lintian"

debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} > "$root.log" 2>&1 ||
    { tail -n 20 "$root.log" >&2; fail "debootstrap"; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
for file in /etc/apt/sources.list /etc/apt/apt.conf /etc/apt/auth.conf; do [ ! -f "$file" ] || cp "$file" "$root$file"; done
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
cp -r /etc/apt/sources.list.d/. "$root/etc/apt/sources.list.d/" 2> /dev/null || true
cp /etc/resolv.conf "$root/etc/" 2> /dev/null || true
cp "$package" "$root/tmp/receiptmill.deb"
cp data-samples/receipts-001.jsonl.gz data-samples/root.pem "$root/tmp/"
within() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
as_service() { within setpriv --reuid=receiptmill --regid=receiptmill --init-groups "$@"; }
installed() { within apt-get install -y --no-install-recommends /tmp/receiptmill.deb > "$root/tmp/apt.log" 2>&1 ||
    { cat "$root/tmp/apt.log" >&2; fail "apt-get install"; }; }

echo "== a home folder, without root"
cp "$tarball" "$root/tmp/receiptmill.tar.gz"
within useradd --create-home ann
as_ann() {
    within setpriv --reuid=ann --regid=ann --init-groups env HOME=/home/ann PATH=/home/ann/.local/bin:/usr/bin:/bin \
        sh -euc "cd; $1"
}
as_ann 'mkdir -p .local && tar -C .local --strip-components=1 -xzf /tmp/receiptmill.tar.gz
    mkdir -p receiptmill/spool && cp .local/share/receiptmill/home.yaml receiptmill/nightly.yaml
    receiptmill version
    receiptmill init --database receiptmill/mill.sqlite
    echo "trust: {anchors: [/tmp/root.pem]}" >> receiptmill/nightly.yaml
    sed -i "s/rejected_share: .*/rejected_share: 0.5/" receiptmill/nightly.yaml
    cp /tmp/receipts-001.jsonl.gz receiptmill/spool/
    receiptmill run receiptmill/nightly.yaml
    test -e receiptmill/spool/loaded/receipts-001.jsonl.gz
    test -s receiptmill/dashboard.html
    receiptmill report refunds --database receiptmill/mill.sqlite --format csv | grep -q com.example
    mkdir receiptmill/backups
    receiptmill backup receiptmill/backups/mill.sqlite --keep 7 --database receiptmill/mill.sqlite' ||
    fail "the commands for a home folder"
for file in share/man/man1/receiptmill-run.1.gz share/bash-completion/completions/receiptmill share/receiptmill/sql/views \
    share/receiptmill/pipelines/duckdb/warehouse.py share/receiptmill/python/receiptmill/__init__.py lib/libreceiptmill.so \
    include/receiptmill.h share/doc/receiptmill/operations.md; do
    [ -e "$root/home/ann/.local/$file" ] || fail "$file is missing in the home folder"
done
if command -v systemd-analyze > /dev/null; then
    units=$(mktemp -d)
    cp "$root"/home/ann/.local/share/systemd/user/* "$units/"
    # The person and the program are not this machine's.
    sed -i 's#^ExecStart=%h/.local/bin/receiptmill#ExecStart=/bin/true#' "$units"/*
    XDG_RUNTIME_DIR=$units systemd-analyze --user --man=no verify "$units"/receiptmill*.{service,timer} || fail "the units of a home folder"
    rm -r "$units"
fi
within rm -r /home/ann/.local /home/ann/receiptmill

echo "== install"
within apt-get update -q > /dev/null
installed
! within sh -c 'command -v swift' || fail "Swift is there"
within receiptmill version
for file in usr/share/man/man1/receiptmill-erase.1.gz usr/share/bash-completion/completions/receiptmill \
    usr/share/zsh/vendor-completions/_receiptmill usr/share/fish/vendor_completions.d/receiptmill.fish \
    usr/lib/systemd/system/receiptmill.timer usr/lib/systemd/system/receiptmill-check.timer etc/receiptmill/nightly.yaml usr/share/doc/receiptmill/copyright \
    usr/include/receiptmill.h; do
    [ -s "$root/$file" ] || fail "$file is missing"
done

zgrep -qF '\-\-preflight, \-\-no\-preflight' "$root/usr/share/man/man1/receiptmill-ingest.1.gz" ||
    fail "the page of ingest says of --no-preflight what is meant by --preflight"

echo "== the operator's page"
within apt-get install -y sqlite3 > /dev/null
Tests/Documentation/run.py --within "$root" docs/operator.md
rm -rf "$root"/var/lib/receiptmill/* "$root"/var/backups/receiptmill/* "$root"/var/spool/receipts/*
cp packaging/nightly.yaml "$root/etc/receiptmill/nightly.yaml"

echo "== a night"
status=0
as_service receiptmill run /etc/receiptmill/nightly.yaml 2> /dev/null || status=$?
[ $status = 66 ] || fail "a run without a database ends with $status"
as_service receiptmill init --database /var/lib/receiptmill/mill.sqlite
within install -o receiptmill -g receipts -m 0640 /tmp/receipts-001.jsonl.gz /var/spool/receipts/night.jsonl.gz
within install -m 0644 /tmp/root.pem /etc/receiptmill/root.pem
within sh -c 'echo "trust: {anchors: [/etc/receiptmill/root.pem]}" >> /etc/receiptmill/nightly.yaml'
# The sample has more rejected lines than the example allows.
within sed -i 's/rejected_share: .*/rejected_share: 0.5/' /etc/receiptmill/nightly.yaml
as_service receiptmill run /etc/receiptmill/nightly.yaml
[ -e "$root/var/spool/receipts/loaded/night.jsonl.gz" ] || fail "the archive was not moved"
as_service receiptmill check --database /var/lib/receiptmill/mill.sqlite --quiet
as_service receiptmill backup /var/backups/receiptmill/mill.sqlite --keep 7 --database /var/lib/receiptmill/mill.sqlite

echo "== the library, as SQLite's extension"
within apt-get install -y --no-install-recommends sqlite3 > /dev/null
verdict=$(within sqlite3 :memory: ".load libreceiptmill.so" "SELECT receipt_verdict('no document')")
[ "$verdict" = unreadable ] || fail "the extension says $verdict of what is no document"

echo "== upgrade, and the database of an older release"
data=$root/var/lib/receiptmill
rm "$data"/mill.sqlite*
# The oldest fixture; while the first release's schema is the newest, nothing is migrated.
fixture=$(ls -d Tests/Migrations/v* | sort -V | head -n 1)
schema=$(within receiptmill version | sed -n 's/.*schema \([0-9]*\).*/\1/p')
before=
[ "$schema" = "${fixture##*/v}" ] || before=mill.sqlite-before-v$schema
gzip -dc "$fixture/mill.sqlite.gz" > "$data/mill.sqlite"
chown --reference="$data" "$data/mill.sqlite"
mv "$root/var/spool/receipts/loaded/night.jsonl.gz" "$root/var/spool/receipts/"
within dpkg -i --force-confold /tmp/receiptmill.deb > /dev/null
grep -q root.pem "$root/etc/receiptmill/nightly.yaml" || fail "the upgrade replaced the pipeline file"
as_service receiptmill run /etc/receiptmill/nightly.yaml
[ -z "$before" ] || [ -e "$data/$before" ] || fail "the database was not migrated"
[ -e "$root/var/spool/receipts/loaded/night.jsonl.gz" ] || fail "the night behind the migration did not move its archive"
checked() { as_service receiptmill check --database /var/lib/receiptmill/mill.sqlite --quiet; }
checked

echo "== a person erased"
# Of the fixture's lines and of the night.
accounts() { gzip -dc "$1" | sed -n 's/.*"account_id":"\([^"]*\)".*/\1/p' | sort -u; }
person=$(comm -12 <(accounts "$fixture/receipts.jsonl.gz") <(accounts data-samples/receipts-001.jsonl.gz) | head -n 1)
# The files of the whole system that hold the person, also within gzip; /tmp is this test's.
holding() {
    {
        grep -rlaF --exclude-dir=proc --exclude-dir=sys --exclude-dir=tmp -e "$person" "$root" || true
        find "$root/var" "$root/etc" -name '*.gz' -exec sh -c 'gzip -dc "$2" 2> /dev/null | grep -qaF -e "$1"' - "$person" {} \; -print
    } | sed "s#^$root##" | sort
}
as_service receiptmill backup /var/backups/receiptmill/erased.sqlite --database /var/lib/receiptmill/mill.sqlite
holding | grep -qx /var/lib/receiptmill/mill.sqlite || fail "$person is not in the database"
erased=$(as_service receiptmill erase --account "$person" --database /var/lib/receiptmill/mill.sqlite)
for named in night.jsonl.gz $before backups; do
    [[ $erased == *"$named"* ]] || fail "what erase says does not name $named: $erased"
done
# All that it names goes, but for the archive, which comes again.
rm -f ${before:+"$data/$before"} "$root"/var/backups/receiptmill/*
mv "$root/var/spool/receipts/loaded/night.jsonl.gz" "$root/var/spool/receipts/again.jsonl.gz"
echo | gzip >> "$root/var/spool/receipts/again.jsonl.gz"
as_service receiptmill run /etc/receiptmill/nightly.yaml
as_service receiptmill backup /var/backups/receiptmill/mill.sqlite --database /var/lib/receiptmill/mill.sqlite
checked
[ "$(holding)" = /var/spool/receipts/loaded/again.jsonl.gz ] || fail "$person is in $(holding)"

echo "== purge"
within apt-get purge -y receiptmill > /dev/null
[ -e "$root/var/lib/receiptmill/mill.sqlite" ] || fail "the purge removed data"
left=$(cd "$root" && find usr etc -path '*receiptmill*' ! -name root.pem ! -path etc/receiptmill)
[ -z "$left" ] || fail "the purge left $left"
echo "the tarball runs in a home folder; the package installs, runs, upgrades and goes"
