public import ArgumentParser
internal import MillSystem
public import ReceiptPipeline

extension AppSetting: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(parsing: argument)
    }
}
