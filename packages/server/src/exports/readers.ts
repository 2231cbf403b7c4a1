/** What reads texts that others have written, for fuzzers and for checks of documents. */
export { ConfigError } from "../config/config-error.ts";
export { loadConfig } from "../config/config.ts";
export { readControl } from "../gateway/stream/control.ts";
export { isAllMarkets, readStreamName } from "../gateway/stream/market/stream-name.ts";
export { readFrame } from "../gateway/ws-api/frame.ts";
export { loadSignerConfig } from "../wallet/evm/signer/signer-config.ts";
