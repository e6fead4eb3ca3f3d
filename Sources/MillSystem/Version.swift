/// The version that the command prints and that databases store for each run.
package let receiptMillVersion = "0.1.0"
