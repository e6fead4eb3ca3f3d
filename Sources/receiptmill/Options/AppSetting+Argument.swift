internal import ArgumentParser
package import ReceiptVerification

extension AppSetting: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(parsing: argument)
    }
}
