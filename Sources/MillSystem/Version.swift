/// The version that the command tells and that databases remember of each run.
package let receiptMillVersion = "0.1.0"
