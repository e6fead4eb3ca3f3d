#!/usr/bin/env bash
# Builds the image, and uses it as a person would: a version, an ingest of the sample and a report, with a folder of the
# machine as a volume. Needs root, buildah and the packages/ of `make package`. Where podman can run containers it does;
# elsewhere, as within another container, the files of the image are a chroot.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail "a folder for another user can't be made without root"
scratch=$(mktemp -d)
container=
trap '[ -z "$container" ] || buildah rm "$container" > /dev/null; rm -rf "$scratch"' EXIT
# Storage and isolation that need nothing of the kernel; what is stored goes with the test.
printf '[storage]\ndriver = "vfs"\nrunroot = "%s/run"\ngraphroot = "%s/storage"\n' "$scratch" "$scratch" > "$scratch/storage.conf"
export CONTAINERS_STORAGE_CONF=$scratch/storage.conf BUILDAH_ISOLATION=chroot

packaging/container.sh > "$scratch/built"
image=$(grep -om 1 'localhost/receiptmill:[^ ]*' "$scratch/built")
config() { buildah inspect --type image --format "{{.OCIv1.Config.$1}}" "$image"; }
[ "$(config User)" = 10001:10001 ] || fail "the image runs as $(config User)"
[ "$(config Entrypoint)" = "[/usr/bin/receiptmill]" ] || fail "the entry point is $(config Entrypoint)"
[[ $(config Volumes) == *"/var/lib/receiptmill:"*"/var/spool/receipts:"* ]] || fail "the volumes are $(config Volumes)"

# Whole paths, because a chroot starts at its root.
inside=/var/lib/receiptmill
data=$scratch/data spool=$scratch/spool
install -d -m 0750 -o 10001 -g 10001 "$data" "$spool"
install -m 0644 -o 10001 -g 10001 data-samples/root.pem "$data/"
install -m 0640 -o 10001 -g 10001 data-samples/receipts-001.jsonl.gz "$spool/"
volumes=(--volume "$data:$inside" --volume "$spool:/var/spool/receipts")
if podman run --rm --network none "$image" version > "$scratch/version" 2> "$scratch/refused"; then
    mill() { podman run --rm --network none "${volumes[@]}" "$image" "$@"; }
else
    echo "!! podman can't run containers here ($(tail -n 1 "$scratch/refused")): the image is TESTED IN A CHROOT alone !!" >&2
    container=$(buildah from --pull-never "$image")
    files=$(buildah mount "$container")
    mill() {
        # shellcheck disable=SC2016 # variables of the inner shell
        unshare --mount --net sh -c 'files=$1 data=$2 spool=$3; shift 3
            mount --bind "$data" "$files/var/lib/receiptmill" && mount --bind "$spool" "$files/var/spool/receipts" &&
            mount -t proc proc "$files/proc" && exec chroot --userspec=10001:10001 --groups= "$files" /usr/bin/receiptmill "$@"' \
            - "$files" "$data" "$spool" "$@"
    }
fi
expect() { # STATUS ARGUMENT…
    local status=0
    mill "${@:2}" > "$scratch/output" 2> "$scratch/errors" || status=$?
    [ "$status" = "$1" ] || fail "exit status $status in the place of $1: receiptmill ${*:2}: $(tail -n 3 "$scratch/errors")"
}

expect 0 version
grep -q "$(dpkg-deb --field packages/receiptmill_*.deb Version)" "$scratch/output" || fail "version: $(cat "$scratch/output")"
expect 66 check --database "$inside/absent.sqlite"
expect 0 ingest /var/spool/receipts/receipts-001.jsonl.gz --trust "$inside/root.pem" --database "$inside/mill.sqlite" --quiet
expect 0 report refunds --database "$inside/mill.sqlite" --format csv --output "$inside/refunds.csv"
[ "$(wc -l < "$data/refunds.csv")" -gt 1 ] || fail "the report has no rows"
expect 0 check --database "$inside/mill.sqlite" --quiet
[ -s "$data/mill.sqlite-check" ] || fail "the check left no note of itself"
# A night by the pipeline file that is in the image: the database knows the sample, and the archive is moved.
expect 0 run /etc/receiptmill/nightly.yaml
[ -e "$spool/loaded/receipts-001.jsonl.gz" ] || fail "the archive was not moved"
[ "$(stat -c %u:%a "$data/mill.sqlite")" = 10001:600 ] || fail "the database is $(stat -c %u:%a "$data/mill.sqlite")"
expect 64 report
cut=$spool/cut.jsonl.gz
head -c 20000 data-samples/receipts-001.jsonl.gz > "$cut"
chown 10001:10001 "$cut"
expect 65 ingest /var/spool/receipts/cut.jsonl.gz --trust "$inside/root.pem" --database "$inside/cut.sqlite" --quiet
echo "the image runs: version, ingest, report, check and a night, as user 10001, on folders of the machine"
