internal import ArgumentParser
internal import ReceiptPipeline

extension AppSetting: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        self.init(parsing: argument)
    }
}
