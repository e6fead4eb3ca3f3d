internal import ArgumentParser
package import MillSystem

extension AppSetting: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(parsing: argument)
    }
}
