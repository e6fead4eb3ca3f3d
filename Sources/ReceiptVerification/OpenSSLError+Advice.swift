internal import MillSystem
package import ReceiptTrust

extension OpenSSLError: AdvisedError {}
