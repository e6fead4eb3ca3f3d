/// The version that the command tells and that databases remember of each run.
public let receiptMillVersion = "0.1.0"
