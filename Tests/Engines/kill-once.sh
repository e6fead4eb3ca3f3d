#!/bin/sh
# Stands in for receiptmill, and once lets a death happen in the middle of decode.
#
#   kill-once.sh MILL MARK VICTIM   prints such a program
#
# VICTIM is decode, which dies behind half of its output, or jvm: the Spark process
# above it, which is an executor, or the whole job in local mode. MARK is a folder
# that says that it has happened.
cat <<END
#!/bin/sh
above() { ps -o ppid= -p "\$1" | tr -d ' '; }
if [ "\$1" = decode ] && mkdir "$2" 2> /dev/null; then
    "$1" "\$@" | head -c 100000
    victim=\$\$
    while [ "$3" = jvm ] && [ "\$(ps -o comm= -p "\$victim")" != java ]; do victim=\$(above "\$victim"); done
    kill -9 "\$victim"
    exec sleep 5
fi
exec "$1" "\$@"
END
