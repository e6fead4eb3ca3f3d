// `MintParameters` and the truth name kinds of what is planted, so that who imports this
// module knows them.
@_exported public import MintStore
