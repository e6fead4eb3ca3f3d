package import MillConfiguration
package import MillSystem
internal import ReceiptTrust
internal import ReceiptVerification

extension LoadConfiguration {
    /// The settings of a pipeline file that concern loading.
    ///
    /// - Throws: ``MillError`` if a certificate or key that the file names can't be read.
    package init(_ pipeline: Pipeline) throws(MillError) {
        self.init(database: pipeline.database)
        createsDatabase = pipeline.createsDatabase
        anchors = try pipeline.anchors()
        intermediates = try CertificatePool(files: pipeline.trust.intermediates)
        keys = pipeline.lines
        limits = pipeline.limits
        apps = pipeline.apps
        if let jobs = pipeline.jobs { self.jobs = jobs }
        modelComparison = pipeline.modelComparison
        keepsReceipts = pipeline.keepsReceipts
        maximumClockGap = pipeline.alarms.clockJumpDays
        deadLetters = pipeline.deadLetters
        if let key = pipeline.pseudonymKey { pseudonyms = try Pseudonyms(keyFile: key) }
        // Without a pipeline file there is no nightly run to repeat, so its commands can't be advised.
        if !pipeline.file.isEmpty { hintOnDamage = pipeline.hintOnDamage }
    }
}
