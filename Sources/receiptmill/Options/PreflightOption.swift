internal import ArgumentParser

/// `--no-preflight`: whether disks are asked for room before a load.
struct PreflightOption: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Load nothing where disks lack room for what the new archives should need: database, log, and temporary files "
                + "in SQLITE_TMPDIR, else TMPDIR, else /var/tmp."))
    var preflight = true
}
